import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { identify, makeHostToken } from '../../prober/link/identity.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { HOST_TOKEN_TYPE } from '../../schema/link.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { type HostRow, proveHost } from '../../edge/fleet/dial-in/host-token.ts';

const ORIGIN = 'https://rcpt.example';
const NOW = 1_800_000_000_000;
const key = makeKey();
const stranger = makeKey();
const identity = identify(
  { v: 1, host: 'probe-1', origin: ORIGIN, shards: 1, privateKey: key, edgeKeys: [publicHalf(key)] },
  'instance',
  0,
);
const otherIdentity = identify(
  { v: 1, host: 'probe-1', origin: ORIGIN, shards: 1, privateKey: stranger, edgeKeys: [publicHalf(key)] },
  'instance',
  0,
);
const row = (state: HostRow['state'] = 'active'): HostRow => ({ publicKey: JSON.stringify(publicHalf(key)), state });

async function prove(token: string, found: HostRow | null = row(), now = NOW): Promise<unknown> {
  return proveHost(`Bearer ${token}`, ORIGIN, now, () => Promise.resolve(found));
}
function draft(alg = 'EdDSA', typ = HOST_TOKEN_TYPE): SignJWT {
  const iat = NOW / 1000;
  return new SignJWT()
    .setProtectedHeader({ alg, typ })
    .setIssuer('probe-1')
    .setAudience(ORIGIN)
    .setJti('a-name-of-the-token')
    .setIssuedAt(iat)
    .setExpirationTime(iat + 60);
}

const lookedUp = (): Promise<never> => Promise.reject(new Error('looked up'));

describe('proveHost', () => {
  it('knows a host by the token that it made', async () => {
    expect(await prove(await makeHostToken(identity, NOW))).toEqual({
      host: 'probe-1',
      draining: false,
    });
  });

  it('refuses a host that was removed or never was', async () => {
    const token = await makeHostToken(identity, NOW);
    expect(await prove(token, row('removed'))).toBeNull();
    expect(await prove(token, null)).toBeNull();
  });

  it.each([
    ['66 s after it was made', NOW + 66_000],
    ['66 s before it was made', NOW - 66_000],
  ])('refuses a token %s', async (_name, now) => {
    expect(await prove(await makeHostToken(identity, NOW), row(), now)).toBeNull();
  });

  it.each<[string, () => Promise<string> | string]>([
    ['signed by another key', () => makeHostToken(otherIdentity, NOW)],
    ['for several deployments', () => draft().setAudience([ORIGIN, 'https://x.example']).sign(identity.privateKey)],
    ['in the name of another host', () => draft().setIssuer('probe-2').sign(otherIdentity.privateKey)],
    ['without a name', () => draft().setIssuer('').sign(identity.privateKey)],
    [
      'without an expiry',
      () =>
        new SignJWT({ iss: 'probe-1', aud: ORIGIN, iat: NOW / 1000, jti: 'a-name-of-the-token' })
          .setProtectedHeader({ alg: 'EdDSA', typ: HOST_TOKEN_TYPE })
          .sign(identity.privateKey),
    ],
    [
      'that is old and says it is long-lived',
      () =>
        draft()
          .setIssuedAt(NOW / 1000 - 100)
          .setExpirationTime(NOW / 1000 + 9_999)
          .sign(identity.privateKey),
    ],
    [
      'without a signature',
      () => new UnsecuredJWT({ iss: 'probe-1', aud: ORIGIN, iat: NOW / 1000, exp: NOW / 1000 + 60 }).encode(),
    ],
    [
      'signed with an elliptic curve key',
      () => draft('ES256').sign(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    ],
    ['that is none', () => 'a.b.c'],
  ])('refuses a token %s', async (_name, make) => {
    expect(await prove(await make())).toBeNull();
  });

  it.each<[string, () => Promise<string> | string]>([
    ['of another type', () => draft('EdDSA', 'JWT').sign(identity.privateKey)],
    ['signed with HMAC under the public key', () => draft('HS256').sign(new TextEncoder().encode(row().publicKey))],
    ['whose signature is too short', async () => (await makeHostToken(identity, NOW)).slice(0, -4)],
    ['whose signature is too long', async () => `${await makeHostToken(identity, NOW)}AAAA`],
    ['for another deployment', () => draft().setAudience('https://other.example').sign(identity.privateKey)],
  ])('refuses a token %s without looking anyone up', async (_name, make) => {
    expect(await proveHost(`Bearer ${await make()}`, ORIGIN, NOW, lookedUp)).toBeNull();
  });
});
