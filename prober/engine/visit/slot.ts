import type { Outcome, SmtpReply } from '../../../schema/evidence.ts';

/** One address of a domain while it is probed, and what is known of it so far. */
export type Slot = {
  readonly local: string;
  /** The local part is not ASCII: only a server that offers SMTPUTF8 can be asked (RFC 6531). */
  readonly utf8: boolean;
  /** Where the batch has it: an address given twice is probed once. */
  readonly indexes: number[];
  /** `held`: accepted by a server, the made-up mailbox's fate is still to come. `settled`: reported. */
  state: 'open' | 'held' | 'settled';
  /** Evidence that got furthest, no verdict yet. */
  best: Outcome | null;
  /** The first "we do not relay", and the hosts that said so. */
  relay: { readonly reply: SmtpReply; readonly hosts: Set<string> } | null;
};

export function createSlot(local: string, utf8: boolean, index: number): Slot {
  return { local, utf8, indexes: [index], state: 'open', best: null, relay: null };
}
