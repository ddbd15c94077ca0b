import { describe, expect } from 'vitest';
import * as z from 'zod';
import { claim } from './testing/claim.ts';
import { elements, expectError } from './testing/reply.ts';
import { ask, customer, verify } from './testing/service.ts';
import { EXAMPLES } from '../../schema/openapi/examples.ts';

// Section 9: versions, older forms, and the interface's description of itself.

const documentSchema = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const DOCUMENT = '/api/v1/openapi.json';
const read = async () => documentSchema.parse(JSON.parse((await ask(DOCUMENT, { key: null })).text));

describe('the version', () => {
  claim('9', 'is in the path: `/api/v1`', 'any key', async () => {
    expect((await ask('/api/v1/credits')).status).toBe(200);
    for (const path of ['/api/credits', '/api/v2/credits', '/v1/credits', '/credits'])
      expectError(await ask(path), 404, null);
  });
  claim('9', 'of the description is 1.0.0', 'any key', async () => {
    expect((await read()).info.version).toBe('1.0.0');
  });
});

describe('the operations', () => {
  claim('1', 'are two: verify addresses, and read the balance; the others need no key', 'any key', async () => {
    const { paths } = await read();
    const keyed = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        z.object({ security: z.unknown() }).safeParse(operation).success ? [] : [`${method} ${path}`],
      ),
    );
    expect(keyed).toEqual(['post /api/v1/verify', 'get /api/v1/credits']);
    for (const path of [DOCUMENT, '/health']) expect((await ask(path, { key: null })).status).toBe(200);
  });
  claim('9', 'of older variants are not served unless the operator says so', 'sandbox', async () => {
    const older = await ask('/api/v1/verify?email=x');
    expectError(older, 405, null);
    expect(older.headers.get('allow')).toBe('POST');
    expectError(await ask('/api/v1/verify/bulk', { method: 'POST', body: '{"emails":["x"]}' }), 404, null);
  });
});

describe('the OpenAPI document', () => {
  claim('description', 'is OpenAPI 3.1 and read without a key, which it does not count', 'any key', async () => {
    const answer = await ask(DOCUMENT);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
    expect((await read()).openapi).toMatch(/^3\.1\./);
  });
  claim('description', 'takes GET and HEAD only', 'any key', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await ask(DOCUMENT, { method, key: null });
      expectError(answer, 405, null);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
  });
  claim('description', 'has an example that can be tried, and is answered as it says', 'sandbox', async () => {
    const { key } = await customer(2);
    expect(elements(await verify(EXAMPLES.request.emails, { key }))).toEqual(EXAMPLES.elements);
  });
});
