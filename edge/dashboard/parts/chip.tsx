import type { Open } from '../../../schema/words/open.ts';
import type { Status } from '../../../schema/words/verdicts.ts';
import { statusClass, statusWords } from '../words/verdict.ts';

/** A status in its colour and with its word: colour alone tells nobody anything. */
export function Chip({ status }: { readonly status: Open<Status> }) {
  return <span class={`chip ${statusClass(status)}`}>{statusWords(status)}</span>;
}
