import * as z from 'zod';

// What a host did for one job, in counts and milliseconds: it explains why a batch was slow. Words of our own and numbers
// only, never an address or a domain.

const count = z.int().min(0).max(100_000_000);
const KINDS_MAX = 60;
const byKind = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().regex(/^[a-z0-9_]{1,40}$/), value)
    .refine((record) => Object.keys(record).length <= KINDS_MAX, `has at most ${KINDS_MAX} kinds`);

/** `n` times; together they took `ms`, the longest of them `mostMs`. Work goes on side by side, so `ms` may exceed the job's own time. */
const workSchema = z.object({ n: count, ms: count, mostMs: count });
export const jobFiguresSchema = z.object({
  /** From when the host took the job to its end. */
  ms: count,
  /** What was waited for, by kind: `lookup_mx_found`, `limits`, `connect_failed`, `reply_rcpt` and so on. */
  work: byKind(workSchema),
  /** Addresses by what was learnt of them: the kind of their outcome. */
  outcomes: byKind(count),
});
export type JobFigures = Readonly<z.infer<typeof jobFiguresSchema>>;
