import type { Source } from '../../../schema/lists/reading/source.ts';

/** Where a list is being read: from its first byte to its last to see how it is written, then again for its rows. */
export type ReadAt = { readonly stage: 'reading' | 'counting'; readonly share: number };

/** @returns the list, to be read in its place, and how far it is at any time */
export function watch(source: Source): { readonly watched: Source; readonly at: () => ReadAt } {
  let at: ReadAt = { stage: 'reading', share: 0 };
  const read: Source['read'] = (from, to) => {
    const stage = from === 0 && at.share === 1 ? 'counting' : at.stage;
    at = { stage, share: Math.min(1, to / Math.max(1, source.size)) };
    return source.read(from, to);
  };
  return { watched: { ...source, read }, at: () => at };
}
