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

/**
 * The site key of the challenge that has to be solved before a link is mailed; null if none has to be, or it was.
 * @param solved what the challenge gave to the page that solved it
 */
export async function challengeFor(call: Call, solved: string | undefined): Promise<string | null> {
  const { config, env } = call;
  if (!isChallenging(config)) return null;
  if (!(await strangersHad(env.DB, Math.ceil(config.STRANGER_MAILS_PER_HOUR / 2)))) return null;
  const isSolved = solved !== undefined && (await verify(call, solved));
  return isSolved ? null : config.TURNSTILE_SITE_KEY;
}

/** If nobody can tell, it counts as solved: the total bounds the mails all the same, and the operator is told. */
async function verify(call: Call, solved: string): Promise<boolean> {
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
    return true;
  }
}
