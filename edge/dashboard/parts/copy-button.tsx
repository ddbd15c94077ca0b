import { useState } from 'preact/hooks';

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, words = 'Copy' }: { readonly text: string; readonly words?: string }) {
  const [state, setState] = useState<'ready' | 'done' | 'failed'>('ready');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState('done');
    } catch {
      setState('failed');
    }
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <span role="status">
        {state === 'ready' ? words : state === 'done' ? 'Copied' : 'Select it and copy by hand'}
      </span>
    </button>
  );
}
