import { useState } from 'preact/hooks';

type Props = {
  /** Or what makes it, when it is wanted. */
  readonly text: string | (() => Promise<string>);
  readonly words?: string;
};

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, words = 'Copy' }: Props) {
  const [state, setState] = useState<'ready' | 'done' | 'failed'>('ready');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('done');
    } catch {
      setState('failed');
    }
  };
  const told = state === 'ready' ? '' : state === 'done' ? 'Copied' : 'Select it and copy by hand';
  return (
    <>
      <button type="button" class="quiet" onClick={() => void copy()}>
        {told === '' ? words : told}
      </button>
      {/* Beside the button: a name that changes is not read out. */}
      <span class="hidden" role="status">
        {told}
      </span>
    </>
  );
}
