import { Rcpt } from '../../../schema/client/index.ts';
import { parseRecord } from '../../../schema/client/read-line.ts';
import { addresses, byDomain } from './addresses.ts';

/** What both callers are asked to do. */
export type Task = {
  readonly url: string;
  readonly apiKey: string;
  readonly count: number;
  readonly inFlight: number;
};

/** What the service billed for all of it. */
export type Bill = { readonly charged: number; readonly returned: number };
/** Verifies the list and tells each result's address as it comes. */
export type Caller = (task: Task, onResult: (email: string) => void) => Promise<Bill>;

export type Who = 'client' | 'bare' | 'bareInOrder';

/** Entries of a request. */
const ENTRIES = 500;

/** The client, on the list as a stream, with its own settings but for the number of requests. */
const viaClient: Caller = async ({ url, apiKey, count, inFlight }, onResult) => {
  const run = new Rcpt({ apiKey, baseURL: url }).verifyAll(addresses(count), { inFlight });
  for await (const { result } of run) onResult(result.email);
  const { charged, returned, unsure, strayLines } = run.tally;
  if (unsure + strayLines > 0) throw new Error(`${unsure} credits are not certain, ${strayLines} lines are strange`);
  return { charged, returned };
};

/**
 * The floor: the next 500 entries as soon as a request has ended, lines parsed and believed, no pace, no second try. It
 * is fastest if its list is in order already.
 */
const bare: Caller = ({ count, ...task }, onResult) => askBarely(task, addresses(count), onResult);
const bareInOrder: Caller = ({ count, ...task }, onResult) => askBarely(task, byDomain(count).values(), onResult);

async function askBarely(
  { url, apiKey, inFlight }: Omit<Task, 'count'>,
  list: Iterator<string, unknown, undefined>,
  onResult: (email: string) => void,
): Promise<Bill> {
  const total = { charged: 0, returned: 0 };
  const lane = async (): Promise<void> => {
    for (let emails = take(list); emails.length > 0; emails = take(list)) {
      const response = await fetch(`${url}/api/v1/verify`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: 'application/x-ndjson',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ emails }),
      });
      if (response.status !== 200 || response.body === null)
        throw new Error(`${response.status} ${await response.text()}`);
      const { charged, returned } = await readAnswer(response.body, onResult);
      total.charged += charged;
      total.returned += returned;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return total;
}

function take(list: Iterator<string, unknown, undefined>): string[] {
  const taken: string[] = [];
  while (taken.length < ENTRIES) {
    const next = list.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

async function readAnswer(body: ReadableStream<Uint8Array>, onResult: (email: string) => void): Promise<Bill> {
  const utf8 = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = `${rest}${utf8.decode(bytes, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { email, done, charged, returned } = parseRecord(line) ?? {};
      if (typeof email === 'string') onResult(email);
      else if (done === true) return { charged: Number(charged), returned: Number(returned) };
    }
  }
  throw new Error('an answer ended without its last line');
}

export const CALLERS: Readonly<Record<Who, Caller>> = { client: viaClient, bare, bareInOrder };
