import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { describeApi } from './document.ts';
import { OTHER, TERMS } from '../testing/openapi/terms.ts';

// The document as others judge it: Redocly's linter with all that it recommends, every warning an error.

const servers = [{ url: 'https://verify.example.org' }];

async function lint(document: object): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify({ ...document, servers }), config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

it.each([
  ['the default', TERMS],
  ['every variant', OTHER],
])('a public linter accepts the document of %s', async (_name, terms) => {
  expect(await lint(describeApi(terms))).toEqual([]);
});

it('the linter finds faults', async () => {
  const broken = { ...describeApi(TERMS), openapi: '3.1.1', security: [{ noSuchScheme: [] }] };
  expect(await lint(broken)).toContainEqual(expect.stringMatching(/^security-defined: /));
});
