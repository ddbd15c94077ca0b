import { type MxRecord, Resolver } from 'node:dns';
import type { DnsRecord, Question, Said } from './message.ts';
import type { ServerAddress } from './pipeline.ts';

/** With more under way c-ares loses answers. */
const UNDER_WAY_MAX = 100;
/** What is sent over UDP may be lost, and is asked for again within the five seconds of a look-up. */
const OPTIONS = { timeout: 800, tries: 3 };

/** A DNS server over UDP, by the library of Node: for those that do not answer many questions over one connection. */
export class Cares {
  readonly #resolver = new Resolver(OPTIONS);
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor({ ip, port }: ServerAddress) {
    this.#resolver.setServers([ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`]);
  }

  /** @returns what forgets the question: c-ares goes on with it */
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
    const told =
      <T>(recordOf: (data: T) => DnsRecord) =>
      (error: NodeJS.ErrnoException | null, data: readonly T[]): void => {
        if (error === null) end({ kind: 'found', records: data.map(recordOf) });
        else end({ kind: error.code === 'ENOTFOUND' ? 'nxdomain' : error.code === 'ENODATA' ? 'none' : 'refused' });
      };
    switch (type) {
      case 'MX':
        return this.#resolver.resolveMx(name, told(mxOf));
      case 'TXT':
        return this.#resolver.resolveTxt(
          name,
          told((strings) => ({ type, data: strings.join('') })),
        );
      case 'PTR':
        return this.#resolver.resolvePtr(
          name,
          told((data) => ({ type, data: data.toLowerCase() })),
        );
      case 'A':
        return this.#resolver.resolve4(
          name,
          told((data) => ({ type, data })),
        );
      case 'AAAA':
        return this.#resolver.resolve6(
          name,
          told((data) => ({ type, data })),
        );
    }
  }
}

const mxOf = ({ exchange, priority }: MxRecord): DnsRecord => ({
  type: 'MX',
  exchange: exchange.toLowerCase(),
  preference: priority,
});
