import * as z from 'zod';
import { readBody, readJson } from '../access/body.ts';
import type { Call } from '../base/call.ts';
import type { Config } from '../base/config.ts';
import { describe, log } from '../base/log.ts';
import { strangersHad } from '../people/mail-limits.ts';

// Once strangers have had half of their mails for the hour, everyone who asks for one solves a challenge of Cloudflare's
// Turnstile first, so that a machine does not take the other half. Nothing here depends on the address.

const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const PATIENCE_MS = 5_000;
const ANSWER_BYTES_MAX = 16_384;
/** The longest token that Turnstile makes. */
export const CHALLENGE_LENGTH_MAX = 2_048;

const verdictSchema = z.object({ success: z.boolean() });

/** Whether pages may show a challenge. */
export function isChallenging({ TURNSTILE_SITE_KEY, TURNSTILE_SECRET }: Config): boolean {
  return TURNSTILE_SITE_KEY !== '' && TURNSTILE_SECRET !== '';
}

export type Challenge =
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'solved' }
  | { readonly kind: 'to_be_solved'; readonly siteKey: string };

/**
 * Whether a challenge has to be solved before a link is mailed. If nobody can tell that it was, none has to be: the total
 * bounds the mails all the same, and the operator is told.
 * @param solved what the challenge gave to the page that solved it
 */
export async function challengeFor(call: Call, solved: string | undefined): Promise<Challenge> {
  const { config, env } = call;
  if (!isChallenging(config)) return { kind: 'not_needed' };
  if (!(await strangersHad(env.DB, Math.ceil(config.STRANGER_MAILS_PER_HOUR / 2)))) return { kind: 'not_needed' };
  const isSolved = solved !== undefined && (await verify(call, solved));
  if (isSolved === null) return { kind: 'not_needed' };
  return isSolved ? { kind: 'solved' } : { kind: 'to_be_solved', siteKey: config.TURNSTILE_SITE_KEY };
}

/** @returns null if nobody can tell */
async function verify(call: Call, solved: string): Promise<boolean | null> {
  const { TURNSTILE_URL, TURNSTILE_SECRET: secret } = call.config;
  const remoteip = call.request.headers.get('cf-connecting-ip');
  try {
    const answer = await fetch(TURNSTILE_URL === '' ? SITEVERIFY : TURNSTILE_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, response: solved, ...(remoteip === null ? {} : { remoteip }) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return verdictSchema.parse(readJson(await readBody(answer, ANSWER_BYTES_MAX))).success;
  } catch (error) {
    log('error', 'challenge_unreachable', { requestId: call.id, ...describe(error) });
    return null;
  }
}
