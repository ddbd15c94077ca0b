import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { verificationResultSchema } from '../../schema/api.ts';
import { REASONS } from '../../schema/words/reasons.ts';
import { RESULTS, STATUSES } from '../../schema/words/verdicts.ts';
import { parseAddress } from '../../schema/address.ts';
import { DOMAINS } from './domains.ts';
import { readmeTable } from './readme-table.ts';
import { expectedResult, WORLD } from './world.ts';

const README = new URL('./README.md', import.meta.url);
const API = new URL('../../schema/API.md', import.meta.url);

test('every result, status and reason of the interface has an address', () => {
  const shown = WORLD.map((row) => row.expected);
  expect(new Set(shown.map(({ result }) => result))).toEqual(new Set(RESULTS));
  expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(STATUSES));
  expect(new Set(shown.map(({ reason }) => reason))).toEqual(new Set([null, ...REASONS]));
});

test('every address stands in the table once', () => {
  expect(new Set(WORLD.map((row) => row.address)).size).toBe(WORLD.length);
});

test('every domain of the sandbox is shown by an address', () => {
  const shown = new Set(WORLD.map((row) => parseAddress(row.address)?.domain));
  expect([...DOMAINS.keys()].filter((domain) => !shown.has(domain))).toEqual([]);
});

test('what is expected has the form of a result', () => {
  for (const row of WORLD) expect(() => verificationResultSchema.strict().parse(expectedResult(row))).not.toThrow();
});

test('the description of the API names every field of a result and every reason', async () => {
  const readme = await readFile(API, 'utf8');
  const named = (field: string): boolean => readme.includes(`\`${field}\``);
  expect([...Object.keys(verificationResultSchema.shape), ...REASONS].filter((word) => !named(word))).toEqual([]);
});

test("the README's table is the world's", async () => {
  expect(await readFile(README, 'utf8')).toContain(readmeTable());
});
