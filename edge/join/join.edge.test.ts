import { createHash, randomBytes } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PrivateJwk, publicHalf } from '../../schema/jwk.ts';
import { JOIN_TOKEN_TYPE, joinedSchema } from '../../schema/join.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { type AdminEdge, type Answered, startAdminEdge } from '../testing/admin.ts';

let edge: AdminEdge;
beforeAll(async () => {
  edge = await startAdminEdge({ FLEET_SHARDS: '2' });
});
afterAll(() => edge.stop());

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

async function invite(host: string): Promise<string> {
  const invitation = `rcpt-join-${randomBytes(32).toString('base64url')}`;
  const path = `/admin/v1/hosts/${host}/invitation`;
  expect(await edge.call('PUT', path, { hash: hashOf(invitation) })).toMatchObject({ status: 201, body: { id: host } });
  return invitation;
}

type Change = { readonly signer?: PrivateJwk; readonly aud?: string; readonly jti?: string; readonly aheadS?: number };
async function join(invitation: string, key: PrivateJwk, change: Change = {}): Promise<Answered> {
  const { signer = key, aud = edge.origin, jti = hashOf(invitation), aheadS = 0 } = change;
  const proof = await new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA', typ: JOIN_TOKEN_TYPE })
    .setAudience(aud)
    .setJti(jti)
    .setIssuedAt(Math.floor(Date.now() / 1000) + aheadS)
    .sign(await importJWK({ ...signer }, 'EdDSA'));
  return edge.send('POST', '/join', null, JSON.stringify({ invitation, publicKey: publicHalf(key), proof }));
}

async function enrolledKey(host: string): Promise<unknown> {
  const [row] = await edge.rows<{ public_key: string }>('SELECT public_key FROM hosts WHERE id = ?', host);
  return row === undefined ? null : JSON.parse(row.public_key);
}
const saying = (words: RegExp): object => ({ error: expect.stringMatching(words) });

describe('a machine with an invitation', () => {
  test('becomes a host, and is told what it must know about the edge', async () => {
    const [invitation, key] = [await invite('fra-1'), makeKey()];
    const answer = await join(invitation, key);
    expect(answer.status).toBe(201);
    expect(joinedSchema.parse(answer.body)).toEqual({ host: 'fra-1', shards: 2, edgeKeys: edge.edgeKeys });
    expect(await enrolledKey('fra-1')).toEqual(publicHalf(key));
    const stored = await edge.rows('SELECT * FROM host_invitations');
    expect(JSON.stringify(stored)).not.toContain(invitation);
  });

  test('gets the same answer again with the same key, so that a lost one costs nothing', async () => {
    const [invitation, key] = [await invite('fra-2'), makeKey()];
    const [first, again] = [await join(invitation, key), await join(invitation, key)];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  test('joins alone: of twenty at once one succeeds, and the others learn that it was used', async () => {
    const invitation = await invite('fra-3');
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(invitation, makeKey())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(
      saying(/fra-3 was used by another machine.*remove fra-3 at once.*host invite/),
    );
  });

  test('is refused after 15 minutes', async () => {
    const invitation = await invite('fra-4');
    await edge.rows(
      'UPDATE host_invitations SET expires_at = expires_at - 15 * 60000 WHERE hash = ?',
      hashOf(invitation),
    );
    expect(await join(invitation, makeKey())).toMatchObject({
      status: 409,
      body: saying(/valid for 15 minutes.*invite/),
    });
    expect(await enrolledKey('fra-4')).toBeNull();
  });

  test('for another edge, or an invented one, is told to check the URL', async () => {
    const stranger = `rcpt-join-${randomBytes(32).toString('base64url')}`;
    expect(await join(stranger, makeKey())).toMatchObject({ status: 401, body: saying(/check the URL/) });
  });

  test.each<[string, Change, RegExp]>([
    ['another key', { signer: makeKey() }, /not signed with the key that was sent/],
    [
      'another deployment',
      { aud: 'https://other.example' },
      /not signed with the key that was sent, for this invitation/,
    ],
    ['another invitation', { jti: hashOf('another') }, /not signed with the key that was sent/],
    ['a clock that is ahead', { aheadS: 300 }, /clock of this machine is (299|300) s ahead.*timedatectl/],
    ['a clock that is behind', { aheadS: -3_600 }, /clock of this machine is 360[01] s behind/],
  ])('can still use it after a proof with %s', async (_name, change, words) => {
    const invitation = await invite('fra-5');
    expect(await join(invitation, makeKey(), change)).toMatchObject({ status: 401, body: saying(words) });
    expect(await enrolledKey('fra-5')).toBeNull();
  });

  test.each([
    ['text that is not JSON', 'hello', /body|expected|Invalid/i],
    ['half an invitation', JSON.stringify({ invitation: 'rcpt-join-abc', publicKey: {}, proof: '' }), /copy it whole/],
    [
      'a private key',
      JSON.stringify({ invitation: `rcpt-join-${'a'.repeat(43)}`, publicKey: makeKey(), proof: '' }),
      /d/,
    ],
  ])('is told what is wrong with %s', async (_name, body, words) => {
    expect(await edge.send('POST', '/join', null, body)).toMatchObject({ status: 400, body: saying(words) });
  });

  test('gets neither a name in use nor one that was enrolled meanwhile', async () => {
    const invitation = await invite('fra-6');
    await edge.call('PUT', '/admin/v1/hosts/fra-6', { publicKey: publicHalf(makeKey()) });
    expect(await join(invitation, makeKey())).toMatchObject({ status: 409, body: saying(/has been enrolled since/) });
    const again = await edge.call('PUT', '/admin/v1/hosts/fra-6/invitation', { hash: hashOf('x') });
    expect(again).toMatchObject({ status: 409, body: saying(/is already enrolled: remove it first/) });
  });

  test('may take the name of a removed host with a new key, and is let in at once', async () => {
    const old = makeKey();
    await edge.call('PUT', '/admin/v1/hosts/fra-7', { publicKey: publicHalf(old) });
    await edge.call('DELETE', '/admin/v1/hosts/fra-7');
    await edge.told(0);
    const invitation = await invite('fra-7');
    expect(await join(invitation, makeKey())).toMatchObject({ status: 201 });
    expect(await edge.told(0)).toEqual(['fra-7 active']);
    const withdrawn = await invite('fra-8');
    const key = makeKey();
    await join(withdrawn, key);
    await edge.call('DELETE', '/admin/v1/hosts/fra-8');
    expect(await join(withdrawn, key)).toMatchObject({ status: 409, body: saying(/was removed after it had joined/) });
  });
});

test('an invitation needs an operator, is validated, and can be repeated', async () => {
  const path = '/admin/v1/hosts/fra-9/invitation';
  const hash = hashOf('once');
  const first = await edge.call('PUT', path, { hash });
  expect(await edge.call('PUT', path, { hash })).toMatchObject({ body: first.body });
  expect(await edge.call('PUT', '/admin/v1/hosts/fra-10/invitation', { hash })).toMatchObject({ status: 409 });
  expect(await edge.call('PUT', path, { hash: 'short' })).toMatchObject({ status: 400 });
  expect(await edge.send('PUT', path, null, '{}')).toMatchObject({ status: 401 });
});
