import type { RcptAnswer, Second, Tried } from '../meaning/controls.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import type { Silence } from '../wire/wire.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';

// What came of asking one server about some recipients.

/** The reply to one recipient's RCPT. */
export type RcptReply = Tried<RecipientProbe>;

/** How the asking ended. The session lives on after `finished`, `mail_refused`, `over` and `tls_demanded` only. */
export type TransactionEnd =
  /** Every recipient was asked, or the budget is used up, or the server refuses us for every recipient. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'mail_refused'; readonly answer: ReadReply }
  /** The server said that this session is over. */
  | { readonly kind: 'over' }
  | { readonly kind: 'tls_demanded'; readonly stage: 'mail' | 'rcpt'; readonly answer: ReadReply }
  /** No reply came to a command. `named`: recipients whose RCPT was sent and not answered. */
  | {
      readonly kind: 'silent';
      readonly silence: Silence;
      readonly stage: 'mail' | 'rcpt';
      readonly named: readonly RecipientProbe[];
      readonly madeUpAsked: boolean;
    };

export type TransactionResult = {
  readonly answers: readonly RcptReply[];
  /** The reply about the made-up mailbox, null if it was not asked about or not answered. */
  readonly madeUp: RcptAnswer | null;
  readonly ending: TransactionEnd;
  /** The second control, if replies are to be put to the test now. */
  readonly second: Second<RecipientProbe> | null;
};
