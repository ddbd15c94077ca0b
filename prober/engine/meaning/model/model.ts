import { BUCKETS, featuresOf } from './features.ts';

/** What the model tells apart: refusals at RCPT, by what they are about. */
export const CLASSES = ['no_such_mailbox', 'mailbox_full', 'policy_rejected', 'unexpected'] as const;
export type Class = (typeof CLASSES)[number];

/** The likeliest class of a gist and how sure the model is of it, 0 to 1. */
export type Opinion = { readonly says: Class; readonly probability: number };

export type Model = { opinion(gist: string): Opinion };

/** One signed byte a weight, base64, class by class; multiplied by `scale`. `figures` says how it was judged. */
export type Weights = {
  readonly version: 1;
  readonly buckets: typeof BUCKETS;
  readonly classes: typeof CLASSES;
  readonly scale: number;
  readonly bias: readonly number[];
  readonly weights: string;
  readonly figures: Readonly<Record<string, number | string>>;
};

const WEIGHTS_CHARS = 4 * Math.ceil((BUCKETS * CLASSES.length) / 3);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether data is that of a model. By hand: a schema's library would be loaded for this alone. */
export function isWeights(data: unknown): data is Weights {
  if (typeof data !== 'object' || data === null) return false;
  const { version, buckets, classes, scale, bias, weights, figures }: Partial<Record<keyof Weights, unknown>> = data;
  return (
    version === 1 &&
    buckets === BUCKETS &&
    Array.isArray(classes) &&
    classes.length === CLASSES.length &&
    CLASSES.every((name, at) => classes[at] === name) &&
    isBetween(scale, Number.MIN_VALUE, 10) &&
    Array.isArray(bias) &&
    bias.length === CLASSES.length &&
    bias.every((one) => isBetween(one, -100, 100)) &&
    typeof weights === 'string' &&
    weights.length === WEIGHTS_CHARS &&
    BASE64.test(weights) &&
    typeof figures === 'object' &&
    figures !== null &&
    Object.values(figures).every((figure) => typeof figure === 'string' || Number.isFinite(figure))
  );
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

/** A model from its data, or null where the data is damaged. */
export function createModel(data: unknown): Model | null {
  if (!isWeights(data)) return null;
  const { bias, scale } = data;
  // Most processes never ask: the weights are decoded for the first who does.
  let decoded: Int8Array | null = null;
  return {
    opinion(gist) {
      const weights = (decoded ??= decode(data.weights));
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

function decode(base64: string): Int8Array {
  const bytes = atob(base64);
  const weights = new Int8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) weights[at] = bytes.charCodeAt(at);
  return weights;
}

function likeliest(scores: readonly number[]): Opinion {
  const highest = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0);
  return { says: CLASSES[scores.indexOf(highest)] ?? 'unexpected', probability: 1 / total };
}
