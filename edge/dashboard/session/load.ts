import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Trouble, troubleOf } from './api.ts';

/** Something that is read from the service, as a view sees it. */
export type Load<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly trouble: Trouble }
  | { readonly state: 'ready'; readonly value: Value };

export type Resource<Value> = { readonly load: Signal<Load<Value>>; readonly reload: () => Promise<void> };

/** What is read stays on show while it is read again. */
export function resource<Value>(read: () => Promise<Value>): Resource<Value> {
  const load = signal<Load<Value>>({ state: 'loading' });
  let latest = 0;
  const reload = async (): Promise<void> => {
    latest += 1;
    const mine = latest;
    try {
      const value = await read();
      if (mine === latest) load.value = { state: 'ready', value };
    } catch (error) {
      if (mine === latest) load.value = { state: 'failed', trouble: troubleOf(error) };
    }
  };
  return { load, reload };
}

/** A resource of one view, which is read when the view is shown. */
export function useResource<Value>(read: () => Promise<Value>): Resource<Value> {
  const made = useMemo(() => resource(read), []);
  useEffect(() => void made.reload(), [made]);
  return made;
}
