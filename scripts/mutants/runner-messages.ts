import * as z from 'zod';

// What the command and the process that runs its tests say to each other.

/** Run these tests, in files of the copy, after `changed` was written there. */
export const requestSchema = z.object({ tests: z.array(z.string()), changed: z.string().nullable() });
export type Request = z.infer<typeof requestSchema>;

export const answerSchema = z.discriminatedUnion('kind', [
  /** The files that hold tests. */
  z.object({ kind: z.literal('ready'), tests: z.array(z.string()) }),
  /** The first test that failed; null if all passed. */
  z.object({ kind: z.literal('ran'), failed: z.string().nullable() }),
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
