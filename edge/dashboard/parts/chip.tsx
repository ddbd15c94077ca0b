import type { Status } from '../../../schema/client/index.ts';
import { STATUS_WORDS } from '../words/verdict.ts';

/** A status in its colour and with its word: colour alone tells nobody anything. */
export function Chip({ status }: { readonly status: Status }) {
  return <span class={`chip ${status}`}>{STATUS_WORDS[status]}</span>;
}
