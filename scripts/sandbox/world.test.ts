import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { verificationResultSchema } from '../../schema/api.ts';
import { REASONS } from '../../schema/words/reasons.ts';
import { RESULTS, STATUSES } from '../../schema/words/verdicts.ts';
import { parseAddress } from '../../schema/address.ts';
import { sandboxEvidence } from '../../edge/sandbox/sandbox.ts';
import { DOMAINS } from './domains.ts';
import { readmeTable } from './readme-table.ts';
import { WORLD } from './world.ts';

const README = new URL('./README.md', import.meta.url);
const API = new URL('../../schema/API.md', import.meta.url);

test('every result, status and reason of the interface has an address', () => {
  const shown = WORLD.map((row) => row.expected);
  expect(new Set(shown.map(({ result }) => result))).toEqual(new Set(RESULTS));
  expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(STATUSES));
  expect(new Set(shown.map(({ reason }) => reason))).toEqual(new Set([null, ...REASONS]));
});

test('every domain of the sandbox is shown by an address, and what a test key is answered there is recorded', () => {
  const shown = new Set(WORLD.map((row) => parseAddress(row.address)?.domain));
  expect([...DOMAINS.keys()].filter((domain) => !shown.has(domain))).toEqual([]);
  for (const [domain, { mx }] of DOMAINS) {
    const evidence = sandboxEvidence('somebody-of-no-row', domain);
    expect({ domain, mx: evidence.mx }).toEqual({ domain, mx: typeof mx === 'string' ? [] : (mx ?? []) });
    expect(evidence.outcome.kind).not.toBe('unprobed');
  }
  expect(sandboxEvidence('somebody-of-no-row', 'deliverable.test').outcome.kind).toBe('no_such_mailbox');
  expect(sandboxEvidence('someone', 'example.com')).toMatchObject({ mx: [], outcome: { kind: 'mx_lookup_failed' } });
});

test('the description of the API names every field of a result and every reason', async () => {
  const readme = await readFile(API, 'utf8');
  const named = (field: string): boolean => readme.includes(`\`${field}\``);
  expect([...Object.keys(verificationResultSchema.shape), ...REASONS].filter((word) => !named(word))).toEqual([]);
});

test("the README's table is the world's", async () => {
  expect(await readFile(README, 'utf8')).toContain(readmeTable());
});
