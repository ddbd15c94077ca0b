import { LEDGER_KINDS } from '../../schema/words/stored.ts';
import type { LedgerPlace } from './account.ts';

// A place in a statement, as the text that a page of it ends with and the next one is asked for by.

/** `AT.KIND.REF`. */
export function placeText({ at, kind, refId }: LedgerPlace): string {
  return `${at}.${kind}.${refId}`;
}

/** What `placeText` wrote; null for another text. */
export function readPlace(text: string): LedgerPlace | null {
  const [, at, kindText, refId] = /^(\d{1,15})\.([a-z]+)\.(.+)$/.exec(text) ?? [];
  const kind = LEDGER_KINDS.find((known) => known === kindText);
  return at === undefined || refId === undefined || kind === undefined ? null : { at: Number(at), kind, refId };
}
