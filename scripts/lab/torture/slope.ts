// Whether a figure grows: a line through its samples, and how sure that line is.

export type Point = { readonly s: number; readonly value: number };

export type Slope = {
  /** Per hour. */
  readonly perHour: number;
  /** Standard error of it. */
  readonly error: number;
  readonly mean: number;
  /** It grows, beyond what its own scatter explains, and by more than a trifle. */
  readonly grows: boolean;
};

/** Standard errors above zero: of figures that stand still, one in 700 is called growing. */
const SURE = 3;
/** A rise over the samples of less than this share of the mean is a trifle. */
const TRIFLE = 0.02;

/** The least-squares line through at least three points. */
export function slopeOf(points: readonly Point[]): Slope {
  const n = points.length;
  if (n < 3) throw new Error('a slope needs three points');
  const mean = points.reduce((sum, { value }) => sum + value, 0) / n;
  const middle = points.reduce((sum, { s }) => sum + s, 0) / n;
  const spread = points.reduce((sum, { s }) => sum + (s - middle) ** 2, 0);
  const slope = points.reduce((sum, { s, value }) => sum + (s - middle) * (value - mean), 0) / spread;
  const scatter = points.reduce((sum, { s, value }) => sum + (value - mean - slope * (s - middle)) ** 2, 0);
  const error = Math.sqrt(scatter / (n - 2) / spread);
  const length = Math.max(...points.map(({ s }) => s)) - Math.min(...points.map(({ s }) => s));
  const grows = slope - SURE * error > 0 && slope * length > TRIFLE * Math.abs(mean);
  return { perHour: slope * 3_600, error: error * 3_600, mean, grows };
}
