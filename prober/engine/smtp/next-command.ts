import { type Second, secondControl } from '../meaning/controls.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { RcptRecord } from './rcpt-record.ts';
import type { TransactionPlan } from './transaction-plan.ts';

// Chooses the next commands of one mail transaction (RFC 5321 §3.3). Pure: `Transaction` sends what this decides.
//
//     [RSET] ─► MAIL ─► RCPT … RCPT ─► RCPT of the made-up mailbox
//
// The transaction of a test (`meaning/controls.ts`) starts with it:
//
//     RSET ─► MAIL ─► RCPT of the made-up mailbox ─► RCPT
//
// With PIPELINING (RFC 2920) commands are sent together, without it each waits for the reply to the one before. A group
// never has more RCPTs than refusals are left in the session budget, nor than the server takes in a transaction.

export type Command = 'rset' | 'mail' | 'rcpt' | 'made_up';

/** What a test (`meaning/controls.ts`) takes of a session: two RCPTs. */
const CONTROLS = 2;

export type Next = {
  /** In one write; none: nothing is left to ask. */
  readonly commands: readonly Command[];
  /** The second control of a test that is due, if there is room for both of its RCPTs. */
  readonly second: Second<RecipientProbe> | null;
};

/** Every command sent was answered. @param opening to be sent before the first RCPT */
export function nextCommands(opening: readonly Command[], rcpts: RcptRecord, plan: TransactionPlan): Next {
  const { test, queue, session, terms } = plan;
  const commands = [...opening];
  let second: Next['second'] = null;
  if (test === 'under_way') {
    if (rcpts.owesMadeUp) commands.push('made_up');
    if (queue.left > 0) commands.push('rcpt');
  } else {
    const { permit } = plan;
    const { asked } = session;
    const { budget } = terms.site;
    // What the server still takes. Nobody else is asked about while the place is wanted.
    const isWanted = rcpts.named > 0 && permit.isDue();
    const refusals = budget.refusalsMax - asked.refusals;
    const unknown = permit.unknown.left(permit.account);
    const inSession = Math.min(unknown, (isWanted ? 0 : budget.recipientsMax) - asked.recipients);
    const inTransaction = budget.transactionMax - rcpts.named;
    // An accepted recipient that is asked about again is expected to be accepted.
    second = test && secondControl(rcpts.answers, rcpts.madeUp, test.accepted);
    const refusalsOfTest = second?.kind === 'target' ? 2 : 1;
    const hasRoomForTest = inSession >= CONTROLS && refusals >= refusalsOfTest;
    const isReserved = hasRoomForTest && (second !== null || test?.expected === true);
    if (!hasRoomForTest) second = null;
    const reserved = isReserved ? CONTROLS : rcpts.owesMadeUp ? 1 : 0;
    // A budget of one recipient is left to a real one.
    const isFirst = asked.recipients === 0 && unknown > reserved;
    const most = Math.min(
      queue.left,
      terms.clientRefusals.window,
      budget.groupMax,
      inTransaction,
      refusals - (isReserved ? refusalsOfTest : reserved),
      Math.max(isFirst ? 1 : 0, inSession - reserved),
    );
    const recipients = Math.max(0, most);
    for (let n = 0; n < recipients; n += 1) commands.push('rcpt');
    // The made-up mailbox comes last: outstanding replies may allow another recipient before it. Its refusal counts.
    const isLast = recipients === 0 || queue.left === recipients || inSession <= recipients + 1;
    const room = Math.min(inSession, inTransaction, refusals);
    if (rcpts.owesMadeUp && second === null && isLast && room > recipients && refusals >= rcpts.madeUpRoom)
      commands.push('made_up');
  }
  const takesGroups = session.offers.pipelining && terms.site.takesGroups;
  return { commands: takesGroups ? commands : commands.slice(0, 1), second };
}
