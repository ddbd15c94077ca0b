import type { Action } from './action.ts';

type Props = {
  readonly kind?: string | undefined;
  readonly words: string;
  /** Read out in place of the words, where these do not tell it from others. */
  readonly label?: string;
  readonly isOff?: boolean;
  /** What it does when it is pressed. Without this and `onPress` it sends its form. */
  readonly run?: Action<[]>;
  readonly onPress?: (() => unknown) | undefined;
  /** While this is under way pressing it does nothing. */
  readonly busy?: Pick<Action<[]>, 'isBusy'>;
};

/** A button that sets something off. */
export function Button({ kind, words, label, isOff, run, onPress = run?.run, busy = run }: Props) {
  return (
    <button
      type={onPress === undefined ? 'submit' : 'button'}
      class={kind}
      aria-label={label}
      disabled={isOff}
      aria-disabled={busy?.isBusy.value}
      onClick={onPress === undefined ? undefined : () => void onPress()}
    >
      {words}
    </button>
  );
}
