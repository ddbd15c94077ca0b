import { BUCKETS, featuresOf } from '../../prober/engine/meaning/model/features.ts';
import { CLASSES, type Class, type Weights } from '../../prober/engine/meaning/model/model.ts';

export type Example = { readonly gist: string; readonly is: Class };

const ROUNDS = 40;
const RATE = 0.8;
const DECAY = 2e-4;

/**
 * Multinomial logistic regression over the hashed n-grams, by AdaGrad in a fixed order: the same examples give the same
 * weights to the last bit. Rare classes weigh more.
 */
export function train(examples: readonly Example[]): Omit<Weights, 'figures'> {
  const rows = examples.map(({ gist, is }) => ({ columns: [...featuresOf(gist)], row: CLASSES.indexOf(is) }));
  const counts = CLASSES.map((_, row) => rows.filter((one) => one.row === row).length);
  const share = counts.map((count) => Math.sqrt(rows.length / (CLASSES.length * Math.max(1, count))));
  const weights = new Float64Array(BUCKETS * CLASSES.length);
  const squares = new Float64Array(weights.length).fill(1e-4);
  const bias = new Float64Array(CLASSES.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let step = 0; step < rows.length; step += 1) {
      const one = rows[(step * 7_919 + round * 31) % rows.length];
      if (one !== undefined) learn(one.columns, one.row, share[one.row] ?? 1);
    }
  }
  return quantise(weights, bias);

  function learn(columns: readonly number[], is: number, weight: number): void {
    const value = 1 / Math.sqrt(columns.length);
    const scores = CLASSES.map((_, row) => {
      let sum = bias[row] ?? 0;
      for (const column of columns) sum += (weights[row * BUCKETS + column] ?? 0) * value;
      return sum;
    });
    const highest = Math.max(...scores);
    const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0);
    for (const [row, score] of scores.entries()) {
      const miss = (Math.exp(score - highest) / total - (row === is ? 1 : 0)) * weight;
      bias[row] = (bias[row] ?? 0) - 0.02 * miss;
      for (const column of columns) {
        const at = row * BUCKETS + column;
        const slope = miss * value + DECAY * (weights[at] ?? 0);
        squares[at] = (squares[at] ?? 0) + slope * slope;
        weights[at] = (weights[at] ?? 0) - (RATE * slope) / Math.sqrt(squares[at]);
      }
    }
  }
}

/** Weights as signed bytes of one scale. */
function quantise(weights: Float64Array, bias: Float64Array): Omit<Weights, 'figures'> {
  const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 1e-6);
  const scale = largest / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  return {
    version: 1,
    buckets: BUCKETS,
    classes: [...CLASSES],
    scale,
    bias: [...bias].map((one) => Math.round(one * 1e6) / 1e6),
    weights: Buffer.from(bytes.buffer).toString('base64'),
  };
}
