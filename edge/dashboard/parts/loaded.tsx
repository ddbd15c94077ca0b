import { type ComponentChildren } from 'preact';
import type { Trouble } from '../session/api.ts';
import type { Load } from '../session/load.ts';
import { duration } from '../words/numbers.ts';
import { Notice } from './notice.tsx';
import { Button } from './button.tsx';

type Shape = 'page' | 'part';
type Props<Value> = {
  readonly load: Load<Value>;
  readonly reload: () => void;
  readonly as?: Shape;
  readonly children: (value: Value) => ComponentChildren;
};

/** What was read, or the state of its reading: every view waits, fails and tries again in the same way. */
export function Loaded<Value>({ load, reload, as = 'part', children }: Props<Value>) {
  if (load.state === 'loading') return <Waiting as={as} />;
  if (load.state === 'failed') return <TroubleNotice trouble={load.trouble} retry={reload} />;
  return <>{children(load.value)}</>;
}

export function Waiting({ as }: { readonly as: Shape }) {
  return (
    <div class={`waiting ${as}`} role="status">
      <span class="hidden">Loading</span>
      <span class="bone" />
      <span class="bone" />
      <span class="bone" />
    </div>
  );
}

/** What went wrong, in words, with a way on. */
export function TroubleNotice({ trouble, retry }: { readonly trouble: Trouble; readonly retry?: () => void }) {
  const { status, retryAfterS } = trouble;
  return (
    <Notice tone="wrong" title={trouble.message}>
      {status === null && <p>Check your connection, then try again. Nothing you entered is lost.</p>}
      {retryAfterS !== null && <p>Please wait {duration(retryAfterS)}.</p>}
      {retry !== undefined && <Button words="Try again" onPress={retry} />}
    </Notice>
  );
}
