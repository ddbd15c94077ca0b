import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Given, oneFile } from './one-file.ts';

type Props = {
  readonly title: string;
  readonly hint: ComponentChildren;
  /** Types of files that the browser offers first. */
  readonly accept?: string;
  readonly onFile: (file: File) => void;
  /** Hears why what was given is not one file. */
  readonly onRefused: (why: string) => void;
  readonly children?: ComponentChildren;
};

/** A place where one file is dropped or chosen. */
export function Drop({ title, hint, accept, onFile, onRefused, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  const take = (given: Given): void => {
    const file = oneFile(given);
    if (typeof file === 'string') onRefused(file);
    else onFile(file);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        if (event.dataTransfer !== null) take(event.dataTransfer);
      }}
    >
      <label class="drop-label">
        <span class="drop-title">{title}</span>
        <span class="soft wrap">{hint}</span>
        <input
          type="file"
          accept={accept}
          onChange={({ currentTarget }) => {
            const { files } = currentTarget;
            if (files !== null && files.length > 0) take({ files });
            currentTarget.value = '';
          }}
        />
      </label>
      {children}
    </div>
  );
}
