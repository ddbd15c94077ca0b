import { describe, expect, it } from 'vitest';
import { codeOf, FAILURES } from '../errors.ts';
import { examplesOf, readDocument } from '../testing/openapi/documented.ts';
import { OTHER, TERMS } from '../testing/openapi/terms.ts';
import { describeApi } from './document.ts';
import type { Terms } from './terms.ts';

const read = (terms: Terms) => readDocument(describeApi(terms));

const headers = async (terms: Terms) =>
  Object.keys((await read(terms)).paths['/api/v1/credits']?.['get']?.responses['200']?.headers ?? {});

describe.each([
  ['the default', TERMS],
  ['every variant', OTHER],
])('the document of %s', (_name, terms) => {
  it('has examples that match their schemas', async () => {
    const examples = examplesOf(await read(terms));
    expect(examples.length).toBeGreaterThan(15);
    expect(examples.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('documents each failure with the service’s status and code', async () => {
    const { responses = {} } = (await read(terms)).paths['/api/v1/verify']?.['post'] ?? {};
    for (const way of ['INVALID_INPUT', 'TOO_MANY', 'UNAUTHORIZED', 'NO_CREDITS', 'RATE_LIMITED'] as const) {
      const { status } = FAILURES[way];
      const code = codeOf(way);
      const example = responses[String(status)]?.content['application/json']?.examples?.[way]?.value;
      expect(example).toEqual({ error: expect.any(String), code });
    }
    expect(Object.keys(responses).toSorted()).toEqual([
      '200',
      '400',
      '401',
      '402',
      '405',
      '409',
      '413',
      '422',
      '429',
      '500',
    ]);
  });
});

it('describes the limit only where there is one', async () => {
  expect(await headers(TERMS)).toContain('RateLimit-Limit');
  expect(await headers(OTHER)).not.toContain('RateLimit-Limit');
});

it("states this deployment's limits", () => {
  const text = JSON.stringify(describeApi({ ...TERMS, maxAddresses: 17, maxBodyBytes: 1_234, ratePerMinute: 9 }));
  for (const limit of ['"maxItems":17', '1234 bytes', '"const":9', '9;w=60']) expect(text).toContain(limit);
});
