import { useState } from 'preact/hooks';
import { type Action, useAction } from '../parts/action.ts';
import { type Load, useResource } from '../session/load.ts';

/** What is read piece by piece, each of which names the next. */
export type Cursor<Piece> = {
  /** All that was read so far, in its order. */
  readonly load: Load<readonly Piece[]>;
  readonly reload: () => void;
  /** Reads the next piece; null after the last. */
  readonly more: Action<[]> | null;
};

/** @param read one piece: the first for null, or the one that the piece before names */
export function useCursor<Piece extends { readonly next: string | null }>(
  read: (place: string | null) => Promise<Piece>,
): Cursor<Piece> {
  const first = useResource(() => read(null));
  const [later, setLater] = useState<readonly Piece[]>([]);
  const begun = first.load.value;
  const pieces = begun.state === 'ready' ? [begun.value, ...later] : [];
  const next = pieces.at(-1)?.next ?? null;
  const more = useAction(async () => {
    if (next !== null) setLater([...later, await read(next)]);
  });
  return {
    load: begun.state === 'ready' ? { state: 'ready', value: pieces } : begun,
    reload: () => {
      setLater([]);
      void first.reload();
    },
    more: next === null ? null : more,
  };
}
