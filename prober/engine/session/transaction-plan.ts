import type { Permit } from '../limits/permit.ts';
import type { Second } from '../meaning/controls.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { RecipientSource } from '../recipients/recipient-queue.ts';
import type { ClientRefusals } from './client-refusals.ts';
import type { MadeUpPlan } from './next-command.ts';
import type { SessionBudget } from './session-budget.ts';

/** What is the same in all transactions about a domain at one address. */
export type Terms = {
  readonly sender: string;
  readonly domain: string;
  readonly budget: SessionBudget;
  readonly clientRefusals: ClientRefusals;
  /** Draws the made-up mailbox's local part. */
  readonly madeUpLocal: () => string;
};

/** `accepted`: by this server, before. `expected`: it has said in another session what is to be put to the test. */
export type MayTest = { readonly accepted: readonly RecipientProbe[]; readonly expected: boolean };

/** Whom one transaction asks about. */
export type TransactionPlan = {
  /** Asked about in this order; those that the budget leaves are asked about in another session. */
  readonly queue: RecipientSource;
  readonly smtpUtf8: boolean;
  readonly madeUp: MadeUpPlan;
  /** Says how many may be asked about whom the server does not know; and once it is due, nobody else is asked about. */
  readonly permit: Pick<Permit, 'allowance' | 'isDue'>;
  /** Whether replies may be put to the test after this transaction; or the test that it is. */
  readonly test: MayTest | Second<RecipientProbe> | null;
  /** Called once those are named who can be by now. */
  readonly onNamed?: () => void;
};
