import type { LedgerKind } from '../../schema/words/stored.ts';
import { NOW_MS } from './clock.ts';
import { expiryOf } from './expiry.ts';

// Free credits. An account has at most one gift in the ledger, under a name that no purchase can have; a gift does not
// make the account a buyer.

/** The gift's name in the ledger. */
const GIFT = 'welcome';

/** A gift is booked only if the preceding statement wrote a row: `changes()` is what that one did. */
const WRITE = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT id, '${GIFT}', 'purchase', ?2, ${NOW_MS} FROM accounts WHERE id = ?1 AND changes() = 1
      ON CONFLICT DO NOTHING`;
const ADD = `
  UPDATE accounts
     SET expires_at = max(expires_at, ?3), balance = balance + ?2
   WHERE id = ?1 AND changes() = 1`;

/**
 * The statements that book a gift. They belong in the same transaction, right after the statement that decides about it
 * by writing one row or none.
 * @param credits 1 or more
 * @param nowMs milliseconds since 1970 UTC: decides when they expire
 */
export function giveGift(
  db: D1Database,
  gift: { readonly accountId: string; readonly credits: number; readonly nowMs: number },
): readonly D1PreparedStatement[] {
  const { accountId, credits, nowMs } = gift;
  return [db.prepare(WRITE).bind(accountId, credits), db.prepare(ADD).bind(accountId, credits, expiryOf(nowMs))];
}

/** The kind of a ledger row as shown to people. */
export function shownKind({ kind, refId }: { readonly kind: LedgerKind; readonly refId: string }): LedgerKind | 'gift' {
  return kind === 'purchase' && refId === GIFT ? 'gift' : kind;
}
