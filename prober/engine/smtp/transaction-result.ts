import type { RcptAnswer, Second, Tried } from '../meaning/controls.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import type { Silence } from './connection.ts';
import type { RecipientProbe } from '../attempt/recipient.ts';

// The result of asking one server about some recipients.

export type RcptReply = Tried<RecipientProbe>;

/** How the transaction ended. The session survives only `finished`, `mail_refused`, `over` and `tls_demanded`. */
export type TransactionEnd =
  /** Every recipient was asked, or the budget is used up, or the server refuses us for every recipient. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'mail_refused'; readonly answer: ReadReply }
  /** The server said that this session is over. */
  | { readonly kind: 'over' }
  | { readonly kind: 'tls_demanded'; readonly stage: 'mail' | 'rcpt'; readonly answer: ReadReply }
  /** The replies to a group of commands could not be matched to them: its recipients are asked about one by one. */
  | { readonly kind: 'void'; readonly silence: boolean }
  /** A command got no reply. `named`: recipients whose RCPT was sent and not answered. */
  | {
      readonly kind: 'silent';
      readonly silence: Silence;
      readonly stage: 'mail' | 'rcpt';
      readonly named: readonly RecipientProbe[];
      readonly madeUpAsked: boolean;
    };

export type TransactionResult = {
  readonly answers: readonly RcptReply[];
  readonly madeUp: RcptAnswer | null;
  readonly ending: TransactionEnd;
  /** The second control, if replies are to be tested now. */
  readonly second: Second<RecipientProbe> | null;
};
