// Which command follows in one mail transaction (RFC 5321 §3.3). Pure: `Transaction` sends what this decides.
//
//     [RSET] ─► MAIL ─► RCPT … RCPT ─► RCPT of the made-up mailbox
//                                        └─ refused because it is the second ─► RSET ─► MAIL ─► RCPT of the made-up mailbox
//
// With PIPELINING (RFC 2920) commands go out together, without it each waits for the reply to the one before. Never are
// more RCPTs unanswered than refusals are left in the session budget.

export type Command = 'rset' | 'mail' | 'rcpt' | 'made_up';

/** What the transaction does about the made-up mailbox. `if_accepted`: asks last, once a recipient was accepted. `owed`: asks in any case. */
export type MadeUpPlan = 'known' | 'if_accepted' | 'owed';

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
  const [opening] = progress.opening;
  if (opening !== undefined) return opening;
  if (!progress.mailAccepted && !limits.pipelining) return null;
  if (mayNameRecipient(progress, limits)) return 'rcpt';
  return mayNameMadeUp(progress, limits) ? 'made_up' : null;
}

function mayNameRecipient(progress: Progress, limits: Limits): boolean {
  if (!hasMore(progress, limits)) return false;
  // The made-up mailbox is sure to be asked about once somebody was accepted. A budget of one recipient serves a real one.
  const reserved = owesMadeUp(progress) ? 1 : 0;
  const refusalsLeft = limits.refusalsMax - progress.refusals - reserved;
  const recipientsMax = Math.max(1, limits.recipientsMax - reserved);
  if (limits.allowance <= reserved) return false;
  return progress.unanswered < Math.min(refusalsLeft, limits.window) && progress.recipients < recipientsMax;
}

/** Last: only when no recipient follows in this session. Its refusal counts like any other. */
function mayNameMadeUp(progress: Progress, limits: Limits): boolean {
  if (!owesMadeUp(progress) || progress.madeUpAsked || limits.allowance === 0) return false;
  // Replies that are due could let a further recipient be asked before it.
  if (progress.unanswered > 0 && hasMore(progress, limits) && progress.recipients < limits.recipientsMax - 1)
    return false;
  const refusalsLeft = limits.refusalsMax - progress.refusals;
  return (
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
