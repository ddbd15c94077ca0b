import { randomUUID } from 'node:crypto';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { type PrivateJwk, publicHalf } from '../../schema/jwk.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { requestDigest } from '../admin/request-digest.ts';

// Operators and their tokens, valid and invalid.

export type Operator = { readonly name: string; readonly privateKey: PrivateJwk };

export function newOperator(name: string): Operator {
  return { name, privateKey: makeKey() };
}

/** The value of OPERATOR_KEYS for these operators. */
export function operatorKeys(...operators: readonly Operator[]): string {
  return JSON.stringify(Object.fromEntries(operators.map(({ name, privateKey }) => [name, publicHalf(privateKey)])));
}

/** A valid token, except for what `change` replaces (undefined removes a claim). */
export async function token(
  operator: Operator,
  request: { readonly origin: string; readonly method: string; readonly path: string; readonly body?: string },
  change: { readonly claims?: JWTPayload; readonly alg?: string } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const { method, path, body = '' } = request;
  const claims: JWTPayload = {
    iss: operator.name,
    sub: operator.name,
    aud: request.origin,
    iat: now,
    exp: now + 30,
    jti: randomUUID(),
    req: await requestDigest(method, path, new TextEncoder().encode(body)),
    ...change.claims,
  };
  const alg = change.alg ?? 'Ed25519';
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(await importJWK(operator.privateKey, alg));
}
