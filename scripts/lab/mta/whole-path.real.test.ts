import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VerificationResult } from '../../../schema/words/result.ts';
import { callerOf, type Caller } from '../../testing/caller.ts';
import { describeReal } from './describe-real.ts';
import { newStateFolder, startRunningService, type RunningService } from '../../testing/running-service.ts';
import { CASES, inZone, isFree } from './cases.ts';
import { NUMBERED, numbered } from './mailboxes.ts';
import { hostOf } from './names.ts';

// From HTTP to the settled ledger, over real name and mail servers.

const BATCH_MS = 95_000;
/** How Postfix, postscreen and Exim log a client that talks out of turn or otherwise breaks the protocol. */
const BREACH =
  /PREGREET|COMMAND PIPELINING|NON-SMTP|BARE NEWLINE|improper command pipelining|synchroni[sz]ation|protocol error/i;
/** By these the host checks itself: without, its word that nobody answers is not believed. */
const CANARIES = {
  CANARY_NAME: `${inZone('x@mailbox').slice(2)},${inZone('x@exim').slice(2)}`,
  CANARY_MISSING: 'nothing.real.test',
  CANARY_HOST: `${hostOf('postfix')},${hostOf('exim')}`,
};

describeReal('the whole path', (world) => {
  let state = '';
  let service: RunningService;
  let caller: Caller;

  beforeAll(async () => {
    state = await newStateFolder();
    const args = ['--no-sandbox', '--var', 'RATE_LIMIT=0', ...world().flags];
    service = await startRunningService(state, args, 'node', { EGRESS: '127.0.0.1=probe.example.com', ...CANARIES });
    caller = await callerOf(service.ready);
  });
  afterAll(async () => {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  });

  /** Posts one batch, looks at its results and waits until it is settled at the price. */
  async function verify(
    addresses: readonly string[],
    price: number,
    look: (results: readonly VerificationResult[]) => void,
  ): Promise<void> {
    const before = await caller.credits();
    look(await caller.verify(addresses));
    await expect.poll(caller.credits, { timeout: 5_000 }).toBe(before - price);
  }

  test('every case gets its verdict, and the right credits come back', { timeout: BATCH_MS }, async () => {
    const addresses = CASES.map(({ address }) => inZone(address));
    const free = CASES.filter(isFree).length;
    await verify(addresses, CASES.length - free, (results) => {
      for (const [i, { address, ...expected }] of CASES.entries()) {
        expect.soft(results[i], address).toMatchObject({ email: inZone(address), ...expected });
      }
    });
    const { rows } = await caller.operator.statement(service.ready.accountId, 2, undefined);
    const [held, returned] = rows.toSorted((a, b) => a.delta - b.delta);
    expect(held).toMatchObject({ kind: 'hold', delta: -CASES.length });
    expect(returned).toMatchObject({ kind: 'return', delta: free, ref: held?.ref });
  });

  test('500 mailboxes of one Postfix domain all exist', { timeout: BATCH_MS }, async () => {
    const addresses = Array.from({ length: NUMBERED }, (_, i) => inZone(`${numbered(i)}@mailbox`));
    await verify(addresses, NUMBERED, (results) => {
      expect(distinct(results)).toEqual(['deliverable valid 250']);
    });
  });

  test.for(['mailbox', 'exim'])(
    '500 of %s that do not exist are all refused',
    { timeout: BATCH_MS },
    async (domain) => {
      const addresses = Array.from({ length: NUMBERED }, (_, i) => inZone(`nobody${i}@${domain}`));
      await verify(addresses, NUMBERED, (results) => {
        expect(distinct(results)).toEqual(['undeliverable invalid 550']);
      });
    },
  );

  test('a server that closes early and takes few recipients still answers for all', { timeout: BATCH_MS }, async () => {
    const living = Array.from({ length: 20 }, (_, i) => inZone(`${numbered(i)}@tight`));
    const dead = ['a', 'b', 'c', 'd'].map((name) => inZone(`nobody-${name}@tight`));
    await verify([...living, ...dead], 24, (results) => {
      expect(distinct(results.slice(0, 20))).toEqual(['deliverable valid 250']);
      expect(distinct(results.slice(20))).toEqual(['undeliverable invalid 550']);
    });
  });

  test('postscreen lets a prober through that has passed its tests', async () => {
    await verify([inZone('anna@postscreen-deep')], 1, (results) => {
      expect(distinct(results)).toEqual(['deliverable valid 250']);
    });
  });

  test('the ledger adds up and nothing is left on hold', async () => {
    const { accountId } = service.ready;
    // Settlements follow the answers.
    const openHolds = async () => (await caller.operator.showAccount(accountId)).openHolds;
    await expect.poll(openHolds, { timeout: 10_000 }).toEqual({ batches: 0, credits: 0 });
    const account = await caller.operator.showAccount(accountId);
    const { rows } = await caller.operator.statement(accountId, 500, undefined);
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.reduce((sum, { delta }) => sum + delta, 0)).toBe(account.balance);
  });

  test('no server saw a breach of its protocol', () => {
    const lines = [world().logOf('postfix'), world().logOf('exim')].flatMap((log) => log.split('\n'));
    expect(lines.length).toBeGreaterThan(1_000);
    expect(lines.filter((line) => BREACH.test(line))).toEqual([]);
  });
});

const distinct = (results: readonly VerificationResult[]) => [
  ...new Set(results.map(({ result, status, smtp_code }) => `${result} ${status} ${smtp_code}`)),
];
