import type { Second } from '../meaning/controls.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { RcptRecord } from './rcpt-record.ts';
import type { Asking, TransactionPlan } from './transaction-plan.ts';

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

/** What the server still takes: in this session, in this transaction, of refusals, and of unknown recipients in an hour. */
type Room = {
  readonly recipients: number;
  readonly inTransaction: number;
  readonly refusals: number;
  readonly unknown: number;
};

/** Every command sent was answered. @param opening to be sent before the first RCPT */
export function nextCommands(opening: readonly Command[], rcpts: RcptRecord, { session, terms, plan }: Asking): Next {
  const { budget, server } = terms;
  const { asked, offers } = session;
  const { permit } = plan;
  // Nobody else is asked about while the place is wanted.
  const recipientsMax = rcpts.named > 0 && permit.isDue() ? 0 : budget.recipientsMax;
  const room: Room = {
    recipients: recipientsMax - asked.recipients,
    inTransaction: budget.transactionMax - rcpts.named,
    refusals: budget.refusalsMax - asked.refusals,
    unknown: permit.unknown.left(permit.account),
  };
  const { test, owesMadeUp } = rcpts;
  const hasRoomForTest = Math.min(room.recipients, room.unknown) >= CONTROLS && room.refusals >= test.refusals;
  const second = hasRoomForTest ? test.second : null;
  const commands = [...opening];
  if (test.state === 'under_way') {
    if (owesMadeUp) commands.push('made_up');
    if (plan.queue.left > 0) commands.push('rcpt');
  } else {
    const isTest = test.state !== 'none' && hasRoomForTest;
    const reserved = isTest ? CONTROLS : owesMadeUp ? 1 : 0;
    // A budget of one recipient is left to a real one.
    const inSession = Math.max(asked.recipients === 0 ? 1 : 0, room.recipients - reserved);
    const refusals = room.refusals - (isTest ? test.refusals : reserved);
    const inHour = room.unknown - reserved;
    const most = Math.min(
      plan.queue.left,
      terms.clientRefusals.window,
      budget.groupMax,
      room.inTransaction,
      refusals,
      inSession,
      inHour,
    );
    const recipients = Math.max(0, most);
    commands.push(...Array<Command>(recipients).fill('rcpt'));
    if (owesMadeUp && second === null && mayFollow(recipients, rcpts, plan, room)) commands.push('made_up');
  }
  return { commands: offers.pipelining && server.takesGroups ? commands : commands.slice(0, 1), second };
}

/** The made-up mailbox comes last: if no recipient follows in this session. Its refusal counts like any other. */
function mayFollow(recipients: number, { madeUpRoom }: RcptRecord, { queue }: TransactionPlan, room: Room): boolean {
  if (Math.min(room.recipients, room.inTransaction, room.unknown, room.refusals) <= recipients) return false;
  if (room.refusals < madeUpRoom) return false;
  // Outstanding replies may allow another recipient before it.
  return recipients === 0 || queue.left === recipients || room.recipients <= recipients + 1;
}
