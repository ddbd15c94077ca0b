import type { Outcome } from '../../../schema/evidence.ts';
import {
  outcomeBeforeRcpt,
  outcomeOfRcpt,
  outcomeOfSilence,
  type ReadReply,
  type RelayDenied,
} from '../meaning/outcome.ts';
import type { Ending } from '../session/findings.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { Setback } from '../session/setback.ts';

// The dialogue with one address of an MX host, as a state machine. However a session ends, one of four ways follows:
//
//               ┌────────────────── same_address ──────────────────┐
//               ▼                                                  │
//     start ─► open ─► ask ─► how did it end? ─────────────────────┤
//               │       ▲              │ TLS is demanded           ├─► next_address  this one is of no use
//               │  same_session ◄── secure ─── failed ────────────►│
//               └───────────────────────────── failed ────────────►├─► next_host     this one has spoken its mind
//                                                                  │
//                                            nobody left to ask ──►└─► onward        whichever of the two is due
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

export type Onward = 'next_address' | 'next_host';

/** Where to ask next for those who have no answer yet. `same_session`: go on in it once it is secure. */
export type Way = 'same_session' | 'same_address' | Onward;

/** What a visit remembers from session to session. */
export type Standing = {
  /** Barren sessions in a row. */
  readonly barren: number;
  /** Recipients given up in a row. */
  readonly givenUp: number;
  /** Where to go once nobody is left to ask here. */
  readonly onward: Onward;
  /** STARTTLS is our own choice, and has not failed here yet. */
  readonly tlsFirst: boolean;
};

/** How a session, or the asking in it, ended. `alone`: it was opened for the made-up mailbox and no recipient. */
export type SessionEnd = { readonly alone: boolean } & (
  | { readonly kind: 'failed'; readonly setback: Setback }
  /** STARTTLS was our own choice and did not work. */
  | { readonly kind: 'tls_not_had' }
  /** The server cannot be told any of the names (RFC 6531), and the made-up mailbox is not owed. */
  | { readonly kind: 'nobody_to_ask' }
  | {
      readonly kind: 'asked';
      readonly ending: Ending;
      /** Those who were to be asked for, in this order. */
      readonly recipients: readonly RecipientProbe[];
      /** How many of them were answered. */
      readonly answered: number;
      /** The last reply, if it and the one before refuse us in the same way whoever is asked for. */
      readonly refusedAlike: ReadReply | null;
    }
);

export type Sequel = {
  readonly way: Way;
  /** Whom the evidence is about. `madeUp`: it is what stopped the made-up mailbox from being asked about. */
  readonly blame: {
    readonly recipients: readonly RecipientProbe[];
    readonly server: boolean;
    readonly madeUp: boolean;
  };
  /** Null if nobody is blamed. */
  readonly evidence: Outcome | RelayDenied | null;
  readonly standing: Standing;
};

export function newStanding(tlsFirst: boolean): Standing {
  return { barren: 0, givenUp: 0, onward: 'next_host', tlsFirst };
}

/** What follows from how a session ended and how far it got. Pure. */
export function whatFollows(end: SessionEnd, standing: Standing): Sequel {
  switch (end.kind) {
    case 'failed':
      return afterSetback(end.setback, end.alone, standing);
    case 'tls_not_had':
      return again({ ...standing, tlsFirst: false });
    case 'nobody_to_ask':
      return again(standing);
    case 'asked':
      return afterAsking(end, end.answered > 0 ? { ...standing, barren: 0, givenUp: 0 } : standing);
  }
}

/** Nobody was asked about: the address, or the whole host, is of no use. A connection lost after 220 is tried again. */
function afterSetback({ stage, cause, outcome }: Setback, alone: boolean, standing: Standing): Sequel {
  if (stage === 'hello' && cause === 'lost' && outcome !== null) return barren([], outcome, alone, standing);
  const way = stage === 'pace' || (stage === 'hello' && cause === 'refused') ? 'next_host' : 'next_address';
  if (outcome !== null) return leave(way, outcome, standing);
  return {
    way,
    blame: { recipients: [], server: false, madeUp: true },
    evidence: NOT_DIALLED,
    standing: { ...standing, onward: way },
  };
}

function afterAsking(end: Extract<SessionEnd, { kind: 'asked' }>, standing: Standing): Sequel {
  const { ending, alone, recipients, answered, refusedAlike } = end;
  switch (ending.kind) {
    case 'finished':
      return refusedAlike === null ? again(standing) : refusesAll(refusedAlike, standing);
    case 'over':
      if (refusedAlike !== null) return refusesAll(refusedAlike, standing);
      if (answered > 0) return again(standing);
      if (recipients.length === 0) return retry(LOST, alone, standing);
      return barren(recipients.slice(0, 1), LOST, alone, standing);
    case 'mail_refused':
      return leave('next_host', outcomeBeforeRcpt(ending.answer, { kind: 'mail_from_rejected' }), standing);
    case 'tls_demanded':
      return { ...again(standing), way: 'same_session' };
    case 'silent':
      return afterSilence(end, ending, standing);
  }
}

function afterSilence(
  { alone, recipients, answered }: Extract<SessionEnd, { kind: 'asked' }>,
  { silence, stage, named, madeUpAsked }: Extract<Ending, { kind: 'silent' }>,
  standing: Standing,
): Sequel {
  const spendsTry = alone || madeUpAsked;
  const outcome = outcomeOfSilence(silence);
  if (outcome === null)
    return {
      way: 'next_host',
      blame: { recipients: named, server: false, madeUp: madeUpAsked },
      evidence: TOO_LATE,
      standing: { ...standing, onward: 'next_host' },
    };
  if (recipients.length === 0 || (silence === 'lost' && answered > 0)) return retry(outcome, spendsTry, standing);
  if (silence === 'lost') return barren(stage === 'rcpt' ? recipients.slice(0, 1) : [], outcome, spendsTry, standing);
  if (stage === 'mail') return leave('next_address', outcome, standing);
  return giveUp(named, outcome, spendsTry, standing);
}

/** Nobody is to blame: whoever is left is asked about in another session. */
function again(standing: Standing): Sequel {
  return { way: 'same_address', blame: NOBODY, evidence: null, standing };
}

/** One more session. If this one was spent on the made-up mailbox, the evidence is what became of that try. */
function retry(outcome: Outcome, spendsTry: boolean, standing: Standing): Sequel {
  if (!spendsTry) return again(standing);
  return { ...again(standing), blame: { ...NOBODY, madeUp: true }, evidence: outcome };
}

/** A session that answered for nobody. `head`: the recipient that it began with, if it got as far. */
function barren(head: readonly RecipientProbe[], outcome: Outcome, spendsTry: boolean, standing: Standing): Sequel {
  const count = standing.barren + 1;
  if (count < BARREN_SESSIONS) return retry(outcome, spendsTry, { ...standing, barren: count });
  const since = { ...standing, barren: 0 };
  return head.length === 0 ? leave('next_address', outcome, since) : giveUp(head, outcome, spendsTry, since);
}

/** Recipients are given up because of what the server did to them; the next address may do better. */
function giveUp(
  recipients: readonly RecipientProbe[],
  outcome: Outcome,
  spendsTry: boolean,
  standing: Standing,
): Sequel {
  const givenUp = standing.givenUp + 1;
  const after = { ...standing, givenUp, onward: 'next_address' } as const;
  const next = givenUp < GIVEN_UP_RECIPIENTS ? retry(outcome, spendsTry, after) : leave('next_address', outcome, after);
  return { ...next, blame: { ...next.blame, recipients }, evidence: outcome };
}

/** The server is of no more use to anybody. */
function leave(way: Onward, evidence: Outcome, standing: Standing): Sequel {
  return {
    way,
    blame: { recipients: [], server: true, madeUp: true },
    evidence,
    standing: { ...standing, onward: way },
  };
}

/** Two like refusals of the client: what the next recipients would get is known. */
function refusesAll(last: ReadReply, standing: Standing): Sequel {
  const evidence = outcomeOfRcpt(last);
  if (evidence.kind === 'taken') return again(standing); // an acceptance refuses nobody
  if (evidence.kind !== 'relay_denied') return leave('next_host', evidence, standing);
  // A server that does not relay may still tell the made-up mailbox's fate: it is owed a session of its own.
  return {
    way: 'next_host',
    blame: { ...NOBODY, server: true },
    evidence,
    standing: { ...standing, onward: 'next_host' },
  };
}

const NOBODY: Sequel['blame'] = { recipients: [], server: false, madeUp: false };
