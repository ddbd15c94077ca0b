import type { Outcome } from '../../../schema/evidence.ts';
import { rank } from '../../../schema/outcomes.ts';

/** The piece that got further; the older one where both got as far. */
export function further(older: Outcome | null, newer: Outcome | null): Outcome | null {
  if (older === null || newer === null) return older ?? newer;
  return rank(newer) > rank(older) ? newer : older;
}
