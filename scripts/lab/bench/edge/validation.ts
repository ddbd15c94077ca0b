import { validate } from '../../../../edge/verify/validate.ts';
import { median } from './compare.ts';

const ENTRIES = 500;
const RUNS = 400;
/** Before the code is compiled. */
const NOT_COUNTED = 50;

/** How long a request of 500 different addresses takes to validate, in milliseconds: the middle and the slowest in a hundred. */
export function measureValidation(): { readonly p50Ms: number; readonly p99Ms: number } {
  const emails = Array.from(
    { length: ENTRIES },
    (_, i) => `  First.Last+tag${i}@sub-${i % 97}.exämple-${i % 13}.example `,
  );
  const bytes = new TextEncoder().encode(JSON.stringify({ emails }));
  const times = Array.from({ length: NOT_COUNTED + RUNS }, () => {
    const startedAt = performance.now();
    validate(bytes, null, ENTRIES);
    return performance.now() - startedAt;
  });
  const sorted = times.slice(NOT_COUNTED).toSorted((a, b) => a - b);
  return { p50Ms: median(sorted), p99Ms: sorted[Math.floor(RUNS * 0.99)] ?? Number.NaN };
}
