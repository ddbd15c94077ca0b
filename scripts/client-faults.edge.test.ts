import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryJournal, Rcpt, type Journal, type RcptOptions, type Tally } from '../schema/client/index.ts';
import { newId } from './admin/connection/api.ts';
import { callerOf } from './testing/caller.ts';
import { startCountingMailWorld, type CountingMailWorld } from './testing/counting-mail-world.ts';
import { newStateFolder, startRunningService, type RunningService } from './testing/running-service.ts';
import type { ListEnded, ListOrder } from './testing/verify-list.ts';

// Anything can go wrong between client and service: every address gets its result, nothing is paid twice by the ledger,
// and nothing is asked twice beyond what was in flight by what mail servers were asked.

const PER_REQUEST = 500;
/** Five requests fit, a sixth is told to wait. */
const VARIABLES = ['RATE_LIMIT=0', `MAX_IN_FLIGHT=${5 * PER_REQUEST}`, 'BATCH_DEADLINE_S=30', 'HOLD_GRACE_S=5'].flatMap(
  (variable) => ['--var', variable],
);
const VERIFY_LIST = join(import.meta.dirname, 'testing/verify-list.ts');
const SETTLES = { timeout: 15_000, interval: 250 } as const;

let state: string;
let mail: CountingMailWorld;
let service: RunningService;
beforeAll(async () => {
  mail = await startCountingMailWorld();
  state = await newStateFolder();
  service = await startRunningService(state, [...VARIABLES, ...mail.args]);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await mail.close();
  await rm(state, { recursive: true, force: true });
});

const table: string[] = [];
afterAll(() => {
  const head = 'fault | addresses | the ledger took | mail servers were asked | requests | in doubt';
  console.info(`The client and the ledger:\n${[head, ...table].join('\n')}`);
});

/** A list of its own, and an account with this many credits. */
async function newCustomer(addresses: number, credits = 3 * addresses) {
  const list = mail.addresses(lists, addresses);
  lists += addresses;
  const { operator } = await callerOf(service.ready);
  const accountId = newId('acc');
  await operator.createAccount(accountId, 'faults');
  await operator.grant(accountId, newId('grant'), credits);
  const { key } = await operator.createKey(newId('key'), accountId, 'faults');
  const balance = async (): Promise<number> => {
    const api = (await callerOf(service.ready)).operator;
    return (await api.showAccount(accountId)).balance;
  };
  return {
    list,
    key,
    grant: (more: number) => operator.grant(accountId, newId('grant'), more),
    cost: async (granted = credits) => granted - (await balance()),
  };
}
let lists = 0;

type Told = Pick<Tally, 'requests' | 'unsure'>;

function record(fault: string, list: readonly string[], cost: number, told: readonly Told[]): void {
  const [requests, unsure] = [
    told.reduce((sum, one) => sum + one.requests, 0),
    told.reduce((sum, one) => sum + one.unsure, 0),
  ];
  table.push([fault, list.length, cost, mail.asked(list), requests, unsure].join(' | '));
}

/** A client that finds the service wherever it runs now. */
function clientFor(apiKey: string, through: RcptOptions['fetch'] = fetch): Rcpt {
  return new Rcpt({
    apiKey,
    baseURL: 'http://service.invalid',
    maxRetries: 20,
    fetch: (input, init) => {
      const { url } = new Request(input);
      return through(new URL(new URL(url).pathname, service.ready.url), init);
    },
  });
}

/** Runs a list to its end. @returns the places that were answered, each once */
async function verify(
  client: Rcpt,
  list: readonly string[],
  options: {
    readonly journal?: Journal;
    readonly inFlight?: number;
    readonly onResult?: (got: number) => Promise<void>;
  },
) {
  const run = client.verifyAll(list, options);
  const seen = new Set<number>();
  let error: unknown = null;
  try {
    for await (const { index, asked } of run) {
      expect([seen.has(index), asked]).toEqual([false, 1]);
      seen.add(index);
      await options.onResult?.(seen.size);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { got: seen.size, error, tally: run.tally };
}

/** Starts a client in a process of its own. */
function startClient(order: Omit<ListOrder, 'url'>, limits = 'true') {
  const args = [process.execPath, VERIFY_LIST, JSON.stringify({ url: service.ready.url, ...order })];
  const child = spawn('bash', ['-c', `${limits}; exec "$@"`, 'bash', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // It may end before anybody asks for its end.
  const closed = new Promise((done) => child.once('close', done));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const lines = (): readonly string[] => out.split('\n').slice(0, -1);
  return {
    child,
    /** Resolves when it has printed this many results. */
    printed: async (count: number) => {
      while (lines().length < count) await new Promise((wake) => child.stdout.once('data', wake));
    },
    ended: async (): Promise<{ readonly got: ReadonlySet<string> } & ListEnded> => {
      await closed;
      const told: ListEnded = JSON.parse(lines().at(-1) ?? '');
      return { got: new Set(lines().slice(0, -1)), ...told };
    },
    killed: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

describe('between the client and the service', { timeout: 120_000 }, () => {
  test('answers that are cut at random bytes are paid for once', async () => {
    const { list, key, cost } = await newCustomer(2_000);
    const cuts: number[] = [];
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.body === null || response.status !== 200 || cuts.length === 6) return response;
      const bytes = Math.floor(Math.random() * 150_000);
      cuts.push(bytes);
      return new Response(response.body.pipeThrough(cutAfter(bytes)), response);
    };
    const { got, error, tally } = await verify(clientFor(key, cutting), list, { inFlight: 2 });
    expect([got, error], `cut after ${cuts.join(', ')} bytes`).toEqual([list.length, null]);
    expect(cuts).toHaveLength(6);
    await expect.poll(() => cost(), SETTLES).toBe(list.length);
    expect([tally.charged, tally.unsure]).toEqual([list.length, 0]);
    expect(mail.asked(list) - list.length).toBeLessThanOrEqual(cuts.length * PER_REQUEST);
    record('cut at random bytes, 6 times', list, await cost(), [tally]);
  });

  test('a storm of 429 costs time, and nothing else', async () => {
    const { list, key, cost } = await newCustomer(4_000);
    const storm = { 429: 0 };
    const counting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.status === 429) storm[429] += 1;
      return response;
    };
    const { got, error, tally } = await verify(clientFor(key, counting), list, { inFlight: 8 });
    expect([got, error, tally.charged, tally.unsure]).toEqual([list.length, null, list.length, 0]);
    expect(storm[429]).toBeGreaterThanOrEqual(3);
    await expect.poll(() => cost(), SETTLES).toBe(list.length);
    expect(mail.asked(list)).toBe(list.length);
    record(`429, ${storm[429]} times`, list, await cost(), [tally]);
  });

  test('402 in the middle ends the run, and the rest goes on when credits were bought', async () => {
    const { list, key, grant, cost } = await newCustomer(2_000, 1_200);
    const journal = memoryJournal();
    const first = await verify(clientFor(key), list, { journal, inFlight: 2 });
    expect(first.error).toMatchObject({ code: 'NO_CREDITS' });
    expect(first.got).toBe(first.tally.charged);
    await grant(2_800);
    const second = await verify(clientFor(key), list, { journal, inFlight: 2 });
    expect([second.got, second.error]).toEqual([list.length, null]);
    expect(second.tally.charged).toBe(list.length);
    await expect.poll(() => cost(4_000), SETTLES).toBe(list.length);
    expect(mail.asked(list)).toBe(list.length);
    record('402 in the middle', list, await cost(4_000), [first.tally, second.tally]);
    // A list that changed meanwhile is not asked for at all.
    const changed = await verify(clientFor(key), list.with(7, 'other@d0.counted.example'), { journal });
    expect(changed).toMatchObject({ got: 0, error: { code: 'LIST_CHANGED' }, tally: { requests: 0 } });
  });

  test('a service that is killed and started again is asked again for what was in flight, and paid once', async () => {
    const { list, key, cost } = await newCustomer(3_000);
    const { got, error, tally } = await verify(clientFor(key), list, {
      journal: memoryJournal(),
      inFlight: 2,
      onResult: async (count) => {
        if (count !== 1_100) return;
        service.kill('SIGKILL');
        await service.ended;
        service = await startRunningService(state, [...VARIABLES, ...mail.args]);
      },
    });
    expect([got, error]).toEqual([list.length, null]);
    expect([tally.charged, tally.unsure]).toEqual([list.length, 0]);
    // A bill that was told and not settled yet when the service died is the customer's gain.
    await expect.poll(() => cost(), SETTLES).toBeLessThanOrEqual(list.length);
    expect(await cost()).toBeGreaterThanOrEqual(list.length - 2 * PER_REQUEST);
    expect(mail.asked(list) - list.length).toBeLessThanOrEqual(2 * PER_REQUEST);
    record('service killed and started again', list, await cost(), [tally]);
  });
});

describe('on the side of the client', { timeout: 120_000 }, () => {
  test('a process that is killed goes on with its journal, and nothing is paid twice', async () => {
    const { list, key, cost } = await newCustomer(3_000);
    const order = { apiKey: key, journal: join(state, 'killed.journal'), inFlight: 2, list };
    const first = startClient(order);
    await first.printed(2_000);
    await first.killed();
    const second = await startClient(order).ended();
    expect([second.got.size, second.code, second.unsure]).toEqual([list.length, null, 0]);
    expect(second.charged).toBe(list.length);
    await expect.poll(() => cost(), SETTLES).toBe(list.length);
    expect(mail.asked(list)).toBeLessThanOrEqual(list.length + 2 * PER_REQUEST);
    record('client killed and started again', list, await cost(), [second]);
  });

  test('a disk that fills up stops the asking, and nothing is paid twice', async () => {
    const { list, key, cost } = await newCustomer(3_000);
    const order = { apiKey: key, journal: join(state, 'full.journal'), inFlight: 1, list };
    // Room for the records of one request, and not for those of two.
    const first = await startClient(order, 'ulimit -f 300').ended();
    expect(first.code).toBe('JOURNAL_BROKEN');
    expect(first.requests).toBe(2);
    const second = await startClient(order).ended();
    expect([second.got.size, second.code]).toEqual([list.length, null]);
    expect(second.charged).toBe(list.length);
    await expect.poll(() => cost(), SETTLES).toBe(list.length);
    expect(mail.asked(list)).toBeLessThanOrEqual(list.length + PER_REQUEST);
    record('disk full', list, await cost(), [first, second]);
  });

  test('of two processes on one journal the second asks nothing', async () => {
    // Long enough that the first is still at it when the second has watched its lock.
    const { list, key, cost } = await newCustomer(3_000);
    const order = { apiKey: key, journal: join(state, 'shared.journal'), inFlight: 1, list };
    const first = startClient(order);
    await first.printed(1);
    const second = await startClient(order).ended();
    expect(second).toMatchObject({ code: 'JOURNAL_IN_USE', requests: 0 });
    const told = await first.ended();
    expect([told.got.size, told.code, told.charged]).toEqual([list.length, null, list.length]);
    await expect.poll(() => cost(), SETTLES).toBe(list.length);
    expect(mail.asked(list)).toBe(list.length);
    record('two processes on one journal', list, await cost(), [told, second]);
  });
});

/** Ends a body after this many bytes, as a proxy that gives up does. */
function cutAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
