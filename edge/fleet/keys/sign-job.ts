import { base64url, CompactSign, importJWK } from 'jose';
import { JOB_TOKEN_TYPE, type JobClaims } from '../../../schema/link.ts';
import { readSigningKeys } from './edge-keys.ts';

export type SignedJob = {
  readonly jobId: string;
  readonly to: { readonly host: string; readonly instance: string };
  readonly remainingMs: number;
  /** The account's number. */
  readonly account: number;
  /** The text that is sent, to the last character. */
  readonly payload: string;
};

const ALGORITHM = 'EdDSA';
const utf8 = new TextEncoder();

/**
 * Makes the signer of jobs.
 * @param secret EDGE_SIGNING_KEY; its first key signs
 * @returns a function from a job and the time (milliseconds since 1970) to the compact JWS (RFC 7515) of its claims
 * @throws Error that names the secret if it holds no key
 */
export function createJobSigner(secret: string): (job: SignedJob, now: number) => Promise<string> {
  const [{ kty, crv, x, d, kid }] = readSigningKeys(secret);
  const key = importJWK({ kty, crv, x, d }, ALGORITHM);
  // A broken key shows at every use; nobody may be waiting for it now.
  key.catch(() => {});
  const header = { alg: ALGORITHM, typ: JOB_TOKEN_TYPE, ...(kid === undefined ? {} : { kid }) };
  return async ({ jobId, to, remainingMs, account, payload }, now) => {
    const claims: JobClaims = {
      job: jobId,
      host: to.host,
      instance: to.instance,
      iat: Math.floor(now / 1000),
      remainingMs,
      account,
      payload: base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(payload)))),
    };
    return new CompactSign(utf8.encode(JSON.stringify(claims))).setProtectedHeader(header).sign(await key);
  };
}
