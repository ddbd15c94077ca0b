import * as z from 'zod';

// What the command and the process that runs its tests say to each other.

/** Run these tests, in files of the copy, after `changed` was written there. */
export const requestSchema = z.object({ tests: z.array(z.string()), changed: z.string().nullable() });
export type Request = z.infer<typeof requestSchema>;

export const answerSchema = z.discriminatedUnion('kind', [
  /** The files that hold tests, each with its project. */
  z.object({ kind: z.literal('ready'), tests: z.array(z.object({ file: z.string(), project: z.string() })) }),
  /** The first test that failed, and its file, null for a fault outside of any; null if all passed. */
  z.object({
    kind: z.literal('ran'),
    failed: z.object({ test: z.string(), file: z.string().nullable() }).nullable(),
  }),
  z.object({ kind: z.literal('broken'), message: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
