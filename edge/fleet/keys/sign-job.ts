import { base64url } from 'jose';
import { JOB_TOKEN_TYPE, type JobClaims } from '../../../schema/link.ts';
import { createSigner } from './sign-jws.ts';
import { createWeekSeeds } from './week-seeds.ts';

export type SignedJob = {
  readonly jobId: string;
  readonly to: { readonly host: string; readonly instance: string };
  readonly remainingMs: number;
  /** The account's number. */
  readonly account: number;
  /** The text exactly as it is sent. */
  readonly payload: string;
};

const utf8 = new TextEncoder();

/**
 * Creates the signer of jobs.
 * @param secret EDGE_SIGNING_KEY
 * @returns a function from a job and the time (milliseconds since 1970) to its token
 * @throws Error that names the secret if it holds no key
 */
export function createJobSigner(secret: string): (job: SignedJob, now: number) => Promise<string> {
  const sign = createSigner(secret, JOB_TOKEN_TYPE);
  const seedsAt = createWeekSeeds(secret);
  return async ({ jobId, to, remainingMs, account, payload }, now) => {
    const iat = Math.floor(now / 1000);
    return sign({
      job: jobId,
      host: to.host,
      instance: to.instance,
      iat,
      remainingMs,
      account,
      payload: base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(payload)))),
      seeds: await seedsAt(iat),
    } satisfies JobClaims);
  };
}
