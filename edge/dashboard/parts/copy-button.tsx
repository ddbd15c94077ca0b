import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

type Props = {
  /** Or a function that makes it when it is wanted. */
  readonly text: string | (() => Promise<string>);
  readonly words?: string;
};

/** Copies a text to the clipboard, and says so until the text changes. */
export function CopyButton({ text, words = 'Copy' }: Props) {
  const [last, setLast] = useState({ text: '', told: '' });
  const name = typeof text === 'string' ? text : '';
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setLast({ text: name, told: 'Copied' });
    } catch {
      setLast({ text: name, told: 'Select it and copy by hand' });
    }
  };
  const told = last.text === name ? last.told : '';
  return (
    <>
      <Button kind="quiet" words={told === '' ? words : told} onPress={() => copy()} />
      {/* Beside the button: a name that changes is not read out. */}
      <span class="hidden" role="status">
        {told}
      </span>
    </>
  );
}
