import { CopyButton } from './copy-button.tsx';

type Props = { readonly label: string; readonly words: string; readonly text: string };

/** Code to copy: what it is, and a button for it. */
export function Code({ label, words, text }: Props) {
  return (
    <>
      <div class="row">
        <span class="soft file-name">{label}</span>
        <CopyButton text={text} words={words} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </>
  );
}
