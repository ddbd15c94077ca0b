import { CompactSign, importJWK } from 'jose';
import type { JobClaims } from '../../schema/link.ts';
import { JOB_TOKEN_TYPE } from '../../schema/link.ts';
import { readSigningKeys } from './edge-keys.ts';
import type { SignedJob } from './world.ts';

const ALGORITHM = 'EdDSA';
const utf8 = new TextEncoder();

/**
 * Makes the signer of jobs.
 * @param secret EDGE_SIGNING_KEY; its first key signs
 * @returns a function from a job and the time (milliseconds since 1970) to the compact JWS (RFC 7515) of its claims
 * @throws Error that names the secret where it holds no key
 */
export function createJobSigner(secret: string): (job: SignedJob, now: number) => Promise<string> {
  const [jwk] = readSigningKeys(secret);
  const key = importJWK({ ...jwk }, ALGORITHM);
  // A broken key shows at every use; nobody may be waiting for it now.
  key.catch(() => {});
  return async ({ jobId, to, remainingMs, payload }, now) => {
    const claims: JobClaims = {
      job: jobId,
      host: to.host,
      instance: to.instance,
      iat: Math.floor(now / 1000),
      remainingMs,
      payload: base64url(await crypto.subtle.digest('SHA-256', utf8.encode(payload))),
    };
    return new CompactSign(utf8.encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: ALGORITHM, typ: JOB_TOKEN_TYPE, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) })
      .sign(await key);
  };
}

function base64url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
