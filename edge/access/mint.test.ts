import { expect, test } from 'vitest';
import { bearerOf } from './known-keys.ts';
import { isIssued } from './key.ts';
import { mintKey, randomBase62 } from './mint.ts';

const config = { KEY_PREFIX: 'svc_live_', TEST_KEY_PREFIX: 'svc_test_', KEY_SECRETS: ['new', 'old'] };

test('a minted key has the documented form and a tag made with the first secret', async () => {
  const key = await mintKey(config, { accountId: 'acme', database: 0 });
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  expect(await isIssued(key, 'svc_live_', ['new'])).toBe(true);
  expect(await isIssued(key, 'svc_live_', ['old'])).toBe(false);
});

test('no two keys are alike', async () => {
  const keys = await Promise.all(
    Array.from({ length: 200 }, () => mintKey(config, { accountId: 'acme', database: 0 })),
  );
  expect(new Set(keys).size).toBe(200);
});

test('keys of an account share a limiter across kinds, and each has its own window', async () => {
  const [acme, other] = [
    { accountId: 'acme', database: 0 },
    { accountId: 'other', database: 0 },
  ];
  const live = await bearerOf(await mintKey(config, acme));
  const tested = await bearerOf(await mintKey(config, acme, 'test'), 'test');
  const page = await bearerOf(await mintKey(config, acme, 'page'), 'page');
  const bearers = [live, tested, page];
  expect(new Set(bearers.map(({ limiter }) => limiter)).size).toBe(1);
  expect(new Set(bearers.map(({ window }) => window)).size).toBe(3);
  expect((await bearerOf(await mintKey(config, other))).limiter).not.toBe(live.limiter);
});

test('all 62 letters and digits are equally frequent', () => {
  const drawn = 62_000;
  const counts = new Map<string, number>();
  for (const letter of randomBase62(drawn)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Chi-square with 61 degrees of freedom: above 130 once in a million runs. Bytes modulo 62 would give about 400.
  const expected = drawn / 62;
  const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chi).toBeLessThan(130);
});
