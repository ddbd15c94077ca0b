import { type Signal, signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { type Trouble, troubleOf } from '../session/api.ts';

/** Something that the reader sets off, and that can fail. */
export type Action<Input extends readonly unknown[]> = {
  readonly isBusy: Signal<boolean>;
  readonly trouble: Signal<Trouble | null>;
  /** Does it, unless it is being done. @returns whether it went well */
  readonly run: (...input: Input) => Promise<boolean>;
};

/** An action of one view. */
export function useAction<Input extends readonly unknown[]>(work: (...input: Input) => Promise<void>): Action<Input> {
  const latest = useRef(work);
  latest.current = work;
  return useMemo(() => {
    const isBusy = signal(false);
    const trouble = signal<Trouble | null>(null);
    const run = async (...input: Input): Promise<boolean> => {
      if (isBusy.value) return false;
      isBusy.value = true;
      trouble.value = null;
      try {
        await latest.current(...input);
        return true;
      } catch (error) {
        trouble.value = troubleOf(error);
        return false;
      } finally {
        isBusy.value = false;
      }
    };
    return { isBusy, trouble, run };
  }, []);
}
