import { readFile } from 'node:fs/promises';
import * as z from 'zod';

// Mutants that live and may: each was looked at, and `judged.json` says why no test can or should catch it. They are
// found again by file and text, so that lines may move; one whose code is gone, or that a test catches now, is stale.

const FILE = new URL('./judged.json', import.meta.url);

/** By file: each reason with the mutants that it holds for, as the command prints them. */
const judgedSchema = z.record(
  z.string(),
  z.array(
    z.strictObject({
      reason: z.string().min(1),
      mutants: z.array(z.strictObject({ before: z.string(), after: z.string() })).min(1),
    }),
  ),
);

export type Judged = {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
};

export async function readJudged(): Promise<readonly Judged[]> {
  const files = judgedSchema.parse(JSON.parse(await readFile(FILE, 'utf8')));
  return Object.entries(files).flatMap(([file, groups]) =>
    groups.flatMap(({ reason, mutants }) => mutants.map((mutant) => ({ file, ...mutant, reason }))),
  );
}
