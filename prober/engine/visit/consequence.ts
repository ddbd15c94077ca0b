import type { Outcome } from '../../../schema/evidence.ts';
import {
  UNPROBED_FOR_OURS,
  outcomeBeforeRcpt,
  outcomeOfRcpt,
  outcomeOfSilence,
  type ReadReply,
  type RelayDenied,
} from '../meaning/outcome.ts';
import type { TransactionEnd } from '../session/transaction-result.ts';
import type { VisitRecord, Onward } from './visit-record.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { SessionFailure } from '../session/session-failure.ts';

// What the end of a session is evidence of, whom it is about, and where to ask next for those who have no answer yet.
//
// A session that answered for nobody is barren. The second barren one in a row gives up the recipient that it began
// with, or the server if it did not get as far as RCPT. A server that hangs or talks garbage has the recipients that it
// was asked about given up at once. Two times in a row mean that it treats all alike: then the server is given up. Any
// answer starts both counts again.
//
// The way onward is to the next host, unless somebody was given up: this host's next address may do better by them. If
// the made-up mailbox is owed to a recipient that was accepted here, it is first asked about, in sessions of its own.

/** Sessions in a row that answer for no recipient before their first recipient, or the server, is given up. */
const BARREN_SESSIONS = 2;
/** Recipients given up in a row before the server is. */
const GIVEN_UP_RECIPIENTS = 2;

const LOST: Outcome = { kind: 'connection_error', greeted: true };
/** A reply to RCPT was still on its way when the batch ended: that address was probed, and the answer came too late. */
const TOO_LATE: Outcome = { kind: 'timeout', greeted: true };
const NOT_DIALLED: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/** Where to ask next for those who have no answer yet. */
export type Way = 'same_address' | Onward;

/** How a session, or the asking in it, ended. `alone`: it was opened for the made-up mailbox and no recipient. */
export type SessionEnd = { readonly alone: boolean } & (
  | { readonly kind: 'failed'; readonly failure: SessionFailure }
  /** STARTTLS was our own choice and did not work. */
  | { readonly kind: 'tls_not_had' }
  /** Several in a row were put off because of our crowd. */
  | { readonly kind: 'put_off' }
  /** The server cannot be told any of the names (RFC 6531), and the made-up mailbox is not owed. */
  | { readonly kind: 'nobody_to_ask' }
  | {
      readonly kind: 'asked';
      readonly ending: TransactionEnd;
      /** Those who were to be asked for, in this order. */
      readonly recipients: readonly RecipientProbe[];
      /** How many of them were answered. */
      readonly answered: number;
      /** The last reply, if it and the one before refuse us in the same way, no matter who is asked for. */
      readonly refusedAlike: ReadReply | null;
    }
);

/**
 * Whom evidence is about. `madeUp`: it is what stopped the made-up mailbox from being asked about; `of_ours`: because we
 * needed the place for others, or had asked too much.
 */
export type Blame = {
  readonly recipients: readonly RecipientProbe[];
  readonly server: boolean;
  readonly madeUp: boolean | 'of_ours';
};

export type Consequence = {
  readonly way: Way;
  readonly blame: Blame;
  /** Null if nobody is blamed. */
  readonly evidence: Outcome | RelayDenied | null;
  readonly record: VisitRecord;
};

/** What follows from how a session ended and how far it got. Pure. */
export function consequenceOf(end: SessionEnd, record: VisitRecord): Consequence {
  switch (end.kind) {
    case 'failed':
      return afterFailure(end.failure, end.alone, record);
    case 'tls_not_had':
      return again({ ...record, tlsFirst: false });
    case 'nobody_to_ask':
      return again(record);
    case 'put_off':
      return leaveForOurs(UNPROBED_FOR_OURS, record);
    case 'asked':
      return afterAsking(end, end.answered > 0 ? { ...record, barren: 0, givenUp: 0 } : record);
  }
}

/** Nobody was asked about: the address, or the whole host, is of no use. A connection lost after 220 is tried again. */
function afterFailure({ stage, cause, outcome }: SessionFailure, alone: boolean, record: VisitRecord): Consequence {
  if (stage === 'hello' && cause === 'lost' && outcome !== null) return barren([], outcome, alone, record);
  const isOver = stage === 'limits' || cause === 'recalled' || (stage === 'hello' && cause === 'refused');
  const way = isOver ? 'next_host' : 'next_address';
  if (outcome !== null && cause === 'recalled') return leaveForOurs(outcome, record);
  if (outcome !== null) return leave(way, outcome, record);
  return {
    way,
    blame: { recipients: [], server: false, madeUp: true },
    evidence: NOT_DIALLED,
    record: { ...record, onward: way },
  };
}

function afterAsking(end: Extract<SessionEnd, { kind: 'asked' }>, record: VisitRecord): Consequence {
  const { ending, alone, recipients, answered, refusedAlike } = end;
  switch (ending.kind) {
    case 'finished':
      return refusedAlike === null ? again(record) : refusesAll(refusedAlike, record);
    case 'over':
      if (refusedAlike !== null) return refusesAll(refusedAlike, record);
      if (answered > 0) return again(record);
      if (recipients.length === 0) return retry(LOST, alone, record);
      return barren(recipients.slice(0, 1), LOST, alone, record);
    case 'mail_refused':
      return leave('next_host', outcomeBeforeRcpt(ending.answer, { kind: 'mail_from_rejected' }), record);
    case 'tls_demanded':
      return again(record);
    case 'silent':
      return afterSilence(end, ending, record);
  }
}

function afterSilence(
  { alone, recipients, answered }: Extract<SessionEnd, { kind: 'asked' }>,
  { silence, stage, named, madeUpAsked }: Extract<TransactionEnd, { kind: 'silent' }>,
  record: VisitRecord,
): Consequence {
  const spendsTry = alone || madeUpAsked;
  const outcome = outcomeOfSilence(silence);
  if (outcome === null)
    return {
      way: 'next_host',
      blame: { recipients: named, server: false, madeUp: madeUpAsked },
      evidence: TOO_LATE,
      record: { ...record, onward: 'next_host' },
    };
  if (silence === 'recalled') return leaveForOurs(outcome, record);
  if (recipients.length === 0 || (silence === 'lost' && answered > 0)) return retry(outcome, spendsTry, record);
  if (silence === 'lost') return barren(stage === 'rcpt' ? recipients.slice(0, 1) : [], outcome, spendsTry, record);
  if (stage === 'mail') return leave('next_address', outcome, record);
  return giveUp(named, outcome, spendsTry, record);
}

/** Nobody is to blame: the recipients left are asked about in another session. */
function again(record: VisitRecord): Consequence {
  return { way: 'same_address', blame: NOBODY, evidence: null, record };
}

/** One more session. If this one was spent on the made-up mailbox, the evidence is what became of that try. */
function retry(outcome: Outcome, spendsTry: boolean, record: VisitRecord): Consequence {
  if (!spendsTry) return again(record);
  return { ...again(record), blame: { ...NOBODY, madeUp: true }, evidence: outcome };
}

/** A session that answered for nobody. `head`: the recipient that it began with, if it got as far. */
function barren(
  head: readonly RecipientProbe[],
  outcome: Outcome,
  spendsTry: boolean,
  record: VisitRecord,
): Consequence {
  const count = record.barren + 1;
  if (count < BARREN_SESSIONS) return retry(outcome, spendsTry, { ...record, barren: count });
  const since = { ...record, barren: 0 };
  return head.length === 0 ? leave('next_address', outcome, since) : giveUp(head, outcome, spendsTry, since);
}

/** Recipients are given up because of what the server did to them; the next address may do better. */
function giveUp(
  recipients: readonly RecipientProbe[],
  outcome: Outcome,
  spendsTry: boolean,
  record: VisitRecord,
): Consequence {
  const givenUp = record.givenUp + 1;
  const after = { ...record, givenUp, onward: 'next_address' } as const;
  const next = givenUp < GIVEN_UP_RECIPIENTS ? retry(outcome, spendsTry, after) : leave('next_address', outcome, after);
  return { ...next, blame: { ...next.blame, recipients }, evidence: outcome };
}

/** The server is of no more use to anybody. */
function leave(way: Onward, evidence: Outcome, record: VisitRecord): Consequence {
  return {
    way,
    blame: { recipients: [], server: true, madeUp: true },
    evidence,
    record: { ...record, onward: way },
  };
}

/** What we caused ourselves is nothing that the server did. */
function leaveForOurs(evidence: Outcome, record: VisitRecord): Consequence {
  const left = leave('next_host', evidence, record);
  return { ...left, blame: { ...left.blame, madeUp: 'of_ours' } };
}

/** Two like refusals of the client: what the next recipients would get is known. */
function refusesAll(last: ReadReply, record: VisitRecord): Consequence {
  const evidence = outcomeOfRcpt(last);
  if (evidence.kind === 'taken') return again(record); // an acceptance refuses nobody
  if (evidence.kind !== 'relay_denied') return leave('next_host', evidence, record);
  // A server that does not relay may still tell the made-up mailbox's fate: it is owed a session of its own.
  return {
    way: 'next_host',
    blame: { ...NOBODY, server: true },
    evidence,
    record: { ...record, onward: 'next_host' },
  };
}

const NOBODY: Blame = { recipients: [], server: false, madeUp: false };
