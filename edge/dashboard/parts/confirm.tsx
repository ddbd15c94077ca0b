import { type ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
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

/** Asks before something that cannot be undone. */
export function Confirm({ title, verb, work, close: onClose, children }: Props) {
  const { isBusy, trouble, run } = useAction(work);
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          {children}
          {trouble.value !== null && <TroubleNotice trouble={trouble.value} />}
          <div class="row end">
            <button type="button" class="quiet" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              class="danger"
              aria-disabled={isBusy.value}
              onClick={() => void run().then((isDone) => isDone && close())}
            >
              {verb}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
