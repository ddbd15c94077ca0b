import { describe, expect, it } from 'vitest';
import { Authenticator } from '../testing/authenticator.ts';
import { authenticationSchema, challengeOf, proveAuthentication } from './webauthn.ts';

const ORIGIN = 'https://verify.test';

const text = (value: string): string => Buffer.from(value).toString('base64url');

describe('a signature of a passkey', () => {
  it('is accepted even if its numbers begin with a zero byte, and no other is', async () => {
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
      if (Buffer.from(authentication.response.signature, 'base64url').length >= 70) continue;
      short += 1;
      expect(await proveAuthentication(authentication, credential, { challenge, origin: ORIGIN })).toBe(0);
    }
    const authentication = authenticationSchema.parse(authenticator.authenticate(challenge));
    const { signature } = authentication.response;
    for (const forged of [`${signature}AAAA`, signature.slice(0, -4), 'MAYCAQcCAQc', 'AA']) {
      const other = { ...authentication, response: { ...authentication.response, signature: forged } };
      const proven = proveAuthentication(other, credential, { challenge, origin: ORIGIN });
      expect(await proven).toBeNull();
    }
  });
});

describe("the challenge in a passkey's client data", () => {
  it('is read from it, and is null if it cannot be read', () => {
    expect(challengeOf(text('{"challenge":"abc"}'))).toBe('abc');
    for (const data of ['!', text('no JSON'), text('{}'), text('{"challenge":7}'), text('null')])
      expect(challengeOf(data)).toBeNull();
  });
});
