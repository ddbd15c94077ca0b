import { array, assert, nat, pre, property, tuple, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Authenticator } from '../testing/authenticator.ts';
import { authenticationSchema, challengeOf, evenSignature, proveAuthentication } from './webauthn.ts';

const ORIGIN = 'https://verify.test';

/** A DER INTEGER of these bytes, in its shortest form. */
function integer(bytes: readonly number[]): readonly number[] {
  let digits = [...bytes];
  while (digits.length > 1 && digits[0] === 0 && (digits[1] ?? 0) < 128) digits = digits.slice(1);
  return (digits[0] ?? 0) > 127 ? [2, digits.length + 1, 0, ...digits] : [2, digits.length, ...digits];
}

const someNumber = array(nat(255), { minLength: 32, maxLength: 32 });

const text = (value: string): string => Buffer.from(value).toString('base64url');

describe('a signature made even', () => {
  it('has the same two numbers, of 33 bytes each, however short they were', () => {
    const leading = tuple(nat(4), someNumber).map(([zeros, bytes]) => bytes.map((byte, i) => (i < zeros ? 0 : byte)));
    assert(
      property(leading, leading, (r, s) => {
        const body = [...integer(r), ...integer(s)];
        const even = Buffer.from(
          evenSignature(Buffer.from([0x30, body.length, ...body]).toString('base64url')),
          'base64url',
        );
        expect([...even]).toEqual([0x30, 70, 2, 33, 0, ...r, 2, 33, 0, ...s]);
      }),
    );
  });

  it('is refused if it is not such a signature to begin with', () => {
    assert(
      property(uint8Array({ minLength: 1, maxLength: 80 }), (bytes) => {
        pre(bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2);
        expect(() => evenSignature(Buffer.from(bytes).toString('base64url'))).toThrow();
      }),
    );
    const long = [2, 33, 1, ...Array.from({ length: 32 }, () => 7)];
    const short = [2, 1, 7];
    for (const body of [[...long, ...short], [...short, ...short, 0], short, [2, 0, ...short], [2, 40, 7]])
      expect(() => evenSignature(Buffer.from([0x30, body.length, ...body]).toString('base64url'))).toThrow();
  });

  it('lets every signature of a passkey be proven, also those that begin with a zero byte', async () => {
    const authenticator = new Authenticator(ORIGIN, 0);
    const challenge = 'A'.repeat(44);
    const { response } = Object(authenticator.register(challenge));
    const credential = {
      id: authenticator.id,
      email: '',
      publicKey: response.publicKey,
      algorithm: 'ES256',
      counter: 0,
    } as const;
    // One signature in 128 has such a number.
    let short = 0;
    while (short < 3) {
      const authentication = authenticationSchema.parse(authenticator.authenticate(challenge));
      if (Buffer.from(authentication.response.signature, 'base64url').length < 70) short += 1;
      expect(await proveAuthentication(authentication, credential, { challenge, origin: ORIGIN })).toBe(0);
    }
  });
});

describe('the challenge of what a passkey signed', () => {
  it('is read from it, and nothing that cannot be read has one', () => {
    expect(challengeOf(text('{"challenge":"abc"}'))).toBe('abc');
    for (const data of ['!', text('no JSON'), text('{}'), text('{"challenge":7}'), text('null')])
      expect(challengeOf(data)).toBeNull();
  });
});
