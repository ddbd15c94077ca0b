import * as z from 'zod';
import { parseJson } from '../../../schema/parse-json.ts';

// Replies that no rule knows, as a host serves them to its own machine: what the rules should learn next. The words are
// those of mail servers, so the code that prints them does not trust them.

export const REPLIES_PATH = '/replies';
export const REPLIES_MAX = 100;
const ANSWERS_WITHIN_MS = 5_000;

export const repliesSchema = z.object({
  replies: z
    .array(
      z.object({
        /** Code, enhanced code or `-`, and the masked words. */
        template: z
          .string()
          .max(300)
          .regex(/^[^\p{C}]*$/u),
        count: z.int().min(1),
        /** Of mail servers that said it; three mean "at least three". */
        networks: z.int().min(1),
      }),
    )
    .max(REPLIES_MAX),
});
export type Replies = z.infer<typeof repliesSchema>;

/**
 * Asks the host of this machine.
 * @param port its METRICS_PORT
 * @returns null if nothing that is a host of ours answers there
 */
export async function askReplies(port: number): Promise<Replies | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${REPLIES_PATH}`, {
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      redirect: 'error',
    });
    return readReplies(await answer.text());
  } catch {
    return null;
  }
}

/** What a host printed, null if it is something else. */
export function readReplies(text: string): Replies | null {
  const parsed = repliesSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}
