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

/** The made-up mailbox: asked last `if_accepted` (once a recipient was accepted); `owed`: always asked. */
export type MadeUpPlan = 'known' | 'if_accepted' | 'owed';

/** What a test (`meaning/controls.ts`) takes of a session: two RCPTs. */
const CONTROLS = 2;

/**
 * `expected`: the server gave a reply that needs a test, in another session. `due`: it did in this one, and the test
 * will ask about the made-up mailbox. `under_way`: this is the transaction of a test, which had room when it was due.
 * `refusals`: how many it is expected to get. An accepted recipient that is asked about again is expected to be accepted.
 */
export type TestProgress = { readonly state: 'none' | 'expected' | 'due' | 'under_way'; readonly refusals: 1 | 2 };

/** How far a transaction has come, with every command answered. */
export type Progress = {
  /** To be sent before the first RCPT. */
  readonly opening: readonly Command[];
  /** Recipients that wait to be asked about. */
  readonly waiting: number;
  /** RCPTs in this transaction. */
  readonly named: number;
  /** The made-up mailbox is still to be asked about in this transaction. */
  readonly owesMadeUp: boolean;
  readonly test: TestProgress;
  /** RCPTs sent and refusals received in this session, for all domains. */
  readonly asked: { readonly recipients: number; readonly refusals: number };
};

/** What the server offers and tolerates. */
export type Limits = {
  readonly pipelining: boolean;
  readonly recipientsMax: number;
  readonly transactionMax: number;
  readonly refusalsMax: number;
  /** Refusals to be left for the made-up mailbox. */
  readonly madeUpRoom: number;
  /** RCPTs that may be unanswered in view of earlier refusals; not positive: it refuses every recipient. */
  readonly window: number;
  /** Unknown recipients that may still be named at this server in this hour. */
  readonly allowance: number;
};

export type Next = {
  /** In one write; none: nothing is left to ask. */
  readonly commands: readonly Command[];
  /** A test is due, and there is room for both of its RCPTs. */
  readonly isTestAhead: boolean;
};

export function nextCommands(progress: Progress, limits: Limits): Next {
  const { opening, test, asked } = progress;
  const placesLeft = Math.min(limits.recipientsMax - asked.recipients, limits.allowance);
  const hasRoomForTest = placesLeft >= CONTROLS && limits.refusalsMax - asked.refusals >= test.refusals;
  const isTestAhead = test.state === 'due' && hasRoomForTest;
  const rcpts = test.state === 'under_way' ? nextControls(progress) : nextRcpts(progress, limits, hasRoomForTest);
  const commands = [...opening, ...rcpts];
  return { commands: limits.pipelining ? commands : commands.slice(0, 1), isTestAhead };
}

function nextControls({ waiting, owesMadeUp }: Progress): Command[] {
  const second: Command[] = waiting > 0 ? ['rcpt'] : [];
  return owesMadeUp ? ['made_up', ...second] : second;
}

function nextRcpts(progress: Progress, limits: Limits, hasRoomForTest: boolean): Command[] {
  const { waiting, named, owesMadeUp, test, asked } = progress;
  const isTest = test.state !== 'none' && hasRoomForTest;
  const reserved = isTest ? CONTROLS : owesMadeUp ? 1 : 0;
  const refusalsLeft = limits.refusalsMax - asked.refusals;
  const recipients = Math.max(
    0,
    Math.min(
      waiting,
      limits.window,
      limits.transactionMax - named,
      refusalsLeft - (isTest ? test.refusals : reserved),
      limits.allowance - reserved,
      // A budget of one recipient is left to a real one.
      Math.max(1, limits.recipientsMax - reserved) - asked.recipients,
    ),
  );
  const rcpts = Array<Command>(recipients).fill('rcpt');
  const isAhead = isTest && test.state === 'due';
  return owesMadeUp && !isAhead && hasRoomBehind(recipients, progress, limits) ? [...rcpts, 'made_up'] : rcpts;
}

/** Whether the made-up mailbox may follow: last, if no recipient follows in this session. Its refusal counts like any. */
function hasRoomBehind(recipients: number, { waiting, named, asked }: Progress, limits: Limits): boolean {
  const refusalsLeft = limits.refusalsMax - asked.refusals;
  const placesLeft = Math.min(limits.recipientsMax - asked.recipients, limits.allowance) - recipients;
  if (placesLeft <= 0 || named + recipients >= limits.transactionMax) return false;
  if (refusalsLeft < limits.madeUpRoom || refusalsLeft <= recipients) return false;
  // Outstanding replies may allow another recipient before it.
  const mayContinue = waiting > recipients && asked.recipients + recipients < limits.recipientsMax - 1;
  return recipients === 0 || !mayContinue;
}
