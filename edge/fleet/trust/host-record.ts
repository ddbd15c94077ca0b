import * as z from 'zod';
import { afterFailure, type Breaker, CLOSED } from './circuit-breaker.ts';
import { COMPLAINTS } from './complaints.ts';
import type { Member } from './host.ts';
import { afterCompared, type Asked, isApart, isOdd, isOut, NEW_TALLY, type Odd, type Tally } from './rules.ts';

// The record of one enrolled host, and what follows from it: pure.

export type HostRecord = {
  readonly breaker: Breaker;
  /** Why its last job failed. */
  readonly why: string;
  /** Addresses that it was given, as a decaying count. */
  readonly assigned: { readonly value: number; readonly atMs: number };
  readonly compared: Compared;
};

/** The part that outlives the object. */
export const comparedSchema = z.object({
  of: z.number(),
  odd: z.array(
    z.object({
      at: z.number(),
      account: z.number(),
      zone: z.number(),
      silentAtMs: z.number().nullable(),
      how: z.enum(['differs', 'silent', 'fails', 'busy', 'apart']),
    }),
  ),
  /** It differs too often: until an operator resumes it. */
  isOut: z.boolean(),
});
export type Compared = Tally & { readonly isOut: boolean };

export const NEW_COMPARED: Compared = { ...NEW_TALLY, isOut: false };
export const NEW_RECORD: HostRecord = {
  breaker: CLOSED,
  why: '',
  assigned: { value: 0, atMs: 0 },
  compared: NEW_COMPARED,
};

/** After this many failed jobs in a row an operator is told. */
const FAILURES_TOLD = 3;
/** The half-life of that count. */
const FADES_MS = 10_000;
/** An account that met its silence asks other hosts alone for this long: other accounts may fare better. */
const LEFT_OUT_FOR_MS = 600_000;
/** A mail server that answered a host proves that it works for this long. */
const REACHED_FOR_MS = 60_000;

export function afterAssignment(record: HostRecord, addresses: number, nowMs: number): HostRecord {
  return { ...record, assigned: { value: assignedLately(record, nowMs) + addresses, atMs: nowMs } };
}

export function assignedLately({ assigned: { value, atMs } }: HostRecord, nowMs: number): number {
  return value * 0.5 ** (Math.max(0, nowMs - atMs) / FADES_MS);
}

export function afterFailedJob(record: HostRecord, why: string, nowMs: number): HostRecord {
  return { ...record, breaker: afterFailure(record.breaker, nowMs), why };
}

export function afterComparison(record: HostRecord, how: Odd | null, asked: Asked): HostRecord {
  const tally = afterCompared(record.compared, how, asked);
  return { ...record, compared: { ...tally, isOut: record.compared.isOut || isOut(tally) } };
}

/** Whether every other host is asked first. */
export function isAvoided({ breaker, compared }: HostRecord, nowMs: number): boolean {
  return compared.isOut || nowMs < breaker.openUntilMs;
}

/** Whether it is left out, as if it were not there, for an account that met its silence, or for all. */
export function isLeftOut({ compared }: HostRecord, account: number, nowMs: number): boolean {
  return compared.odd.some(
    (one) =>
      one.silentAtMs !== null &&
      (compared.isOut || (one.account === account && nowMs < one.silentAtMs + LEFT_OUT_FOR_MS)),
  );
}

/** What fewer accounts, or hosts, have met than put a host out, in words for an operator; null: nothing. */
export function suspicion({ compared }: HostRecord): string | null {
  if (compared.odd.some(({ silentAtMs }) => silentAtMs !== null)) return COMPLAINTS.silent;
  if (isOdd(compared)) return COMPLAINTS.differs;
  return isApart(compared) ? COMPLAINTS.apart : null;
}

/** Whether to trust one of its processes where a host without a resolver or a way out would report the same. */
export function works(
  { compared }: HostRecord,
  { healthy, checked, reachedAtMs }: Pick<Member, 'healthy' | 'checked' | 'reachedAtMs'>,
  nowMs: number,
): boolean {
  // A check that passed had a canary greet it within a minute.
  return healthy && !compared.isOut && (checked || nowMs - reachedAtMs <= REACHED_FOR_MS);
}

/** Why one of its processes is not healthy, in words for an operator; null if nothing is known against it. */
export function complaint(
  record: HostRecord,
  { healthy, failing }: Pick<Member, 'healthy' | 'failing'>,
): string | null {
  const { breaker, why, compared } = record;
  if (!healthy) return COMPLAINTS.selfCheck(failing);
  if (compared.isOut) return suspicion(record) === COMPLAINTS.silent ? COMPLAINTS.silent : COMPLAINTS.differs;
  return breaker.failures >= FAILURES_TOLD ? why : null;
}
