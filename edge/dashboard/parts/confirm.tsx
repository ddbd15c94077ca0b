import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { TroubleNotice } from './loaded.tsx';
import { useAction } from './action.ts';

type Props = {
  readonly title: string;
  /** The word on the button that does it. */
  readonly verb: string;
  readonly work: () => Promise<void>;
  readonly close: () => void;
  readonly children: ComponentChildren;
};

/** Asks before something that cannot be undone. The native dialog keeps the focus and closes on Escape. */
export function Confirm({ title, verb, work, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { isBusy, trouble, run } = useAction(work);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (): Promise<void> => {
    if (await run()) dialog.current?.close();
  };
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={close}>
      <h2 id="confirm-title">{title}</h2>
      {children}
      {trouble.value !== null && <TroubleNotice trouble={trouble.value} />}
      <div class="row end">
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="danger" aria-disabled={isBusy.value} onClick={() => void submit()}>
          {verb}
        </button>
      </div>
    </dialog>
  );
}
