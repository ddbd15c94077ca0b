import * as fc from 'fast-check';
import type { Documented } from './documented.ts';

// Requests for what the document describes: as it says, nearly so, and as nobody would send them.

export type Request = {
  readonly kind: 'well-formed' | 'broken' | 'hostile';
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** Whether the key of a customer goes along. */
  readonly keyed: boolean;
};

const LOCALS = ['ok', 'nobody', 'full', 'info', 'greylisted', 'ü', '"two words"', "o'neil+tag"] as const;
/** Of the sandbox, and answered at once. */
const DOMAINS = [
  'deliverable.test',
  'catchall.test',
  'bücher.test',
  'nxdomain.test',
  'null-mx.test',
  '[192.0.2.1]',
] as const;

const address = fc
  .tuple(fc.constantFrom(...LOCALS), fc.constantFrom(...DOMAINS))
  .map(([local, domain]) => `${local}@${domain}`);
const nearlyAddress = fc
  .tuple(address, fc.nat(12), fc.string({ unit: 'binary', maxLength: 3 }))
  .map(([text, at, more]) => `${text.slice(0, at)} ${more}${text.slice(at)}`);
const entry = fc.oneof(
  { weight: 4, arbitrary: address },
  { weight: 3, arbitrary: nearlyAddress },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => `${text} ` + text) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).filter((value) => typeof value !== 'string') },
);
const wellFormedBody = fc.array(entry, { minLength: 1, maxLength: 8 }).map((emails) => JSON.stringify({ emails }));

const brokenBody: fc.Arbitrary<Request['body']> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc
    .jsonValue({ maxDepth: 2 })
    .filter((value) => !Array.isArray(value))
    .map((emails) => JSON.stringify({ emails })),
  fc.constantFrom(
    '',
    ' ',
    '{',
    '{}',
    '{"emails":[]}',
    '[]',
    'null',
    '{"emails":[',
    '{"emails":["x"]}}',
    '\u{feff}{}',
    "{'emails':[]}",
  ),
  fc.tuple(wellFormedBody, fc.nat(60)).map(([text, at]) => text.slice(0, at)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Uint8Array.from(bytes)),
  fc.constantFrom(501, 5_000).map((count) => JSON.stringify({ emails: Array.from({ length: count }, () => 0) })),
  fc.constantFrom(101, 20_000).map((deep) => `{"emails":[${'['.repeat(deep)}${']'.repeat(deep)}]}`),
  fc.constantFrom(51_201, 60_000).map((size) => ' '.repeat(size)),
);

/** Names and values that a client may really put on the wire. */
const headers: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      'accept',
      'content-type',
      'content-encoding',
      'x-http-method-override',
      'idempotency-key',
      'cookie',
    ),
    fc.constantFrom('if-none-match', 'range', 'origin', 'x-forwarded-for', 'upgrade-insecure-requests', 'x-request-id'),
    fc.stringMatching(/^x-[a-z0-9!#$%&'*+.^_`|~-]{1,20}$/),
  ),
  fc.oneof(
    fc.constantFrom(
      'application/x-ndjson',
      'application/x-ndjson;q=0',
      '*/*;q=',
      'gzip',
      'text/html',
      'bytes=0-1',
      '*',
    ),
    fc.constantFrom('application/json; charset=utf-16', 'multipart/form-data', ',,;;', 'null', 'a'.repeat(4_000)),
    fc.stringMatching(/^[\x21-\x7e\xa1-\xff]{0,40}$/),
  ),
  { maxKeys: 4 },
);
const query = fc.oneof(
  fc.constantFrom('', '?', '?email=x', '?email=', '?emails=a&emails=b', '?%', '?%ff=%00', '?__proto__=1'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `?email=${encodeURIComponent(text.toWellFormed())}`),
);
const otherMethod = fc.constantFrom('GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'PURGE');
const method = fc.oneof({ weight: 2, arbitrary: fc.constant('POST') }, { weight: 1, arbitrary: otherMethod });
const strangePath = fc.constantFrom(
  '/',
  '/api/v1/verify/',
  '/api/v1//verify',
  '/api/v1/verify%00',
  '/api/v1/Verify',
  '/api/v1/verify;x=1',
  '/api/v1/%ff',
  '/api/v1/openapi.json/',
  '/api/v1/__proto__',
  `/${'a'.repeat(3_000)}`,
);

/** Requests to the operations of a document. Fewer than one in ten goes without a key. */
export function requests(document: Documented): fc.Arbitrary<Request> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { requestBody, parameters }]) => ({
      path,
      method: name.toUpperCase(),
      hasBody: requestBody !== undefined,
      hasQuery: parameters.some((one) => one.in === 'query'),
    })),
  );
  // Most there is to get wrong if there is a body.
  const operation = fc.oneof(
    ...operations.map((one) => ({ weight: one.hasBody ? 8 : 1, arbitrary: fc.constant(one) })),
  );
  const keyed = fc.integer({ min: 0, max: 11 }).map((n) => n > 0);
  const accept = fc.constantFrom({}, { accept: 'application/json' }, { accept: 'application/x-ndjson' });
  const json = { 'content-type': 'application/json' };
  const wellFormed = fc.tuple(operation, wellFormedBody, accept, address).map(([one, body, wants, email]): Request => ({
    kind: 'well-formed',
    method: one.method,
    path: one.path,
    query: one.hasQuery ? `?email=${encodeURIComponent(email)}` : '',
    headers: { ...wants, ...(one.hasBody ? json : {}) },
    body: one.hasBody ? body : null,
    keyed: true,
  }));
  const broken = fc.tuple(operation, brokenBody, query, keyed).map(([one, body, search, withKey]): Request => ({
    kind: 'broken',
    method: one.method,
    path: one.path,
    query: search,
    headers: json,
    body: one.hasBody ? body : null,
    keyed: withKey,
  }));
  const anyPath = fc.oneof(
    { weight: 4, arbitrary: operation.map(({ path }) => path) },
    { weight: 1, arbitrary: strangePath },
  );
  const hostile = fc
    .tuple(method, anyPath, query, headers, fc.oneof(brokenBody, wellFormedBody), keyed)
    .map(([name, path, search, sent, body, withKey]): Request => ({
      kind: 'hostile',
      method: name,
      path,
      query: search,
      headers: sent,
      body: name === 'GET' || name === 'HEAD' ? null : body,
      keyed: withKey,
    }));
  return fc.oneof(wellFormed, broken, hostile);
}
