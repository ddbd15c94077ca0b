import { type ComponentChildren } from 'preact';
import type { Action } from './action.ts';
import { TroubleNotice } from './loaded.tsx';

type Props = {
  /** What sending it does. */
  readonly action: Action<[]>;
  readonly kind?: string;
  /** Something was filled in. */
  readonly onInput?: () => void;
  readonly children: ComponentChildren;
};

/** A form that does something without leaving the page, and says below what went wrong. */
export function Form({ action, kind, onInput, children }: Props) {
  return (
    <form
      class={kind}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
      onInput={onInput}
    >
      {children}
      {action.trouble.value !== null && <TroubleNotice trouble={action.trouble.value} />}
    </form>
  );
}
