import { expect, it } from 'vitest';
import { FIELDS } from '../../../../schema/words/fields.ts';
import { namesOf } from '../../../../schema/words/open.ts';
import { describeApi } from '../../../../schema/openapi/document.ts';
import { TERMS } from '../../../../schema/testing/openapi/terms.ts';
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
  expect(verify?.responses.map(({ status, examples }) => [status, examples.length > 0])).toEqual([['200', true]]);
});

it('has the refusals of all calls once, by their status', () => {
  expect(document.errors.map(({ status }) => status)).toEqual([
    '400',
    '401',
    '402',
    '405',
    '409',
    '413',
    '422',
    '429',
    '500',
    '503',
  ]);
  const [, unauthorized] = document.errors;
  expect(unauthorized?.examples.map(({ text }) => text).join()).toContain('"UNAUTHORIZED"');
  for (const { status, descriptions } of document.errors) {
    expect([status, descriptions.length]).not.toEqual([status, 0]);
    expect(new Set(descriptions).size).toBe(descriptions.length);
  }
});

it('has a type and a meaning for every field and header', () => {
  expect(document.fields).toHaveLength(namesOf(FIELDS).length);
  for (const { name, type, description } of [...document.fields, ...document.headers])
    expect([name, type, description]).not.toContain('');
  expect(document.fields.find(({ name }) => name === 'score')?.type).toBe('integer, 0 to 100');
});

it('reads nothing out of what is not a document', () => {
  for (const nothing of [null, [], 'text', { paths: 7, components: { schemas: [] } }])
    expect(readDocument(nothing)).toEqual({ description: '', operations: [], errors: [], fields: [], headers: [] });
});
