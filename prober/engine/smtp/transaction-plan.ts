import type { Permit } from '../limits/permit.ts';
import type { Second } from '../meaning/controls.ts';
import type { RecipientProbe } from '../attempt/recipient.ts';
import type { RecipientSource } from '../attempt/recipient-queue.ts';
import type { ClientRefusals } from '../attempt/client-refusals.ts';
import type { MadeUpPlan } from './next-command.ts';
import type { SessionBudget } from '../site/session-budget.ts';

/** What all transactions about a domain at one address have in common. */
export type Terms = {
  readonly sender: string;
  readonly domain: string;
  readonly budget: SessionBudget;
  readonly clientRefusals: ClientRefusals;
  /** Whether the server may be sent several commands at once: not after a group whose replies could not be matched. */
  readonly server: { takesGroups: boolean };
  readonly deadlineMs: number;
  /** Creates the made-up mailbox's local part. */
  readonly madeUpLocal: () => string;
};

/** `accepted`: by this server, before. `expected`: in another session it gave a reply that needs a test. */
export type MayTest = { readonly accepted: readonly RecipientProbe[]; readonly expected: boolean };

export type TransactionPlan = {
  /** In this order; those beyond the budget are left to another session. */
  readonly queue: RecipientSource;
  readonly smtpUtf8: boolean;
  readonly madeUp: MadeUpPlan;
  /** Says how many more unknown recipients may be named; and once it is due, no further recipient is asked about. */
  readonly permit: Pick<Permit, 'account' | 'unknown' | 'isDue'>;
  /** Whether replies may be tested after this transaction; or the test that it is. */
  readonly test: MayTest | Second<RecipientProbe> | null;
  /** Called once every recipient that can be named by now has been. */
  readonly onNamed?: () => void;
};
