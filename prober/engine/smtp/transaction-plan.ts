import type { Permit } from '../limits/permit.ts';
import type { RcptAnswer, Second, Tried } from '../meaning/controls.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { RecipientQueue } from '../recipients/recipient-queue.ts';
import type { ClientRefusals } from '../recipients/client-refusals.ts';
import type { Session } from './session.ts';
import type { SessionBudget } from './session-budget.ts';
import type { Silence } from './wire/connection.ts';

// What a transaction is to ask, and what it found out.

/** `accepted`: by this server, before. `expected`: in another session it gave a reply that needs a test. */
export type MayTest = { readonly accepted: readonly RecipientProbe[]; readonly expected: boolean };

/** The made-up mailbox: asked last `if_accepted` (once a recipient was accepted); `owed`: always asked. */
export type MadeUpPlan = 'known' | 'if_accepted' | 'owed';

/** One transaction: in which session, and what is to be asked. */
export type TransactionPlan = {
  readonly session: Session;
  readonly sender: string;
  readonly domain: string;
  /** `takesGroups`: it may be sent several commands at once: not after a group whose replies could not be matched. */
  readonly site: { readonly budget: SessionBudget; takesGroups: boolean };
  /** Of all that the server said about us to the domain. */
  readonly clientRefusals: ClientRefusals;
  readonly deadlineMs: number;
  /** In this order; those beyond the budget are left to another session. */
  readonly queue: RecipientQueue;
  readonly smtpUtf8: boolean;
  /** It follows another in the same session, about the same domain: that it cannot begin is no evidence. */
  readonly continues: boolean;
  readonly madeUp: MadeUpPlan;
  /** Creates its local part. */
  readonly madeUpLocal: () => string;
  /** Says how many more unknown recipients may be named; and once it is due, no further recipient is asked about. */
  readonly permit: Pick<Permit, 'account' | 'unknown' | 'isDue'>;
  /** Whether replies may be tested after this transaction; `under_way`: it is the test, and there was room for it. */
  readonly test: MayTest | 'under_way' | null;
  /** Called once every recipient that can be named by now has been. */
  readonly onNamed: () => void;
};

export type RcptReply = Tried<RecipientProbe>;

/** How the transaction ended. The session survives only `finished`, `limit` and `tls_demanded`. */
export type TransactionEnd =
  /** Every recipient was asked, or the budget is used up, or the server refuses us for every recipient. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'mail_refused'; readonly answer: ReadReply }
  /** The server takes no more recipients in this transaction: the next one may follow in the same session. */
  | { readonly kind: 'limit' }
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
