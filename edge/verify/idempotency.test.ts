import { describe, expect, it } from 'vitest';
import { RequestError } from '../../schema/errors.ts';
import { identify, readIdempotencyKey, refuseAttempt } from './idempotency.ts';

const SECRETS = { KEY_SECRETS: ['n'.repeat(32), 'o'.repeat(32)] };
const body = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an Idempotency-Key', () => {
  it.each([
    ['a', 'a'],
    ['"a"', 'a'],
    ['run 7, request 12', 'run 7, request 12'],
    ['"run 7, request 12"', 'run 7, request 12'],
    ['a"b\\c', 'a"b\\c'],
    [String.raw`"a\"b\\c"`, 'a"b\\c'],
    ['~'.repeat(255), '~'.repeat(255)],
    [`"${'~'.repeat(255)}"`, '~'.repeat(255)],
  ])('%s is read as %s', (header, key) => expect(readIdempotencyKey(header)).toBe(key));

  it('is null if there is no header', () => expect(readIdempotencyKey(null)).toBeNull());

  it.each([
    ['nothing', ''],
    ['an empty string', '""'],
    ['256 characters', 'a'.repeat(256)],
    ['256 quoted ones', `"${'a'.repeat(256)}"`],
    ['an open quote', '"a'],
    ['two strings', '"a", "a"'],
    ['parameters', '"a";b=1'],
    ['a wrong escape', String.raw`"\a"`],
    ['a control character', 'a\tb'],
    ['one beyond ASCII', 'schl\u00fcssel'],
    ['the same, quoted', '"schl\u00fcssel"'],
  ])('with %s is rejected', (_, header) => {
    expect(() => readIdempotencyKey(header)).toThrow(RequestError);
    expect(() => readIdempotencyKey(header)).toThrow(/1 to 255 printable/);
  });
});

const listOf = async (key: string) => (await known(key))?.list;
const known = (key: string, text = '{"emails":["a@b.test"]}', secrets = SECRETS) => identify(key, body(text), secrets);

describe('the identity of a request', () => {
  it('is the same for the same key and body, whether the key is quoted or not', async () => {
    expect(await known('"k"')).toEqual(await known('k'));
    expect((await known('k'))?.keyHash).toHaveLength(22);
  });

  it('differs by key and by body, and does not show that two keys have equal bodies', async () => {
    const [one, other, changed] = [await known('k'), await known('l'), await known('k', '{"emails":["a@c.test"]}')];
    expect(other?.keyHash).not.toBe(one?.keyHash);
    expect(other?.bodyHash).not.toBe(one?.bodyHash);
    expect(changed).toMatchObject({ keyHash: one?.keyHash, bodyHash: expect.not.stringMatching(`^${one?.bodyHash}$`) });
  });

  it('puts keys that differ only in their final number on the same list', async () => {
    const one = await listOf('list-7f3a/1');
    expect(one).toMatch(/^[\w-]{8}$/);
    expect(await listOf('list-7f3a/120')).toBe(one);
    expect(await listOf('"list-7f3a/2"')).toBe(one);
    for (const other of ['list-7f3b/1', 'list-7f3a-1', 'list-7f3a/1/1']) expect(await listOf(other)).not.toBe(one);
    for (const none of ['12', 'list-7f3a/', 'sign-up of ann']) expect(await listOf(none)).toBeNull();
  });

  it('stays the same when a new secret is put first', async () => {
    const rotated = { KEY_SECRETS: ['m'.repeat(32), ...SECRETS.KEY_SECRETS] };
    expect(await known('k', undefined, rotated)).toEqual(await known('k'));
    expect(await known('k', undefined, { KEY_SECRETS: ['m'.repeat(32)] })).not.toEqual(await known('k'));
  });
});

describe('a request whose key is in use', () => {
  const owner = { accountId: 'a', accountClass: 'free' } as const;
  it.each([
    [0, '1'],
    [1_900, '1'],
    [9_000, '5'],
    [200_000, '30'],
  ])('in use for %i ms is told to retry in %s s', (ageMs, retryAfter) => {
    const { failure, headers } = refuseAttempt({ kind: 'in_progress', ...owner, ageMs });
    expect([failure, headers]).toEqual(['IDEMPOTENCY_IN_PROGRESS', { 'retry-after': retryAfter }]);
  });
});
