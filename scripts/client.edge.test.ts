import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rcpt } from '../schema/client/index.ts';
import { newStateFolder, startRunningService, type RunningService } from './testing/running-service.ts';

// The client against the service as `npm start` runs it: what it says a list cost is what the ledger took. When
// something goes wrong: client-faults.edge.test.ts.

/** Domains of the sandbox that answer quickly, each in its own way. */
const DOMAINS = [
  'deliverable',
  'catchall',
  'takes-no-mail',
  'relay-denied',
  'blocked',
  'greeting-554',
  'hangs-up',
  'nxdomain',
  'null-mx',
  'servfail',
  'mx-missing',
  'private-mx',
  'blocks-probe',
  'refused',
  'mail-rejected',
];

let state: string;
let service: RunningService;
beforeAll(async () => {
  state = await newStateFolder();
  service = await startRunningService(state);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true, force: true });
});

function addresses(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `user${from + n}@${DOMAINS[n % DOMAINS.length]}.test`);
}

/** When what was given back is there. */
async function balance(client: Rcpt, expected: number): Promise<void> {
  await expect.poll(() => client.credits(), { timeout: 10_000, interval: 250 }).toBe(expected);
}

describe('the client', { timeout: 120_000 }, () => {
  test('verifies 2,000 addresses, and the bills that it read add up to what the ledger took', async () => {
    const client = new Rcpt({ apiKey: service.ready.apiKey, baseURL: service.ready.url });
    const before = await client.credits();
    const list = [...addresses(0, 2_000), 'not an address', 'USER0@deliverable.test'];
    const run = client.verifyAll(list, { ordered: true });
    const results = [];
    for await (const { index, result } of run) {
      expect(index).toBe(results.length);
      results.push(result);
    }
    expect(results.map(({ email }) => email)).toEqual(list.map((email) => email.toLowerCase()));
    expect(results.at(-1)).toEqual(results[0]);
    const { charged, returned, unsure, strayLines } = run.tally;
    expect({ unsure, strayLines }).toEqual({ unsure: 0, strayLines: 0 });
    expect(charged + returned).toBe(2_000);
    const free = new Set(['policy_rejected', 'no_banner', 'mail_from_rejected', 'ehlo_rejected', 'invalid_syntax']);
    const isFree = (reason: string | null): boolean => reason !== null && free.has(reason);
    expect(charged).toBe(results.slice(0, -1).filter(({ reason }) => !isFree(reason)).length);
    await balance(client, before - charged);
  });
});
