import { UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newOperator, type Operator, operatorKeys, token } from '../testing/operator.ts';
import { operatorKeysSchema } from '../../schema/admin.ts';
import { proveOperator } from './prove.ts';

const ORIGIN = 'https://verify.example.com';
const REQUEST = { origin: ORIGIN, method: 'GET', path: '/admin/v1/hosts' };
const NOT_SIGNED = 'The token is not signed by an operator of this deployment.';

const keysOf = (secret: string) => operatorKeysSchema.parse(JSON.parse(secret));

let ann: Operator;
let bob: Operator;
let keys: ReturnType<typeof keysOf>;
beforeAll(async () => {
  ann = newOperator('ann');
  bob = newOperator('bob');
  keys = keysOf(operatorKeys(ann, bob));
});

const now = () => Math.floor(Date.now() / 1000);
const prove = (header: string | null) => proveOperator(header, keys, ORIGIN, now() * 1000);

describe('proveOperator', () => {
  test.each(['Ed25519', 'EdDSA'])('accepts a token with the algorithm %s', async (alg) => {
    const jti = 'a-token-of-this-test';
    const proof = await prove(`Bearer ${await token(ann, REQUEST, { alg, claims: { jti } })}`);
    expect(proof).toMatchObject({ kind: 'proven', operator: 'ann', tokenId: jti });
  });

  test('accepts the scheme in any case and a token at the end of its minute', async () => {
    const claims = { iat: now() - 59, exp: now() + 1 };
    expect(await prove(`bearer  ${await token(ann, REQUEST, { claims })}`)).toMatchObject({ kind: 'proven' });
  });

  test.each<[string, string | null, string]>([
    ['no header', null, 'This call needs an operator token: Authorization: Bearer <JWT>.'],
    ['an empty header', '', 'The Authorization header must be "Bearer" and a signed JWT.'],
    ['another scheme', 'Basic YTpi', 'The Authorization header must be "Bearer" and a signed JWT.'],
    ['an API key', 'Bearer svc_live_abc', 'The Authorization header must be "Bearer" and a signed JWT.'],
    ['two headers', 'Bearer a.b.c, Bearer a.b.c', 'The Authorization header must be "Bearer" and a signed JWT.'],
    [
      'an endless token',
      `Bearer ${'a'.repeat(5000)}.b.c`,
      'The Authorization header must be "Bearer" and a signed JWT.',
    ],
    ['three words', 'Bearer a.b.c', NOT_SIGNED],
    ['a payload that is not JSON', 'Bearer eyJhbGciOiJFZERTQSJ9.bm8.c2ln', NOT_SIGNED],
  ])('rejects %s', async (_what, header, why) => {
    expect(await prove(header)).toEqual({ kind: 'refused', why });
  });

  test('rejects a token without a signature', async () => {
    const unsigned = new UnsecuredJWT({}).setIssuer('ann').setSubject('ann').setAudience(ORIGIN).encode();
    expect(await prove(`Bearer ${unsigned}c2ln`)).toEqual({ kind: 'refused', why: NOT_SIGNED });
  });

  test('rejects an unknown operator, a withdrawn one and a forged name in the same words', async () => {
    const eve = newOperator('eve');
    const asAnn: Operator = { name: 'ann', privateKey: bob.privateKey };
    const withdrawn = keysOf(operatorKeys(bob));
    const answers = [
      await prove(`Bearer ${await token(eve, REQUEST)}`),
      await prove(`Bearer ${await token(asAnn, REQUEST)}`),
      await proveOperator(`Bearer ${await token(ann, REQUEST)}`, withdrawn, ORIGIN, Date.now()),
    ];
    for (const answer of answers) expect(answer).toEqual({ kind: 'refused', why: NOT_SIGNED });
  });

  test('rejects a payload changed after signing', async () => {
    const [head, , signature] = (await token(ann, REQUEST)).split('.');
    const [, payload] = (await token(ann, REQUEST, { claims: { exp: now() + 59 } })).split('.');
    expect(await prove(`Bearer ${head}.${payload}.${signature}`)).toEqual({ kind: 'refused', why: NOT_SIGNED });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['another deployment', { aud: 'https://staging.example.com' }, /another deployment than https:\/\/verify/],
    ['two audiences', { aud: [ORIGIN, 'https://x.example'] }, /malformed: aud/],
    ['another subject', { sub: 'bob' }, /two operators/],
    ['a long life', { iat: now(), exp: now() + 61 }, /at most 60 s/],
    ['no life', { iat: now(), exp: now() }, /more than 0 s and at most 60 s/],
    ['an expired life', { iat: now() - 40, exp: now() - 10 }, /expired \(made 4\d s ago\)/],
    ['an issue time too long ago', { iat: now() - 70, exp: now() - 10 }, /expired \(made 7\d s ago\)/],
    ['an issue time in the future', { iat: now() + 30, exp: now() + 60 }, /in the future: set this machine's clock/],
    ['no jti', { jti: undefined }, /malformed: jti/],
    ['a short jti', { jti: 'short' }, /malformed: jti/],
    ['no digest', { req: undefined }, /malformed: req/],
    ['no times', { iat: undefined, exp: undefined }, /malformed: iat, exp/],
    ['a time in text', { iat: '1' }, /malformed: iat/],
  ])('rejects a token with %s', async (_what, claims, why) => {
    const proof = await prove(`Bearer ${await token(ann, REQUEST, { claims })}`);
    expect(proof).toMatchObject({ kind: 'refused', why: expect.stringMatching(why) });
  });
});

describe('to the exact second', () => {
  const at = now();
  test.each<[string, Record<string, unknown>, 'proven' | 'refused']>([
    ['from five seconds ahead', { iat: at + 5, exp: at + 65 }, 'proven'],
    ['from six seconds ahead', { iat: at + 6, exp: at + 66 }, 'refused'],
    ['in its last second', { iat: at - 59, exp: at + 1 }, 'proven'],
    ['that has just ended', { iat: at - 30, exp: at }, 'refused'],
    ['that lives a minute', { iat: at, exp: at + 60 }, 'proven'],
    ['that lives a second more', { iat: at, exp: at + 61 }, 'refused'],
    ['that lives a second', { iat: at, exp: at + 1 }, 'proven'],
  ])('a token %s is %s', async (_what, claims, kind) => {
    const header = `Bearer ${await token(ann, REQUEST, { claims })}`;
    expect(await proveOperator(header, keys, ORIGIN, at * 1000)).toMatchObject({ kind });
  });
});
