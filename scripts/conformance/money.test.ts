import { describe, expect } from 'vitest';
import { WORLD } from '../sandbox/world.ts';
import { claim } from './testing/claim.ts';
import { leavingCaller } from './testing/leaving-caller.ts';
import { elements, expectError, results } from './testing/reply.ts';
import { ask, credits, customer, operator, post, verify } from './testing/service.ts';

// Sections 1, 2.4 and 4.1: what a request costs, and what comes back.

/** Fewer calls than a key has in a minute. */
const SETTLES = { timeout: 6_000, interval: 150 } as const;

/** Probed, but never dialled: costs one credit anywhere. */
const literal = (n: number): string => `a${n}@[192.0.2.1]`;

/** What is left of 100 credits after these entries, when all is settled. */
async function costOf(emails: readonly unknown[], cost: number): Promise<void> {
  const { key } = await customer(100);
  expect(elements(await verify(emails, { key }))).toHaveLength(emails.length);
  await expect.poll(() => credits(key), SETTLES).toBe(100 - cost);
}

describe('the price', () => {
  claim('1', 'each verified address costs 1 credit', 'operator', () => costOf([literal(1), literal(2), literal(3)], 3));
  claim('4.1 variant A', 'a duplicate is charged once', 'operator', () =>
    costOf([literal(1), ` ${literal(1).toUpperCase()} `, literal(2)], 2),
  );
  claim('4.1 variant A', 'a non-string or syntactically invalid entry costs nothing', 'operator', () =>
    costOf([7, null, 'x', 'two words@deliverable.test', literal(1)], 1),
  );
  claim('4.1 rule 4', 'an address that stands twice in a request is probed once', 'sandbox', async () => {
    const { key } = await customer(1);
    const read = results(await verify(['OK@deliverable.test', 'ok@Deliverable.test'], { key }));
    expect(read[1]).toEqual(read[0]);
    expect(await credits(key)).toBe(0);
  });
  claim('1', 'credits are bought in advance and kept as a balance of the account', 'operator', async () => {
    const { key, accountId } = await customer(1);
    expect((await verify([literal(1)], { key })).status).toBe(200);
    expectError(await verify([literal(1)], { key }), 402, 'NO_CREDITS');
    const api = await operator();
    await api.grant(accountId, 'second', 2);
    expect(await credits(key)).toBe(2);
    expect((await verify([literal(1)], { key })).status).toBe(200);
  });
  claim('8', 'an address asked about again is probed and charged again: nothing is cached', 'sandbox', async () => {
    const { key } = await customer(2);
    const tookMs = async (): Promise<number> => {
      const startedMs = performance.now();
      expect(results(await verify(['anyone@dns-silent.test'], { key }))[0]?.reason).toBe('mx_unresolved');
      return performance.now() - startedMs;
    };
    expect(await tookMs()).toBeGreaterThan(500);
    expect(await tookMs()).toBeGreaterThan(500);
    expect(await credits(key)).toBe(0);
  });
});

describe('a balance that is too low', () => {
  const emails = [literal(1), literal(2), literal(3)];
  claim(
    '4.1 rule 5',
    'nothing is charged and nothing verified if it does not cover the whole batch',
    'operator',
    async () => {
      const { key } = await customer(2);
      expectError(await verify(emails, { key }), 402, 'NO_CREDITS');
      expect(await credits(key)).toBe(2);
    },
  );
  claim('7', '402: the message says how many credits are needed and how many remain', 'operator', async () => {
    const { key } = await customer(2);
    expect((await verify(emails, { key })).text).toMatch(/\b3 credits; 2 remain/);
  });
  claim(
    '4.1 rule 5',
    'credits are taken before the probes: of batches at once only those are served that it covers',
    'operator',
    async () => {
      const { key } = await customer(4);
      const answers = await Promise.all([1, 2, 3, 4].map(() => verify(emails, { key })));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 402, 402, 402]);
      expect(await credits(key)).toBe(1);
    },
  );
  claim('4.1 rule 5', 'while a batch is under way its credits are gone from the balance', 'sandbox', async () => {
    const { key } = await customer(3);
    const under = verify(['anyone@dns-silent.test'], { key });
    await expect.poll(() => credits(key), SETTLES).toBe(2);
    expect((await under).status).toBe(200);
  });
});

describe('credits come back', () => {
  claim('4.1 rule 8', 'if the server refuses before it evaluates the address: `policy_rejected`', 'sandbox', () =>
    costOf(['anyone@blocked.test'], 0),
  );
  claim('4.1 rule 8', 'if the server refuses before it evaluates the address: `no_banner`', 'sandbox', () =>
    costOf(['anyone@greeting-554.test', 'anyone@hangs-up.test', 'anyone@resets.test'], 0),
  );
  claim('4.1 rule 8', 'if the server refuses before it evaluates the address: `ehlo_rejected`', 'sandbox', () =>
    costOf(['anyone@ehlo-rejected.test'], 0),
  );
  claim('4.1 rule 8', 'if the server refuses before it evaluates the address: `mail_from_rejected`', 'sandbox', () =>
    costOf(['anyone@mail-rejected.test'], 0),
  );
  claim('4.1 rule 8', 'and for no other verdict', 'sandbox', () => {
    const rows = WORLD.filter((row) => row.takesS === 0);
    return costOf(
      rows.map((row) => row.address),
      rows.filter((row) => !row.free).length,
    );
  });
  claim('4.1 rule 6', 'the whole batch, if the client disconnects before the results', 'sandbox', async () => {
    const { key } = await customer(5);
    const caller = leavingCaller(['anyone@slow-mail.test', 'ok@deliverable.test'], key);
    await expect.poll(() => credits(key), SETTLES).toBe(3);
    caller.leaves();
    await expect.poll(() => credits(key), SETTLES).toBe(5);
  });
});

describe('nothing is charged', () => {
  claim('4.1', 'for a 400', 'operator', async () => {
    const { key } = await customer(600);
    expectError(await verify([], { key }), 400, 'INVALID_INPUT');
    expectError(
      await verify(
        Array.from({ length: 501 }, (_, n) => `${n}@[192.0.2.1]`),
        { key },
      ),
      400,
      'TOO_MANY',
    );
    expect(await credits(key)).toBe(600);
  });
  claim('7', 'for a 413', 'operator', async () => {
    const { key } = await customer(1);
    expectError(await post(`{"emails":["${literal(1)}"]}${' '.repeat(51_200)}`, { key }), 413, null);
    expect(await credits(key)).toBe(1);
  });
});

describe('the balance', () => {
  claim('2.4', 'credits are valid for 12 months from the most recent purchase', 'operator', async () => {
    const { accountId } = await customer(1);
    const api = await operator();
    const { expiresAt } = await api.showAccount(accountId);
    const today = new Date();
    const year = new Date(expiresAt ?? 0);
    expect(year.getUTCFullYear() * 12 + year.getUTCMonth()).toBe(
      (today.getUTCFullYear() + 1) * 12 + today.getUTCMonth(),
    );
  });
  claim('5.3', 'all keys of an account draw on the same balance', 'operator', async () => {
    const { key, accountId } = await customer(2);
    const api = await operator();
    const other = (await api.createKey(`key_${accountId.slice(4)}`, accountId, 'other')).key;
    expect((await verify([literal(1)], { key: other })).status).toBe(200);
    expect([await credits(key), await credits(other)]).toEqual([1, 1]);
    expect((await ask('/api/v1/credits', { key: other })).headers.get('ratelimit-remaining')).toBe('57');
  });
});
