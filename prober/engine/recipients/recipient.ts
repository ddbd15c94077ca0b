import type { Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { rank } from '../../../schema/outcomes.ts';
import type { Target } from '../targets/targets.ts';

export type RecipientProbe = {
  readonly local: string;
  /** The local part is not ASCII: only a server that offers SMTPUTF8 can be asked (RFC 6531). */
  readonly utf8: boolean;
  /** Its places in the batch: an address given twice is probed once. */
  readonly indexes: number[];
  /** `held`: until the result of the made-up mailbox is known, or no test can withdraw it. `settled`: reported. */
  state: 'open' | 'held' | 'settled';
  /** The address where it is not asked about again; all are asked one after the other. */
  leftAt: Target | null;
  /** A session is asking about it. */
  isTaken: boolean;
  /** The evidence that got furthest, without a verdict yet. */
  best: Outcome | null;
  /** The first "we do not relay", and the dialled addresses that said so. */
  relay: { readonly reply: SmtpReply; readonly ips: Set<string> } | null;
};

export function createRecipientProbe(local: string, utf8: boolean, index: number): RecipientProbe {
  return { local, utf8, indexes: [index], state: 'open', leftAt: null, isTaken: false, best: null, relay: null };
}

/** The piece of evidence that got further; the older one if they got equally far. */
export function further(older: Outcome | null, newer: Outcome | null): Outcome | null {
  if (older === null || newer === null) return older ?? newer;
  return rank(newer) > rank(older) ? newer : older;
}
