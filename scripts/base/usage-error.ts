import type * as z from 'zod';

/** Bad input: one line that says what to do, exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/**
 * What was given, proven by a schema.
 * @param what how the operator knows it: `ACCOUNT`, `--rows`
 * @throws UsageError
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${what}: ${parsed.error.issues[0]?.message ?? 'malformed'}`);
}
