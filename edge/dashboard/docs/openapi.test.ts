import { expect, it } from 'vitest';
import { FIELDS } from '../../../schema/words/fields.ts';
import { namesOf } from '../../../schema/words/open.ts';
import { describeApi } from '../../../schema/openapi/document.ts';
import { TERMS } from '../../../schema/testing/openapi/terms.ts';
import { readDocument } from './openapi.ts';

const described: { readonly paths: object } = JSON.parse(JSON.stringify(describeApi(TERMS)));
const document = readDocument(described);

it('shows every call of the API, with an example of each answer that has one', () => {
  const calls = Object.entries(described.paths).flatMap(([path, methods]: [string, object]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(calls).toContain('POST /api/v1/verify');
  expect(document.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(calls);
  const [verify] = document.operations;
  expect(verify?.request[0]?.text).toContain('"emails"');
  const answers = verify?.responses.filter(({ examples }) => examples.length > 0).map(({ status }) => status);
  expect(answers).toEqual(['200', '400', '401', '402', '405', '409', '413', '422', '429', '500']);
});

it('has a type and a meaning for every field and header', () => {
  expect(document.fields).toHaveLength(namesOf(FIELDS).length);
  for (const { name, type, description } of [...document.fields, ...document.headers])
    expect([name, type, description]).not.toContain('');
  expect(document.fields.find(({ name }) => name === 'score')?.type).toBe('integer, 0 to 100');
});

it('reads nothing out of what is not a document', () => {
  for (const nothing of [null, [], 'text', { paths: 7, components: { schemas: [] } }])
    expect(readDocument(nothing)).toEqual({ description: '', operations: [], fields: [], headers: [] });
});
