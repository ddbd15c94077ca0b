import { type ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { TroubleNotice } from './loaded.tsx';
import { useAction } from './action.ts';
import { Button } from './button.tsx';

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
  const action = useAction(work);
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          {children}
          {action.trouble.value !== null && <TroubleNotice trouble={action.trouble.value} />}
          <div class="row end">
            <Button kind="quiet" words="Cancel" onPress={close} />
            <Button
              kind="danger"
              words={verb}
              busy={action}
              onPress={() => action.run().then((isDone) => isDone && close())}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}
