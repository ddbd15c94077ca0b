import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeApi } from '../schema/openapi/document.ts';
import { TERMS } from '../schema/testing/openapi/terms.ts';
import { ROUTES } from './app.ts';

/** The endpoints of hosts, operators, the pages, Stripe and browsers, which are described elsewhere. */
const NOT_OF_CUSTOMERS = [
  'GET /link',
  'POST /join',
  'ALL /admin/v1/*',
  'ALL /app/v1/*',
  'POST /stripe/events',
  'GET /form.js',
  'GET /robots.txt',
  'GET /favicon.ico',
];

const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

function described(terms: typeof TERMS): string[] {
  const { paths } = documentSchema.parse(describeApi(terms));
  return Object.entries(paths)
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
    .toSorted();
}

function served(routes: typeof ROUTES): string[] {
  return routes
    .flatMap(({ methods, path }) => methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`))
    .filter((route) => !NOT_OF_CUSTOMERS.includes(route))
    .toSorted();
}

describe('the OpenAPI document', () => {
  it('describes exactly the routes that customers call', () => {
    expect(described(TERMS)).toEqual(served(ROUTES));
  });
});

it('schema/API.md has a row for each route that customers call', () => {
  const text = readFileSync(join(import.meta.dirname, '../schema/API.md'), 'utf8');
  const rows = new Set([...text.matchAll(/^\| `([A-Z]+ [^ `]+)/gm)].map(([, call]) => call));
  expect(served(ROUTES).filter((route) => !rows.has(route))).toEqual([]);
});
