import * as z from 'zod';
import { afterFailure, type Breaker, CLOSED } from './circuit-breaker.ts';
import { COMPLAINTS } from './complaints.ts';
import type { Member } from './host.ts';
import { afterCompared, isOut, NEW_TALLY, type Tally } from './rules.ts';

// What one enrolled host has shown of itself, and what follows from it: pure.

export type HostRecord = {
  readonly breaker: Breaker;
  /** What its last job failed for. */
  readonly why: string;
  /** Addresses that it was given, as they fade. */
  readonly assigned: { readonly value: number; readonly atMs: number };
  readonly compared: Compared;
};

/** What of it outlives the object. */
export const comparedSchema = z.object({
  of: z.number(),
  alone: z.array(z.object({ at: z.number(), account: z.number(), zone: z.number() })),
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

/** After this many jobs in a row that came to nothing an operator is told. */
const FAILURES_TOLD = 3;
/** Half of what was given is forgotten in this time. */
const FADES_MS = 10_000;
/** A server that talked to a host proves that it works for this long. */
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

export function afterComparison(
  record: HostRecord,
  isAlone: boolean,
  asked: { readonly account: number; readonly zone: number },
): HostRecord {
  const tally = afterCompared(record.compared, isAlone, asked);
  return { ...record, compared: { ...tally, isOut: record.compared.isOut || isOut(tally) } };
}

/** Whether every other host is asked before it. */
export function isAvoided({ breaker, compared }: HostRecord, nowMs: number): boolean {
  return compared.isOut || nowMs < breaker.openUntilMs;
}

/** Whether a process of it is believed where one without a resolver or a way out would say the same. */
export function works(
  { compared }: HostRecord,
  { healthy, checked, reachedAtMs }: Pick<Member, 'healthy' | 'checked' | 'reachedAtMs'>,
  nowMs: number,
): boolean {
  // A check that passed had a canary greet it within a minute.
  return healthy && !compared.isOut && (checked || nowMs - reachedAtMs <= REACHED_FOR_MS);
}

/** Why a process of it is not healthy, in words for an operator; null: nothing is known against it. */
export function complaint(
  { breaker, why, compared }: HostRecord,
  { healthy, failing }: Pick<Member, 'healthy' | 'failing'>,
): string | null {
  if (!healthy) return COMPLAINTS.selfCheck(failing);
  if (compared.isOut) return COMPLAINTS.differs;
  return breaker.failures >= FAILURES_TOLD ? why : null;
}
