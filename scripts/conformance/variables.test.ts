import { afterAll, beforeAll, describe, expect } from 'vitest';
import * as z from 'zod';
import { newStateFolder, startRunningService, type RunningService } from '../testing/running-service.ts';
import { verificationResultSchema } from '../../schema/api.ts';
import { claim } from './testing/claim.ts';
import { expireCredits } from './testing/expire-credits.ts';
import { elements, expectError } from './testing/reply.ts';
import { ask, credits, customer, given, verify, type HttpResponse, type Asked } from './testing/service.ts';

// What depends on how a service is set up: another one with other variables, one without a probe host, and an account
// whose credits have expired.

const VARIABLES = ['LEGACY=on', 'CHARGE=entries', 'MAX_ADDRESSES=20', 'RATE_LIMIT=0'];
const LITERAL = 'a@[192.0.2.1]';

let service: RunningService;
let hostless: HttpResponse;
let hostlessCredits: number;
let expired: string;

beforeAll(async () => {
  if (!given().isSandbox) return;
  const state = await newStateFolder();
  const first = await startRunningService(state, ['--hosts', '0', '--no-sandbox', '--var', 'BATCH_DEADLINE_S=5']);
  const { url, operatorKey } = first.ready;
  const account = await customer(10, { url, operatorKey });
  hostless = await verify([LITERAL, 'x'], { key: account.key, url });
  hostlessCredits = await credits(account.key, url);
  await first.stop();
  await expireCredits(state, account.accountId);
  expired = account.key;
  service = await startRunningService(
    state,
    VARIABLES.flatMap((variable) => ['--var', variable]),
  );
});
afterAll(async () => {
  if (given().isSandbox) await service.stop();
});

const here = (key: string, more: Asked = {}): Asked => ({ key, url: service.ready.url, ...more });
const newKey = async (amount: number): Promise<string> => (await customer(amount, service.ready)).key;
const one = (query: string, key: string): Promise<HttpResponse> => ask(`/api/v1/verify${query}`, here(key));
const left = (key: string): Promise<number> => credits(key, service.ready.url);

describe('a verification that fails server-side', () => {
  claim('7', '500 `INTERNAL_ERROR`', 'sandbox', async () => expectError(hostless, 500, 'INTERNAL_ERROR'));
  claim('4.1 rule 7', 'gives the credits of the batch back', 'sandbox', async () => expect(hostlessCredits).toBe(10));
});

describe('credits that have expired', () => {
  claim('2.4', '`credits` is 0 when the balance has expired', 'sandbox', async () =>
    expect(await left(expired)).toBe(0),
  );
  claim('7', '402 `NO_CREDITS`: the balance has expired', 'sandbox', async () => {
    const answer = await verify([LITERAL], here(expired));
    expectError(answer, 402, 'NO_CREDITS');
    expect(answer.text).toContain('0 remain');
  });
});

describe('charging per entry', () => {
  claim(
    '4.1 variant B',
    'every slot costs a credit: duplicates, non-strings and bad syntax too',
    'sandbox',
    async () => {
      const key = await newKey(10);
      expect(elements(await verify([LITERAL, LITERAL, 'x', 7], here(key)))).toHaveLength(4);
      expect(await left(key)).toBe(6);
    },
  );
  claim('4.1 variant B', 'a refused duplicate comes back slot by slot', 'sandbox', async () => {
    const key = await newKey(10);
    await verify(['anyone@blocked.test', 'anyone@blocked.test', 7], here(key));
    await expect.poll(() => left(key)).toBe(9);
  });
});

describe('limits of older variants', () => {
  claim('8', '20 addresses per request if the operator says so', 'sandbox', async () => {
    const key = await newKey(100);
    const entries = Array.from({ length: 21 }, (_, n) => `no address ${n}`);
    expect(elements(await verify(entries.slice(1), here(key)))).toHaveLength(20);
    expectError(await verify(entries, here(key)), 400, 'TOO_MANY');
  });
  claim('8', 'no rate limit, and no `RateLimit-*` headers, if the operator says so', 'sandbox', async () => {
    const key = await newKey(0);
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask('/api/v1/credits', here(key))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.headers.get('ratelimit-limit')).toBeNull();
  });
});

describe('the older forms, if the operator serves them', () => {
  claim('9', 'GET verify takes `email` and returns one object without `status` and `score`', 'sandbox', async () => {
    const answer = await one('?email=OK@deliverable.test', await newKey(1));
    const older = verificationResultSchema.omit({ status: true, score: true }).strict();
    expect(older.parse(JSON.parse(answer.text))).toMatchObject({ email: 'ok@deliverable.test', result: 'deliverable' });
  });
  claim('7', '400 `MISSING_EMAIL`: the older form has no `email`', 'sandbox', async () => {
    const key = await newKey(0);
    for (const query of ['', '?email=', '?Email=x', '?email=%20'])
      expectError(await one(query, key), 400, 'MISSING_EMAIL');
  });
  claim('9', 'POST verify/bulk returns `total` and `results`', 'sandbox', async () => {
    const body = JSON.stringify({ emails: ['ok@deliverable.test', 7] });
    const answer = await ask('/api/v1/verify/bulk', here(await newKey(5), { method: 'POST', body }));
    const bulk = z.strictObject({ total: z.literal(2), results: z.array(z.unknown()).length(2) });
    const { results } = bulk.parse(JSON.parse(answer.text));
    expect(results).toEqual([expect.objectContaining({ status: 'valid' }), { email: 7, error: 'invalid' }]);
  });
  claim('9', 'say that they are deprecated, and what comes after them', 'sandbox', async () => {
    const { headers } = await one('?email=x', await newKey(1));
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(headers.get('link')).toBe('</api/v1/verify>; rel="successor-version"');
  });
  claim('9', 'are charged like the current form', 'sandbox', async () => {
    const key = await newKey(1);
    expect((await one(`?email=${encodeURIComponent(LITERAL)}`, key)).status).toBe(200);
    expect(await left(key)).toBe(0);
    expectError(await one(`?email=${encodeURIComponent(LITERAL)}`, key), 402, 'NO_CREDITS');
  });
});
