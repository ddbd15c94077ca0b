import type { Action } from './action.ts';
import { TroubleNotice } from './loaded.tsx';

/** The button below a list that goes on; nothing below one that ends. */
export function More({ more, words }: { readonly more: Action<[]> | null; readonly words: string }) {
  if (more === null) return null;
  return (
    <>
      <button type="button" class="quiet no-print" disabled={more.isBusy.value} onClick={() => void more.run()}>
        {words}
      </button>
      {more.trouble.value !== null && <TroubleNotice trouble={more.trouble.value} />}
    </>
  );
}
