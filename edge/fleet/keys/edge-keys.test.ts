import { beforeAll, describe, expect, test } from 'vitest';
import { type PrivateJwk, publicHalf } from '../../../schema/jwk.ts';
import { makeKey } from '../../../schema/testing/make-key.ts';
import { publicSigningKeys, readSigningKeys } from './edge-keys.ts';

let first: PrivateJwk;
let second: PrivateJwk;
beforeAll(async () => {
  first = makeKey();
  second = makeKey();
});

describe('EDGE_SIGNING_KEY', () => {
  test('is one key, or a list of which the first signs', () => {
    expect(readSigningKeys(JSON.stringify(first))).toEqual([first]);
    expect(readSigningKeys(JSON.stringify([second, first]))).toEqual([second, first]);
  });

  test('publishes only public halves', () => {
    const shown = publicSigningKeys(JSON.stringify([first, { ...second, kid: 'two', key_ops: ['sign'] }]));
    expect(shown).toEqual([publicHalf(first), { ...publicHalf(second), kid: 'two' }]);
    expect(JSON.stringify(shown)).not.toContain(first.d);
  });

  test.each([
    ['empty', () => ''],
    ['not JSON', () => 'secret'],
    ['an empty list', () => '[]'],
    ['a public key', () => JSON.stringify(publicHalf(first))],
    ['a key of 31 bytes', () => JSON.stringify({ ...first, d: first.d.slice(1) })],
    ['one bad key among good ones', () => JSON.stringify([first, {}])],
  ])('is rejected by name, without being quoted, if it is %s', (_what, secret) => {
    expect(() => readSigningKeys(secret())).toThrow(
      'EDGE_SIGNING_KEY is neither a private Ed25519 JWK nor a list of them',
    );
  });
});
