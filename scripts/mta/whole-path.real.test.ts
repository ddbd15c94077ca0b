import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerificationResult } from '../../schema/api.ts';
import { callerOf, type Caller } from '../testing/caller.ts';
import { describeReal } from '../testing/describe-real.ts';
import { newStateFolder, startRunningService, type RunningService } from '../testing/running-service.ts';
import { CASES, inZone } from './cases.ts';
import { NUMBERED, numbered } from './mailboxes.ts';
import { GREYLIST_DELAY_S } from './postgrey.ts';
import { BROKEN_ZONE, FOREIGN_ZONE } from './zones.ts';

// From HTTP to the settled ledger, over real name and mail servers.

const BATCH_MS = 95_000;
const OPENED_WITH = 100_000;

describeReal('the whole path', (world) => {
  let state = '';
  let service: RunningService;
  let caller: Caller;
  /** What the batches so far have cost. */
  let spent = 0;

  beforeAll(async () => {
    state = await newStateFolder();
    service = await startRunningService(state, ['--no-sandbox', '--var', 'RATE_LIMIT=0', ...world().flags]);
    caller = await callerOf(service.ready);
  });
  afterAll(async () => {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  });

  /** Posts one batch and waits until its money is settled: exactly `free` credits come back. */
  async function verify(addresses: readonly string[], free = 0): Promise<readonly VerificationResult[]> {
    const results = await caller.verify(addresses.map(inZone));
    spent += addresses.length - free;
    await expect.poll(caller.credits, { timeout: 5_000 }).toBe(OPENED_WITH - spent);
    return results;
  }

  test('every case gets its verdict, and the right credits come back', { timeout: BATCH_MS }, async () => {
    const free = CASES.filter((entry) => entry.free).length;
    const results = await verify(
      CASES.map(({ address }) => address),
      free,
    );
    const wanted = CASES.map(({ address, expected }) => ({ email: inZone(address), ...expected }));
    expect(results).toEqual(wanted.map((fields) => expect.objectContaining(fields)));

    const [held, returned] = await lastBooked();
    expect(held).toMatchObject({ kind: 'hold', delta: -CASES.length });
    expect(returned).toMatchObject({ kind: 'return', delta: free, ref: held?.ref });
  });

  /** The two rows of the last batch in the account's ledger, the hold first. */
  async function lastBooked() {
    const { rows } = await caller.operator.statement(service.ready.accountId, 2, undefined);
    return rows.toSorted((a, b) => a.delta - b.delta);
  }

  test('a name server that fails or refuses leaves the address unknown', async () => {
    const results = await caller.verify([`anna@${BROKEN_ZONE}`, `anna@${FOREIGN_ZONE}`]);
    spent += 2;
    const unresolved = { result: 'unknown', status: 'unknown', reason: 'mx_unresolved', score: 30, smtp_check: false };
    expect(results).toEqual([expect.objectContaining(unresolved), expect.objectContaining(unresolved)]);
  });

  test('500 mailboxes of one Postfix domain all exist', { timeout: BATCH_MS }, async () => {
    const results = await verify(Array.from({ length: NUMBERED }, (_, i) => `${numbered(i)}@mailbox`));
    expect(new Set(results.map(({ result, smtp_code }) => `${result} ${smtp_code}`))).toEqual(
      new Set(['deliverable 250']),
    );
  });

  test.for(['mailbox', 'exim'])(
    '500 of %s that do not exist are all refused',
    { timeout: BATCH_MS },
    async (domain) => {
      const results = await verify(Array.from({ length: NUMBERED }, (_, i) => `nobody${i}@${domain}`));
      expect(new Set(results.map(({ result, smtp_code }) => `${result} ${smtp_code}`))).toEqual(
        new Set(['undeliverable 550']),
      );
    },
  );

  test('a server that closes early and takes few recipients still answers for all', { timeout: BATCH_MS }, async () => {
    const exist = Array.from({ length: 20 }, (_, i) => `${numbered(i)}@tight`);
    const results = await verify([...exist, ...['a', 'b', 'c', 'd'].map((name) => `nobody-${name}@tight`)]);
    const verdicts = results.map(({ result }) => result);
    expect(verdicts).toEqual([...exist.map(() => 'deliverable'), ...Array(4).fill('undeliverable')]);
  });

  test('a greylisted address is confirmed once its time has come', { timeout: BATCH_MS }, async () => {
    const addresses = ['u001@greylist', 'u001@catchall-greylist'];
    const first = await verify(addresses);
    const greylisted = { result: 'unknown', reason: 'greylisting', score: 50, smtp_code: 450, retry_after: 300 };
    expect(first).toEqual(addresses.map(() => expect.objectContaining(greylisted)));
    await new Promise((wake) => setTimeout(wake, (GREYLIST_DELAY_S + 1) * 1000));
    const second = await verify(addresses);
    expect(second).toMatchObject([
      { result: 'deliverable', status: 'valid', reason: null, score: 95 },
      // The made-up mailbox is new to the greylist, so whether the domain takes everyone is not learnt.
      { result: 'deliverable', status: 'risky', reason: 'greylisting', score: 70, retry_after: 300 },
    ]);
  });

  test('postscreen lets a prober through that has passed its tests', async () => {
    expect(await verify(['anna@postscreen-deep'])).toMatchObject([{ result: 'deliverable', status: 'valid' }]);
  });

  test('the ledger adds up and nothing is left on hold', async () => {
    const account = await caller.operator.showAccount(service.ready.accountId);
    expect(account).toMatchObject({
      credits: OPENED_WITH - spent,
      balance: OPENED_WITH - spent,
      openHolds: { batches: 0, credits: 0 },
    });
  });

  test('no server saw a breach of its protocol', () => {
    const breach =
      /PREGREET|COMMAND PIPELINING|NON-SMTP|BARE NEWLINE|improper|synchroni[sz]ation|syntax|protocol error/i;
    const lines = [world().logOf('postfix'), world().logOf('exim')].flatMap((log) => log.split('\n'));
    expect(lines.length).toBeGreaterThan(1_000);
    expect(lines.filter((line) => breach.test(line))).toEqual([]);
  });
});
