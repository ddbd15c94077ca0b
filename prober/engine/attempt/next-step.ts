import type { Outcome } from '../../../schema/evidence.ts';
import {
  outcomeBeforeRcpt,
  outcomeOfRcpt,
  outcomeOfSilence,
  UNPROBED_FOR_OURS,
  type ReadReply,
  type RelayDenied,
} from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { Complaint } from '../meaning/complaint.ts';
import { MEANINGS } from '../meaning/rules/meanings.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { SessionFailure } from '../smtp/failure.ts';
import type { TransactionEnd, TransactionResult } from '../smtp/transaction-plan.ts';

// What the end of a session is evidence of, whom it concerns, and where to ask next for recipients without an answer.
//
//     how it ended                              evidence                 about                      and then
//     no session: refused, rests, unreachable   the failure's            the server                 the next host or address
//     lost after 220, no recipient asked        lost            barren:  the server                 once more, then the next address
//     deferred at RCPT: our many connections    unprobed             the server                 the next host
//     MAIL refused                              deferred or rejected     the server                 the next host
//     two similar refusals of us in a row       the last one             the server                 the next host
//     lost, or over, before any answer          lost            barren:  its first recipient        once more
//     a hang or garbage before RCPT             the silence              the server                 the next address
//     a group that cannot be matched            none                     nobody                     on, one command at a time
//     a hang or garbage at RCPT                 the silence              the recipients named       on with the others
//     the batch ended                           too late                 the recipients named       nowhere
//     anything else                             none                     nobody                     on with the others
//
// That is what a session of the domain's own says. In another, only these count, and anything else is asked for again in
// an own one (`allCounts`):
//
//     session                                   counts
//     own                                       all
//     shared, parallel                          judgements on a mailbox, greylisting, a demand for TLS that is then met
//     own, cut short by a tarpit                the same
//
// A session without any answer is barren. After two in a row, the recipient it began with is given up, or the server.
// Two recipients given up in a row mean that the server treats all alike: then the server is given up. Any answer
// resets both counts. Once a recipient was given up here, the host's next address is asked, which may do better. An
// outcome that concerns the server, or used up the session of the made-up mailbox, also decides that mailbox's try.

/** Sessions without any answer in a row that make a recipient given up, and what makes a server given up. */
const RECIPIENT_STRIKES = 2;
const SERVER_STRIKES = 4;

const LOST: Outcome = { kind: 'connection_error', greeted: true };
/** A RCPT was unanswered when the batch ended: that address was probed, and the answer came too late. */
const TOO_LATE: Outcome = { kind: 'timeout', greeted: true };
const NOT_DIALLED: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/**
 * Where to ask next about recipients without an answer. `later`: at the next address, and here again at the end, as it
 * had less time than usual.
 */
export type Onward = 'next_address' | 'next_host' | 'later';
export type Way = 'same_address' | Onward;

/** How a session, or a transaction in it, ended. */
export type SessionEnd =
  /** `alone`: it was to be for the made-up mailbox and no recipient. */
  | { readonly kind: 'failed'; readonly failure: SessionFailure; readonly alone: boolean }
  /** Recipients were deferred because of our number of connections. */
  | { readonly kind: 'put_off' }
  | {
      readonly kind: 'asked';
      readonly ending: TransactionEnd;
      /** The first recipient to be asked about; null: the made-up mailbox alone. */
      readonly first: RecipientProbe | null;
      readonly isAnswered: boolean;
      /** The last reply, if it and the one before refuse us in the same way, regardless of the recipient. */
      readonly refusedAlike: ReadReply | null;
    };
type Asked = Extract<SessionEnd, { kind: 'asked' }>;
type Silent = Extract<TransactionEnd, { kind: 'silent' }>;

export type Consequence = {
  readonly way: Way;
  /** Null if no one is to blame. */
  readonly evidence: Outcome | RelayDenied | null;
  readonly about: 'server' | readonly RecipientProbe[];
  /** It kept the made-up mailbox from being asked about. */
  readonly madeUp: boolean;
  /** Barren sessions in a row; a recipient given up counts as two. */
  readonly strikes: number;
};

/** What follows from how a session ended and how far it got. Pure. */
export function consequenceOf(end: SessionEnd, strikes: number): Consequence {
  switch (end.kind) {
    case 'failed':
      return afterFailure(end.failure, end.alone, strikes);
    case 'put_off':
      return leave('next_host', UNPROBED_FOR_OURS);
    case 'asked':
      return afterAsking(end, end.isAnswered ? 0 : strikes);
  }
}

function afterFailure({ stage, cause, outcome }: SessionFailure, alone: boolean, strikes: number): Consequence {
  if (outcome === null) return { ...leave(cause === 'timeout' ? 'later' : 'next_address', NOT_DIALLED), about: [] };
  if (stage === 'hello' && cause === 'lost') return barren([], outcome, alone, strikes);
  return leave(stage === 'hello' && cause === 'refused' ? 'next_host' : 'next_address', outcome);
}

function afterAsking(end: Asked, strikes: number): Consequence {
  const { ending, first, isAnswered, refusedAlike } = end;
  switch (ending.kind) {
    case 'tls_demanded':
      return again(strikes);
    case 'mail_refused':
      return leave('next_host', outcomeBeforeRcpt(ending.answer, { kind: 'mail_from_rejected' }));
    case 'silent':
      return afterSilence(end, ending, strikes);
    case 'void':
      // Silence again, at a single command, shows that the server treats all alike.
      return again(ending.silence ? strikes + RECIPIENT_STRIKES : strikes);
    case 'finished':
    case 'limit':
    case 'over':
      if (refusedAlike !== null) return refusesAll(refusedAlike, strikes);
      if (ending.kind !== 'over' || isAnswered) return again(strikes);
      if (first === null) return retry(LOST, true, strikes);
      return barren([first], LOST, false, strikes);
  }
}

function afterSilence({ first, isAnswered }: Asked, end: Silent, strikes: number): Consequence {
  const { silence, stage, named, madeUpAsked } = end;
  const outcome = outcomeOfSilence(silence);
  if (outcome === null) return { ...leave('next_host', TOO_LATE), about: named, madeUp: madeUpAsked };
  // Behind a recipient that got no answer, the made-up mailbox was hardly asked about.
  const spendsTry = first === null || (madeUpAsked && named.length === 0);
  if (first === null || (silence === 'lost' && isAnswered)) return retry(outcome, spendsTry, strikes);
  if (silence === 'lost') return barren(stage === 'rcpt' ? [first] : [], outcome, spendsTry, strikes);
  if (stage === 'mail') return leave('next_address', outcome);
  return giveUp(named, outcome, spendsTry, strikes);
}

/** No one is to blame: the remaining recipients are asked about in another session. */
function again(strikes: number): Consequence {
  return { way: 'same_address', evidence: null, about: [], madeUp: false, strikes };
}

/** One more session. If this one was used for the made-up mailbox, the evidence is the result of that try. */
function retry(outcome: Outcome, spendsTry: boolean, strikes: number): Consequence {
  return { ...again(strikes), evidence: spendsTry ? outcome : null, madeUp: spendsTry };
}

/** A session without any answer. `head`: the recipient that it began with, if it got that far. */
function barren(head: readonly RecipientProbe[], outcome: Outcome, spendsTry: boolean, strikes: number): Consequence {
  const after = strikes + 1;
  if (after % RECIPIENT_STRIKES > 0) return retry(outcome, spendsTry, after);
  if (head.length === 0) return leave('next_address', outcome);
  return giveUp(head, outcome, spendsTry, after - RECIPIENT_STRIKES);
}

/** Recipients are given up because of how the server reacted to them. */
function giveUp(them: readonly RecipientProbe[], outcome: Outcome, spendsTry: boolean, strikes: number): Consequence {
  const after = strikes + RECIPIENT_STRIKES;
  if (after >= SERVER_STRIKES) return leave('next_address', outcome);
  return { ...retry(outcome, spendsTry, after), evidence: outcome, about: them };
}

/** The server is of no further use. */
function leave(way: Onward, evidence: Outcome): Consequence {
  return { way, evidence, about: 'server', madeUp: true, strikes: 0 };
}

/** Two similar refusals of the client: the next recipients would get the same. */
function refusesAll(last: ReadReply, strikes: number): Consequence {
  const evidence = outcomeOfRcpt(last);
  if (evidence.kind === 'taken') return again(strikes); // an acceptance refuses nobody
  if (evidence.kind !== 'relay_denied') return leave('next_host', evidence);
  // A server that does not relay may still reveal the result of the made-up mailbox: that gets a session of its own.
  return { ...again(strikes), way: 'next_host', evidence, about: 'server' };
}

/**
 * `own`: it served nobody else. `shared`: it served other domains before, or commands were sent before its greeting.
 * `parallel`: other sessions of the domain are open beside it.
 */
export type SessionKind = 'own' | 'shared' | 'parallel';

/**
 * Whether all that was said in a session counts, or only judgements on a mailbox and greylisting: then the rest is asked
 * for again in a session of its own.
 * @param isTarpit the server delays refusals, the more the longer: it may have been silent because of those before
 */
export function allCounts(kind: SessionKind, result: TransactionResult, isTarpit: boolean): boolean {
  const { answers, madeUp, ending } = result;
  if (ending.kind === 'silent' && ending.silence === 'ended') return true;
  const isWhole = ending.kind === 'finished' || ending.kind === 'limit' || ending.kind === 'tls_demanded';
  if (isWhole && answers.every(isOfAllSessions) && (madeUp === null || isOfAllSessions(madeUp))) return true;
  const isCutShort = isTarpit && ending.kind === 'silent' && ending.silence === 'timeout' && answers.some(isJudgement);
  return kind === 'own' && !isCutShort;
}

/** About a mailbox, or greylisting, which depends on client, sender and recipient. */
function isOfAllSessions(answer: ReadReply): boolean {
  return isJudgement(answer) || (answer.said.deferral?.cause === 'greylisting' && !answer.said.endsSession);
}

/** A complaint before any recipient counts in any case; a refusal at RCPT means little beside a verdict. */
export function howItWent(complaint: Complaint | null, served: boolean): SessionResult {
  if (complaint?.when === 'opening') return complaint;
  return served ? 'served' : (complaint ?? 'neutral');
}

/** Where the server deferred the session because of our rate; null if it did not. */
export function putOffAt(complaint: Complaint | null): 'mail' | 'rcpt' | null {
  if (complaint?.why !== 'asked_too_much' || complaint.isAboutRate !== true) return null;
  return complaint.when === 'opening' ? 'mail' : 'rcpt';
}

function isJudgement({ said }: ReadReply): boolean {
  return MEANINGS[said.meaning].judges;
}

/** Whether a mailbox was judged, the made-up one included. */
export function judges({ answers, madeUp }: Pick<TransactionResult, 'answers' | 'madeUp'>): boolean {
  return answers.some(isJudgement) || (madeUp !== null && isJudgement(madeUp));
}

/** What counts in a session that may have gone wrong because of others. */
export function judgedIn({ answers, madeUp }: TransactionResult): Pick<TransactionResult, 'answers' | 'madeUp'> {
  return {
    answers: answers.filter(isOfAllSessions),
    madeUp: madeUp !== null && isOfAllSessions(madeUp) ? madeUp : null,
  };
}
