import { LEDGER_KINDS, type LedgerKind } from '../../schema/words/stored.ts';

// A place in a statement, as the text with which a page ends and the next one is requested.

/** After the row with these three, in the statement's order. */
export type LedgerPlace = {
  readonly at: number;
  readonly refId: string;
  readonly kind: LedgerKind;
  /** The balance before that row was booked. */
  readonly balance: number;
  /** What had been summed up of that day: the balance is right as long as no more is. */
  readonly summed: number;
};

/** `AT.KIND.BALANCE.SUMMED.REF`. */
export function placeText({ at, kind, balance, summed, refId }: LedgerPlace): string {
  return `${at}.${kind}.${balance}.${summed}.${refId}`;
}

/** What `placeText` wrote; null for another text. */
export function readPlace(text: string): LedgerPlace | null {
  const [, at, kindText, balance, summed, refId] =
    /^(\d{1,15})\.([a-z]+)\.(-?\d{1,15})\.(\d{1,15})\.(.+)$/.exec(text) ?? [];
  const kind = LEDGER_KINDS.find((known) => known === kindText);
  if (refId === undefined || kind === undefined) return null;
  return { at: Number(at), kind, refId, balance: Number(balance), summed: Number(summed) };
}
