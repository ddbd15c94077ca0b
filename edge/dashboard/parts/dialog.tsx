import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Props = {
  readonly title: string;
  /** It was closed, by a button of its own or by Escape. */
  readonly onClose: () => void;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A native dialog: it keeps the focus, closes on Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (dialog.current?.open === false) return dialog.current.showModal();
    // What it shows has changed: it is read out from its title on.
    heading.current?.setAttribute('tabindex', '-1');
    heading.current?.focus();
  }, [title]);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title" class="wrap" ref={heading}>
        {title}
      </h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
