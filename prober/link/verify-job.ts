import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { JOB_TOKEN_TYPE, jobClaimsSchema, type JobPayload, jobPayloadSchema } from '../../schema/link.ts';
import { parseJson } from '../../schema/parse-json.ts';
import type { Week } from '../base/weekly-draws.ts';
import { type Identity, provenClaims } from './identity.ts';

/** A job that this process may run. */
export type ProvenJob = {
  readonly id: string;
  readonly remainingMs: number;
  /** SHA-256 of the payload, base64url: a repeated id must come with the same one. */
  readonly payloadHash: string;
  readonly addresses: JobPayload['addresses'];
  /** The number of the account in the object that gave the job. */
  readonly account: number;
  readonly week: Week;
};

/** Verifies that the edge gave this job to this very process, just now; null: it did not. @param token compact JWS */
export async function verifyJob(
  identity: Pick<Identity, 'host' | 'instance' | 'edgeKeys'>,
  token: string,
  payload: string,
  now: number,
): Promise<ProvenJob | null> {
  const claims = await provenClaims(identity, token, { typ: JOB_TOKEN_TYPE, schema: jobClaimsSchema }, now);
  if (claims === null || claims.instance !== identity.instance) return null;
  if (createHash('sha256').update(payload).digest('base64url') !== claims.payload) return null;
  const parsed = jobPayloadSchema.safeParse(parseJson(payload));
  if (!parsed.success) return null;
  const { job: id, remainingMs, payload: payloadHash, account, iat: nowS, seeds } = claims;
  return { id, remainingMs, payloadHash, account, week: { nowS, seeds }, addresses: parsed.data.addresses };
}

/** The id that an unverified token claims to be for, to refuse it by. */
export function claimedJobId(token: string): string | null {
  try {
    const parsed = jobClaimsSchema.shape.job.safeParse(decodeJwt(token)['job']);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
