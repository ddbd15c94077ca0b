import * as z from 'zod';
import { BUCKETS, featuresOf } from './features.ts';

/** What the model tells apart: refusals at RCPT, by what they are about. */
export const CLASSES = ['no_such_mailbox', 'mailbox_full', 'policy_rejected', 'unexpected'] as const;
export type Class = (typeof CLASSES)[number];

/** The likeliest class of a gist and how sure the model is of it, 0 to 1. */
export type Opinion = { readonly says: Class; readonly probability: number };

export type Model = { opinion(gist: string): Opinion };

/** One signed byte a weight, base64, class by class; multiplied by `scale`. `figures` says how it was judged. */
export const weightsSchema = z.object({
  version: z.literal(1),
  buckets: z.literal(BUCKETS),
  classes: z.tuple([
    z.literal('no_such_mailbox'),
    z.literal('mailbox_full'),
    z.literal('policy_rejected'),
    z.literal('unexpected'),
  ]),
  scale: z.number().positive().max(10),
  bias: z.array(z.number().min(-100).max(100)).length(CLASSES.length),
  weights: z.base64().length(4 * Math.ceil((BUCKETS * CLASSES.length) / 3)),
  figures: z.record(z.string(), z.union([z.number(), z.string()])),
});
export type Weights = z.infer<typeof weightsSchema>;

/** A model from its data, or null where the data is damaged. */
export function createModel(data: unknown): Model | null {
  const parsed = weightsSchema.safeParse(data);
  if (!parsed.success) return null;
  const { bias, scale } = parsed.data;
  const weights = Int8Array.from(atob(parsed.data.weights), (byte) => (byte.charCodeAt(0) << 24) >> 24);
  return {
    opinion(gist) {
      const columns = featuresOf(gist);
      const share = scale / Math.sqrt(columns.size);
      const scores = CLASSES.map((_, row) => {
        let sum = 0;
        for (const column of columns) sum += weights[row * BUCKETS + column] ?? 0;
        return (bias[row] ?? 0) + sum * share;
      });
      return likeliest(scores);
    },
  };
}

function likeliest(scores: readonly number[]): Opinion {
  const highest = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0);
  return { says: CLASSES[scores.indexOf(highest)] ?? 'unexpected', probability: 1 / total };
}
