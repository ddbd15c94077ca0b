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
  const { kty, crv, x, d } = jwk;
  const key = crypto.subtle.importKey('jwk', { kty, crv, x, d }, 'Ed25519', false, ['sign']);
  // A broken key shows at every use; nobody may be waiting for it now.
  key.catch(() => {});
  const protectedHeader = { alg: ALGORITHM, typ: JOB_TOKEN_TYPE, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) };
  const header = base64url(utf8.encode(JSON.stringify(protectedHeader)));
  return async ({ jobId, to, remainingMs, account, payload }, now) => {
    const claims: JobClaims = {
      job: jobId,
      host: to.host,
      instance: to.instance,
      iat: Math.floor(now / 1000),
      remainingMs,
      account,
      payload: base64url(await crypto.subtle.digest('SHA-256', utf8.encode(payload))),
    };
    // Put together here and not by a library: every batch waits for it, and the form is two dots.
    const signed = `${header}.${base64url(utf8.encode(JSON.stringify(claims)))}`;
    return `${signed}.${base64url(await crypto.subtle.sign('Ed25519', await key, utf8.encode(signed)))}`;
  };
}

function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
