import { decodeJwt } from 'jose';
import { hostIdSchema } from '../../../schema/enrolment.ts';
import { TOKEN_MAX_AGE_S } from '../../../schema/link.ts';
import type { HostState } from '../../../schema/words/stored.ts';
import { CLOCK_TOLERANCE_S } from './host-token.ts';
import { REFUSED, type Refusal } from './refused-links.ts';

/**
 * Why a host that dialled in was refused, as the operator reads it in `host list` and in the log. Pure; it decides
 * nothing.
 * @param header the Authorization header that was refused
 * @param origin scheme, name and port of the deployment
 * @param stateOf the record of an enrolled host; null if no host has this name
 * @returns `host` null if no enrolled host is named, so that nothing a stranger made up is repeated
 */
export function explainRefusal(
  header: string | null,
  origin: string,
  nowMs: number,
  stateOf: (host: string) => HostState | null,
): Refusal {
  const claims = claimsOf(header);
  const named = hostIdSchema.safeParse(claims?.iss);
  const host = named.success ? named.data : null;
  const state = host === null ? null : stateOf(host);
  if (host === null || state === null) return { host: null, why: REFUSED.stranger };
  if (state === 'removed') return { host, why: REFUSED.removed };
  if (claims?.aud !== origin) return { host, why: REFUSED.origin };
  const aheadS = clockOffS(header, nowMs);
  if (aheadS !== null) return { host, why: `its clock is ${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead' : 'behind'}` };
  return { host, why: REFUSED.key };
}

/** How many seconds the clock that made this token is ahead, if that is why it is refused; else null. */
export function clockOffS(header: string | null, nowMs: number): number | null {
  const aheadS = Math.round(Number(claimsOf(header)?.iat) - nowMs / 1000);
  return aheadS > CLOCK_TOLERANCE_S || -aheadS > TOKEN_MAX_AGE_S ? aheadS : null;
}

function claimsOf(header: string | null): ReturnType<typeof decodeJwt> | null {
  try {
    return decodeJwt(header?.replace(/^Bearer /i, '') ?? '');
  } catch {
    return null;
  }
}
