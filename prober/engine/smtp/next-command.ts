// Chooses the next command in one mail transaction (RFC 5321 §3.3). Pure: `Transaction` sends what this decides.
//
//     [RSET] ─► MAIL ─► RCPT … RCPT ─► RCPT of the made-up mailbox
//
// The transaction of a test (`meaning/controls.ts`) starts with it:
//
//     RSET ─► MAIL ─► RCPT of the made-up mailbox ─► RCPT
//
// With PIPELINING (RFC 2920) commands are sent together, without it each waits for the reply to the one before. There
// are never more unanswered RCPTs than refusals left in the session budget, nor more RCPTs than the server takes in a
// transaction.

export type Command = 'rset' | 'mail' | 'rcpt' | 'made_up';

/** The made-up mailbox: asked last `if_accepted` (once a recipient was accepted); `owed`: always asked. */
export type MadeUpPlan = 'known' | 'if_accepted' | 'owed';

/** What a test (`meaning/controls.ts`) takes of a session: two RCPTs. */
const CONTROLS = 2;

/**
 * `expected`: the server gave a reply that needs a test, in another session. `due`: it did in this one, and the test
 * will ask about the made-up mailbox. `under_way`: this is the transaction of a test. `refusals`: how many it is
 * expected to get. An accepted recipient that is asked about again is expected to be accepted.
 */
export type TestProgress = { readonly state: 'none' | 'expected' | 'due' | 'under_way'; readonly refusals: 1 | 2 };

/** How far a transaction has come. It changes as commands are sent and replies come. */
export type Progress = {
  /** To be sent before the first RCPT. */
  readonly opening: readonly ('rset' | 'mail')[];
  readonly mailAccepted: boolean;
  readonly outstanding: { readonly length: number };
  readonly queue: { readonly left: number };
  readonly madeUp: MadeUpPlan;
  readonly rcpts: RcptProgress;
};

/** How far the RCPTs of a transaction have come, and those of its session. */
export type RcptProgress = {
  /** In this transaction. */
  readonly named: number;
  readonly unanswered: number;
  readonly madeUpAsked: boolean;
  readonly accepted: boolean;
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

/** The next command to send now; null: a reply must arrive first, or nothing is left to ask. */
export function nextCommand(progress: Progress, limits: Limits): Command | null {
  if (!limits.pipelining && progress.outstanding.length > 0) return null;
  const opening = progress.opening[0];
  if (opening !== undefined) return opening;
  if (!progress.mailAccepted && !limits.pipelining) return null;
  const { test } = progress.rcpts;
  if (test.state === 'under_way') return nextControl(progress, limits, test);
  if (mayNameRecipient(progress, limits, test)) return 'rcpt';
  return mayNameMadeUp(progress, limits, test) ? 'made_up' : null;
}

function nextControl({ rcpts, queue }: Progress, limits: Limits, test: TestProgress): Command | null {
  const { asked, unanswered } = rcpts;
  if (!rcpts.madeUpAsked) return hasRoom(rcpts, limits) ? 'made_up' : null;
  if (queue.left === 0 || limits.allowance === 0 || asked.recipients >= limits.recipientsMax) return null;
  const isToBeRefused = test.refusals === CONTROLS;
  return isToBeRefused && unanswered >= limits.refusalsMax - asked.refusals ? null : 'rcpt';
}

function mayNameRecipient(progress: Progress, limits: Limits, test: TestProgress): boolean {
  if (!hasMore(progress, limits)) return false;
  const { asked, unanswered } = progress.rcpts;
  // The made-up mailbox is sure to be asked about after an acceptance. A budget of one recipient is left to a real one.
  const isTest = (test.state === 'expected' || test.state === 'due') && hasRoomForTest(progress.rcpts, limits, test);
  const reserved = isTest ? CONTROLS : owesMadeUp(progress) ? 1 : 0;
  const refusalsLeft = limits.refusalsMax - asked.refusals - (isTest ? test.refusals : reserved);
  const recipientsMax = Math.max(1, limits.recipientsMax - reserved);
  if (limits.allowance <= reserved || isFull(progress.rcpts, limits)) return false;
  return unanswered < Math.min(refusalsLeft, limits.window) && asked.recipients < recipientsMax;
}

/** Last: only if no recipient follows in this session. Its refusal counts like any other. */
function mayNameMadeUp(progress: Progress, limits: Limits, test: TestProgress): boolean {
  const { rcpts } = progress;
  if (!owesMadeUp(progress) || rcpts.madeUpAsked || isTestAhead(rcpts, limits, test)) return false;
  if (isFull(rcpts, limits)) return false;
  // Outstanding replies may allow another recipient before it.
  if (rcpts.unanswered > 0 && hasMore(progress, limits) && rcpts.asked.recipients < limits.recipientsMax - 1)
    return false;
  return hasRoom(rcpts, limits);
}

/** A test is due and there is room for both of its RCPTs. */
export function isTestAhead(rcpts: RcptProgress, limits: Limits, test: TestProgress): boolean {
  return test.state === 'due' && hasRoomForTest(rcpts, limits, test);
}

function hasRoomForTest({ asked }: RcptProgress, limits: Limits, test: TestProgress): boolean {
  const hasPlaces = Math.min(limits.recipientsMax - asked.recipients, limits.allowance) >= CONTROLS;
  return hasPlaces && limits.refusalsMax - asked.refusals >= test.refusals;
}

function hasRoom({ asked, unanswered }: RcptProgress, limits: Limits): boolean {
  const refusalsLeft = limits.refusalsMax - asked.refusals;
  return (
    limits.allowance > 0 &&
    refusalsLeft >= limits.madeUpRoom &&
    unanswered < refusalsLeft &&
    asked.recipients < limits.recipientsMax
  );
}

function owesMadeUp({ madeUp, rcpts }: Progress): boolean {
  return madeUp === 'owed' || (madeUp === 'if_accepted' && rcpts.accepted);
}

function hasMore({ queue }: Progress, { window }: Limits): boolean {
  return queue.left > 0 && window > 0;
}

/** The server takes no more recipients in this transaction. */
export function isFull({ named }: RcptProgress, { transactionMax }: Limits): boolean {
  return named >= transactionMax;
}
