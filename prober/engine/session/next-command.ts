// Which command follows in one mail transaction (RFC 5321 §3.3). Pure: `Transaction` sends what this decides.
//
//     [RSET] ─► MAIL ─► RCPT … RCPT ─► RCPT of the made-up mailbox
//                                        └─ refused because it is the second ─► RSET ─► MAIL ─► RCPT of the made-up mailbox
//
// The transaction of a test (`meaning/controls.ts`) begins with it:
//
//     RSET ─► MAIL ─► RCPT of the made-up mailbox ─► RCPT
//
// With PIPELINING (RFC 2920) commands go out together, without it each waits for the reply to the one before. Never are
// more RCPTs unanswered than refusals are left in the session budget.

export type Command = 'rset' | 'mail' | 'rcpt' | 'made_up';

/** What the transaction does about the made-up mailbox. `if_accepted`: asks last, once a recipient was accepted. `owed`: asks in any case. */
export type MadeUpPlan = 'known' | 'if_accepted' | 'owed';

/** What a test (`meaning/controls.ts`) needs of the session: two RCPTs. */
const CONTROLS = 2;

/**
 * `expected`: the server has said what is to be put to the test, in another session. `due`: it has in this one, and the test
 * will ask about the made-up mailbox. `under_way`: this is the transaction of one.
 * `refusals`: how many it is expected to get. An accepted recipient that is asked for again is expected to be accepted.
 */
export type TestProgress = { readonly state: 'none' | 'expected' | 'due' | 'under_way'; readonly refusals: 1 | 2 };

/** How far a transaction has come. */
export type Progress = {
  /** To be sent before the first RCPT. */
  readonly opening: readonly ('rset' | 'mail')[];
  readonly mailAccepted: boolean;
  /** The second transaction, for the made-up mailbox alone. */
  readonly fresh: boolean;
  /** Commands sent and not answered. */
  readonly outstanding: number;
  /** RCPTs among them. */
  readonly unanswered: number;
  /** RCPTs sent and refusals received in this session, for all domains. */
  readonly recipients: number;
  readonly refusals: number;
  /** Recipients still to be asked about. */
  readonly waiting: number;
  readonly madeUp: MadeUpPlan;
  readonly madeUpAsked: boolean;
  /** A recipient was accepted. */
  readonly accepted: boolean;
  readonly test: TestProgress;
};

/** What the server offers and bears. */
export type Limits = {
  readonly pipelining: boolean;
  /** The session budget. */
  readonly recipientsMax: number;
  readonly refusalsMax: number;
  /** Refusals that must be left for the made-up mailbox. */
  readonly madeUpRoom: number;
  /** RCPTs that may be unanswered because of earlier refusals; not positive: it refuses every recipient. */
  readonly window: number;
  /** Unknown recipients that may still be named at this server in this hour. */
  readonly allowance: number;
};

/** The next command to send now; null: first a reply must come, or nothing is left to ask. */
export function nextCommand(progress: Progress, limits: Limits): Command | null {
  if (!limits.pipelining && progress.outstanding > 0) return null;
  const opening = progress.opening[0];
  if (opening !== undefined) return opening;
  if (!progress.mailAccepted && !limits.pipelining) return null;
  if (progress.test.state === 'under_way') return nextControl(progress, limits);
  if (mayNameRecipient(progress, limits)) return 'rcpt';
  return mayNameMadeUp(progress, limits) ? 'made_up' : null;
}

function nextControl(progress: Progress, limits: Limits): Command | null {
  if (!progress.madeUpAsked) return hasRoom(progress, limits) ? 'made_up' : null;
  if (progress.waiting === 0 || limits.allowance === 0 || progress.recipients >= limits.recipientsMax) return null;
  const isToBeRefused = progress.test.refusals === CONTROLS;
  return isToBeRefused && progress.unanswered >= limits.refusalsMax - progress.refusals ? null : 'rcpt';
}

function mayNameRecipient(progress: Progress, limits: Limits): boolean {
  if (!hasMore(progress, limits)) return false;
  const { test } = progress;
  // The made-up mailbox is sure to be asked about once somebody was accepted. A budget of one recipient serves a real one.
  const isTest = (test.state === 'expected' || test.state === 'due') && hasRoomForTest(progress, limits);
  const reserved = isTest ? CONTROLS : owesMadeUp(progress) ? 1 : 0;
  const refusalsLeft = limits.refusalsMax - progress.refusals - (isTest ? test.refusals : reserved);
  const recipientsMax = Math.max(1, limits.recipientsMax - reserved);
  if (limits.allowance <= reserved) return false;
  return progress.unanswered < Math.min(refusalsLeft, limits.window) && progress.recipients < recipientsMax;
}

/** Last: only when no recipient follows in this session. Its refusal counts like any other. */
function mayNameMadeUp(progress: Progress, limits: Limits): boolean {
  if (!owesMadeUp(progress) || progress.madeUpAsked || isTestAhead(progress, limits)) return false;
  // Replies that are due could let a further recipient be asked before it.
  if (progress.unanswered > 0 && hasMore(progress, limits) && progress.recipients < limits.recipientsMax - 1)
    return false;
  return hasRoom(progress, limits);
}

/** A test is due and there is room for both of its RCPTs. */
export function isTestAhead(progress: Progress, limits: Limits): boolean {
  return progress.test.state === 'due' && hasRoomForTest(progress, limits);
}

function hasRoomForTest({ test, refusals, recipients }: Progress, limits: Limits): boolean {
  const hasPlaces = Math.min(limits.recipientsMax - recipients, limits.allowance) >= CONTROLS;
  return hasPlaces && limits.refusalsMax - refusals >= test.refusals;
}

function hasRoom(progress: Progress, limits: Limits): boolean {
  const refusalsLeft = limits.refusalsMax - progress.refusals;
  return (
    limits.allowance > 0 &&
    refusalsLeft >= limits.madeUpRoom &&
    progress.unanswered < refusalsLeft &&
    progress.recipients < limits.recipientsMax
  );
}

function owesMadeUp({ madeUp, accepted }: Progress): boolean {
  return madeUp === 'owed' || (madeUp === 'if_accepted' && accepted);
}

/** None follows in the fresh transaction: it is for the made-up mailbox alone. */
function hasMore({ waiting, fresh }: Progress, { window }: Limits): boolean {
  return waiting > 0 && !fresh && window > 0;
}
