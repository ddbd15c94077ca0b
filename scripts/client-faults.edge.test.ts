import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryJournal, Rcpt, type Journal, type RcptOptions } from '../schema/client/index.ts';
import { newId } from './admin/connection/api.ts';
import { callerOf } from './testing/caller.ts';
import { startCountingMailWorld, type CountingMailWorld } from './testing/counting-mail-world.ts';
import { newStateFolder, startRunningService, type RunningService } from './testing/running-service.ts';
import type { ListEnded, ListOrder } from './testing/verify-list.ts';

// Connection, service or client break off: every address gets its result, the ledger takes its credit once, and mail servers
// are asked twice about no more than what was in flight.

const PER_REQUEST = 500;
const VARIABLES = ['RATE_LIMIT=0', 'BATCH_DEADLINE_S=30', 'HOLD_GRACE_S=5'].flatMap((variable) => ['--var', variable]);
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

/** A list of its own, and an account with this many credits. */
async function newCustomer(addresses: number) {
  const credits = 3 * addresses;
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
    cost: async () => credits - (await balance()),
  };
}
let lists = 0;

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
  {
    onResult,
    ...options
  }: {
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
      await onResult?.(seen.size);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { got: seen.size, error, tally: run.tally };
}

/** Starts a client in a process of its own. */
function startClient(order: Omit<ListOrder, 'url'>) {
  const args = [VERIFY_LIST, JSON.stringify({ url: service.ready.url, ...order })];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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

describe('a list is charged once', { timeout: 120_000 }, () => {
  test('when answers are cut off at random bytes', async () => {
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
  });

  test('when the service is killed and restarted', async () => {
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
  });

  test('when the client is killed and another resumes from its journal', async () => {
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
