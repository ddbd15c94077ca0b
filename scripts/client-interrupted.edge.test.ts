import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryJournal, Rcpt } from '../schema/client/index.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';

// One list on the real service, cut off again and again: the ledger takes what one uninterrupted run takes, and the client
// says the same.

/** Domains of the sandbox that answer quickly and always the same. */
const DOMAINS = ['deliverable', 'catchall', 'takes-no-mail', 'blocked', 'greeting-554', 'null-mx', 'mail-rejected'];
const FREE: ReadonlySet<string | null> = new Set(['policy_rejected', 'no_banner', 'mail_from_rejected']);
const COUNT = 2_100;

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

test('a list that is stopped and aborted six times costs what it costs in one go, by the ledger and by the client', async () => {
  const client = new Rcpt({ apiKey: service.ready.apiKey, baseURL: service.ready.url });
  const before = await client.credits();
  const list = Array.from({ length: COUNT }, (_, n) => `user${n}@${DOMAINS[n % DOMAINS.length]}.test`);
  const journal = memoryJournal();
  const seen: number[] = [];
  for (let times = 1; times <= 6; times += 1) {
    const signal = new AbortController();
    const stop = new AbortController();
    // One request of 500 at a time: what three stops let finish is not the whole list.
    const run = client.verifyAll(list, {
      journal,
      maxCredits: COUNT,
      inFlight: 1,
      signal: signal.signal,
      stop: stop.signal,
    });
    let taken = 0;
    const work = (async () => {
      for await (const _ of run) {
        taken += 1;
        if (taken === times * 150) (times % 2 === 0 ? stop : signal).abort(new Error('enough'));
      }
    })();
    await expect(work).rejects.toThrow('enough');
    seen.push(taken);
  }
  const run = client.verifyAll(list, { journal, maxCredits: COUNT, ordered: true });
  const results = [];
  for await (const { result, asked } of run) results.push({ reason: result.reason, asked });
  expect(results.map(({ asked }) => asked)).toEqual(list.map(() => 1));
  const due = results.filter(({ reason }) => !FREE.has(reason)).length;
  expect(run.tally).toMatchObject({ charged: due, returned: COUNT - due, unsure: 0 });
  await expect.poll(() => client.credits(), { timeout: 30_000, interval: 250 }).toBe(before - due);
  expect(seen.every((taken) => taken > 0 && taken < COUNT)).toBe(true);
}, 240_000);
