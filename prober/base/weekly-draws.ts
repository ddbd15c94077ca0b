import { createHash, createHmac } from 'node:crypto';
import type { JobClaims } from '../../schema/link.ts';
import { WEEK_S } from '../../schema/week.ts';
import type { DrawsFor } from '../engine/ports/ports.ts';

/** A moment, in seconds since 1970, and the seeds of its week and of the one before. */
export type Week = { readonly nowS: number; readonly seeds: JobClaims['seeds'] };

/** The same for a domain all week, which begins at a moment of its own; known only with the week's seed. */
export function weeklyDraws({ nowS, seeds: [current, before] }: Week): DrawsFor {
  const passed = (nowS % WEEK_S) / WEEK_S;
  return (domain, what) => {
    const beginsAt = createHash('sha256').update(domain).digest().readUInt32BE() / 2 ** 32;
    const bytes = createHmac('sha256', passed < beginsAt ? before : current)
      .update(`${what} ${domain}`)
      .digest();
    let n = 0;
    return () => bytes.readUInt8(n++ % bytes.length) / 256;
  };
}
