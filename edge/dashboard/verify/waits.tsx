import { Notice } from '../parts/notice.tsx';
import { serviceTrouble } from '../session/service-state.ts';
import { patience } from './run-until-served.ts';

/** The service cannot verify at the moment, and is tried again. */
export function Waits() {
  return (
    <Notice tone="doubt" title={serviceTrouble.value ?? ''}>
      <p>This page keeps trying. What has no answer costs nothing.</p>
      {patience.isWaiting.value && (
        <button type="button" onClick={() => patience.end()}>
          Try now
        </button>
      )}
    </Notice>
  );
}
