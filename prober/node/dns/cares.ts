import { Resolver } from 'node:dns';
import type { DnsRecord, Question, Said } from './message.ts';
import type { ServerAddress } from './pipeline.ts';

/** With more questions at once c-ares loses answers. */
const UNDER_WAY_MAX = 100;
/** UDP packets may be lost: a question is repeated within the five seconds of a lookup. */
const OPTIONS = { timeout: 800, tries: 3 };

/** A DNS server over UDP, through Node's library: for servers that do not answer many questions over one connection. */
export class Cares {
  readonly #resolver = new Resolver(OPTIONS);
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor({ ip, port }: ServerAddress) {
    this.#resolver.setServers([ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`]);
  }

  /** @returns a function that drops the question: c-ares continues with it */
  ask(question: Question, heard: (said: Said) => void): () => void {
    let isWanted = true;
    const end = (said: Said): void => {
      this.#underWay -= 1;
      this.#waiting.shift()?.();
      if (isWanted) heard(said);
    };
    const start = (): void => {
      this.#underWay += 1;
      if (isWanted) this.#start(question, end);
      else end({ kind: 'refused' });
    };
    if (this.#underWay < UNDER_WAY_MAX) start();
    else this.#waiting.push(start);
    return () => (isWanted = false);
  }

  #start({ name, type }: Question, end: (said: Said) => void): void {
    this.#resolver.resolve(name, type, (error, data) => {
      if (error === null) return end({ kind: 'found', records: recordsOf(type, data) });
      end({ kind: error.code === 'ENOTFOUND' ? 'nxdomain' : error.code === 'ENODATA' ? 'none' : 'refused' });
    });
  }
}

function recordsOf(type: Question['type'], data: unknown): DnsRecord[] {
  if (!Array.isArray(data)) return [];
  return data.flatMap((one: unknown): DnsRecord[] => {
    if (typeof one === 'object' && one !== null && 'exchange' in one && 'priority' in one)
      return [{ exchange: String(one.exchange).toLowerCase(), preference: Number(one.priority) }];
    if (type === 'MX') return [];
    return [type === 'PTR' ? String(one).toLowerCase() : String(one)];
  });
}
