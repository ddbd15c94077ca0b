import { useState } from 'preact/hooks';
import { type Action, useAction } from './action.ts';
import { type Load, useResource } from '../session/load.ts';

/** What is read page by page. */
export type Pages<Page> = {
  /** All that was read so far, in its order. */
  readonly load: Load<readonly Page[]>;
  readonly reload: () => void;
  /** Reads the next page; null after the last. */
  readonly more: Action<[]> | null;
};

/** @param read one page: the first for null, or the one that the page before names */
export function usePages<Page extends { readonly next: string | null }>(
  read: (place: string | null) => Promise<Page>,
): Pages<Page> {
  const first = useResource(() => read(null));
  const [later, setLater] = useState<readonly Page[]>([]);
  const begun = first.load.value;
  const pages = begun.state === 'ready' ? [begun.value, ...later] : [];
  const next = pages.at(-1)?.next ?? null;
  const more = useAction(async () => {
    if (next !== null) setLater([...later, await read(next)]);
  });
  return {
    load: begun.state === 'ready' ? { state: 'ready', value: pages } : begun,
    reload: () => {
      setLater([]);
      void first.reload();
    },
    more: next === null ? null : more,
  };
}
