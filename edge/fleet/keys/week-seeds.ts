import { base64url } from 'jose';
import type { JobClaims } from '../../../schema/link.ts';
import { WEEK_S } from '../../../schema/week.ts';
import { readSigningKeys } from './edge-keys.ts';

const utf8 = new TextEncoder();

/**
 * Creates the source of the seeds that jobs bring: the same in every object, and known to no receiver, which could
 * accept its made-up mailbox, or refuse nothing else.
 * @param secret EDGE_SIGNING_KEY
 * @returns a function from seconds since 1970 to the seeds of that week and of the one before
 */
export function createWeekSeeds(secret: string): (nowS: number) => Promise<JobClaims['seeds']> {
  const [{ d }] = readSigningKeys(secret);
  const seedOf = async (week: number): Promise<string> =>
    base64url.encode(
      new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(`made-up mailboxes of week ${week}: ${d}`))),
    );
  return async (nowS) => {
    const week = Math.floor(nowS / WEEK_S);
    return [await seedOf(week), await seedOf(week - 1)];
  };
}
