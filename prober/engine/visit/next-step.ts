import { findingOf, type RcptAnswer, readByControls } from '../meaning/controls.ts';
import type { Complaint } from '../limits/server/complaint.ts';
import type { SessionResult } from '../limits/connection-request.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { isSentAway } from '../session/session-failure.ts';
import type { TransactionEnd } from '../session/transaction-result.ts';
import type { Fate } from '../pool/held-session.ts';
import { consequenceOf, type SessionEnd, type Way } from './consequence.ts';
import type { VisitRecord } from './visit-record.ts';
import { howItWent, isCutShort, isJudgement, isPlain, isRecalled, judgedIn } from './trust.ts';
import type { Current, Phase, VisitState, Ready, VisitEvent, Note, Next, Of } from './visit-step.ts';

// The visit at one address of an MX host, as a state machine: which step follows from where the visit stands and what
// happened. Pure: `Visit` takes the steps, and tells what happened.
//
//             ┌─────────────────────────────► free ──────────────────────────────► left
//             │                               │  ▲   nobody is left to ask about, the batch
//             │                       acquire │  │   ends, or no time is left
//             │                               ▼  │
//             │                           opening ── no session: retry, or give the address up
//             │                               │
//             │                               ▼   STARTTLS is our own choice
//             │        ┌──────────────── (a session) ─────────────────► securing
//             │        │ nobody can be        │ ▲                         │  │
//             │        │ named               ask └──────── secure ────────┘  │
//             │        │                      ▼                              │
//             │        │                   asking ── TLS is demanded ──► securing
//             │        │                   │      │                          │ no TLS
//             │        │ the transaction   │      │ a reply that nothing     │
//             │        │ ended             │      │ explains, and somebody   │
//             │        │                   │    test       was accepted      │
//             │        │                   │      ▼                          │
//             │        │                   │   testing                       │
//             │        ▼                   ▼      ▼                          ▼
//             └──────────────────────────── release ◄────────────────────────┘
//
// A test asks about the made-up mailbox and one more (`meaning/controls.ts`). What was heard before it is believed once it
// has ended, however it did. What tests have shown is kept back until the visit ends, since a later one may take it back.
//
// A session is released exactly once, by the step `release`, whose `fate` says what becomes of it: the pool hands it on to
// another domain if it ended well, and else it is closed. What the server did is believed only as far as `trust.ts`
// allows; what it is evidence of, and where to ask next, is said by `consequence.ts`.

/** The next step of a visit. An event that cannot happen in its state is a bug, and thrown. */
export function nextStep({ record, phase }: VisitState, event: VisitEvent): Next {
  switch (event.kind) {
    case 'free':
      if (phase.at === 'free') return afterAll(record, phase.way, event);
      break;
    case 'not_opened':
      if (phase.at === 'opening') return afterNoSession(record, phase.alone, event);
      break;
    case 'opened':
      if (phase.at === 'opening') return afterOpening(record, phase.alone, event);
      break;
    case 'secured':
      if (phase.at === 'securing') return afterSecuring(record, phase, event);
      break;
    case 'heard':
      if (phase.at === 'asking') return afterAsking(record, phase, event);
      break;
    case 'tested':
      if (phase.at === 'testing') return afterTesting(record, phase, event);
      break;
  }
  throw new Error(`a visit at '${phase.at}' cannot hear of '${event.kind}'`);
}

/** No session is held: somebody is asked about in another, or the visit ends. */
function afterAll(record: VisitRecord, way: Way, event: Of<'free'>): Next {
  const { ended, hasTime, madeUp, parallel } = event;
  const leaves = way !== 'same_address';
  const notes: Note[] = leaves ? [{ kind: 'leave_rest' }] : [];
  // A doubted made-up mailbox is asked about first, by a session that is asked nothing else.
  const recipients = leaves || madeUp.doubted ? [] : event.recipients;
  const somebody = recipients.length > 0 || (madeUp.owed && !madeUp.underWay);
  if (ended || !hasTime || (!somebody && parallel === 'none'))
    return { state: { record, phase: { at: 'left' } }, notes, step: { kind: 'leave', onward: record.onward } };
  if (parallel === 'dismissed' || !somebody)
    return { state: { record, phase: FREE }, notes, step: { kind: 'wait_for_parallel' } };
  return {
    state: { record, phase: { at: 'opening', alone: recipients.length === 0 } },
    notes,
    step: {
      kind: 'acquire',
      recipients,
      use: madeUp.doubted ? 'own' : record.use,
      forMadeUp: madeUp.owed,
      early: record.early && recipients[0]?.utf8 !== true,
    },
  };
}

function afterNoSession(before: VisitRecord, alone: boolean, { failure, parallel }: Of<'not_opened'>): Next {
  const record = { ...before, crowded: failure.kind === 'crowded' ? before.crowded + 1 : 0 };
  // What fails beside other sessions is no evidence.
  if (parallel !== 'none')
    return {
      state: { record, phase: FREE },
      notes: isSentAway(failure) ? [{ kind: 'dismiss_parallel' }] : [],
      step: { kind: 'retry', pauses: 0, own: 'failed' },
    };
  if (failure.kind === 'crowded')
    // The first time it waits for its permit alone.
    return {
      state: { record, phase: FREE },
      notes: [],
      step: { kind: 'retry', pauses: record.crowded - 1, own: 'served' },
    };
  const { way, ...found } = conclude(record, { kind: 'failed', failure: failure.failure, alone });
  return {
    state: { record: found.record, phase: { at: 'free', way } },
    notes: found.notes,
    step: { kind: 'retry', pauses: 0, own: 'served' },
  };
}

function afterOpening(before: VisitRecord, alone: boolean, event: Of<'opened'>): Next {
  const { turn, early, streak, refusedByLimits, offersStartTls, ready } = event;
  const record = turn === 0 ? { ...before, crowded: 0 } : before;
  const current: Current = { alone, turn, early, streak, served: false };
  if (refusedByLimits !== null)
    return release(current, 'neutral', null, {
      ...conclude(record, { kind: 'failed', failure: refusedByLimits.failure, alone }),
      fate: openFate(record),
    });
  if (record.tlsFirst && offersStartTls)
    return {
      state: { record, phase: { at: 'securing', current, demanded: false } },
      notes: [],
      step: { kind: 'secure', demand: null },
    };
  return ask(record, current, null, ready);
}

function afterSecuring(
  record: VisitRecord,
  { current, demanded }: Extract<Phase, { at: 'securing' }>,
  { blocked, complaint, ready }: Of<'secured'>,
): Next {
  const { alone, served } = current;
  if (blocked === null) return ask(record, current, complaint, ready);
  const end: SessionEnd = demanded
    ? { kind: 'failed', failure: blocked.failure, alone }
    : { kind: 'tls_not_had', alone };
  return release(current, howItWent(complaint, served), complaint, { ...conclude(record, end), fate: 'over' });
}

/** Asks in the session at hand, if anybody can be asked about in it. */
function ask(record: VisitRecord, current: Current, complaint: Complaint | null, ready: Ready): Next {
  const notes: Note[] = ready.greeted ? [{ kind: 'smtp_utf8', offered: ready.offersSmtpUtf8 }] : [];
  // Without SMTPUTF8 there is no way to name a recipient whose local part is not ASCII (RFC 6531 §3.4).
  const nameless = !ready.offersSmtpUtf8 && ready.recipients[0]?.utf8 === true;
  if (nameless) notes.push({ kind: 'cannot_be_named', recipients: ready.recipients });
  const recipients = nameless ? [] : ready.recipients;
  if (recipients.length === 0 && ready.madeUp !== 'owed') {
    const found = conclude(record, { kind: 'nobody_to_ask', alone: current.alone });
    return release(current, howItWent(complaint, current.served), complaint, {
      ...found,
      notes: [...notes, ...found.notes],
      fate: openFate(record),
    });
  }
  return {
    state: { record, phase: { at: 'asking', current, recipients } },
    notes,
    step: {
      kind: 'ask',
      recipients,
      // A tarpit is asked about it in a session of its own.
      madeUp: ready.slow && recipients.length > 1 ? 'known' : ready.madeUp,
      mayHelp: !record.tlsFirst,
      mayTest: current.turn === 0,
    },
  };
}

function afterAsking(
  record: VisitRecord,
  { current, recipients }: Extract<Phase, { at: 'asking' }>,
  event: Of<'heard'>,
): Next {
  const { result, greeted, complaint, tarpit, confirmed, parallel } = event;
  const plain = isPlain(result);
  if (current.early && !(plain && (greeted || isRecalled(result)))) return startInOrder(record, current, complaint);
  if (event.isOfOurs) return afterPutOff(record, current, event);
  const { second } = result;
  // What nothing explains is put to the test, in a session of its own.
  const isShared = current.turn > 0 && !(confirmed && second === null);
  const mayBeOthers = isShared || parallel !== 'none' || (tarpit && isCutShort(result));
  if (mayBeOthers && !plain) return distrust(record, current, event);
  if (second === null || current.turn > 0 || parallel !== 'none' || event.refused)
    return believe(record, current, recipients, event);
  return {
    state: { record, phase: { at: 'testing', current, recipients, second, heard: event } },
    notes: [],
    step: { kind: 'test', second },
  };
}

/** What was heard before the test is read again by its controls. */
function afterTesting(
  record: VisitRecord,
  { current, recipients, second, heard }: Extract<Phase, { at: 'testing' }>,
  { result: { answers, madeUp, ending }, complaint }: Of<'tested'>,
): Next {
  const before = heard.result;
  const finding = findingOf(before.answers, madeUp, { kind: second.kind, answer: answers[0] ?? null });
  const read = <A extends RcptAnswer>(one: A): A => (madeUp === null ? one : readByControls(one, madeUp, finding));
  const result = {
    ...before,
    answers: before.answers.map(read),
    madeUp: before.madeUp === null ? madeUp && read(madeUp) : read(before.madeUp),
  };
  const next = believe(
    record,
    current,
    recipients,
    { ...heard, result, complaint: heard.complaint ?? complaint },
    ending,
  );
  return { ...next, notes: [{ kind: 'tested', finding }, ...next.notes] };
}

/**
 * What was said holds: it is noted, and the way goes by how the transaction ended.
 * @param last how the session's last transaction ended, which says what becomes of the session
 */
function believe(
  before: VisitRecord,
  current: Current,
  recipients: readonly RecipientProbe[],
  { result, greeted, complaint, refused }: Of<'heard'>,
  last: TransactionEnd = result.ending,
): Next {
  const { answers, madeUp, ending } = result;
  const served = current.served || [...answers, madeUp].some((answer) => answer !== null && isJudgement(answer));
  const notes: Note[] = current.early && greeted ? [{ kind: 'pipeconnect', kept: true }] : [];
  // A domain that is served in a session of its own, and was not in another's, was not because of the others.
  if (served && before.failedAfter !== null) notes.push({ kind: 'shared_too_long', turns: before.failedAfter });
  notes.push({ kind: 'replies', answers, madeUp });
  const found = conclude(served ? { ...before, failedAfter: null, putOff: 0 } : before, {
    kind: 'asked',
    alone: current.alone,
    ending,
    recipients,
    answered: answers.length,
    refusedAlike: refused ? (answers.at(-1) ?? null) : null,
  });
  notes.push(...found.notes);
  const now: Current = { ...current, early: false, served };
  if (ending.kind === 'tls_demanded')
    return {
      state: { record: found.record, phase: { at: 'securing', current: now, demanded: true } },
      notes,
      step: { kind: 'secure', demand: ending },
    };
  return release(now, howItWent(complaint, served), complaint, {
    ...found,
    notes,
    fate: fateAfter(last, found.record),
  });
}

/**
 * A session that others were asked about before, or beside it, has failed this domain, or said what may have been meant
 * for them. Plain judgements count; a recipient that has none is asked about again: if the session goes on, in one that
 * serves those whom others turned away, and else in one of its own.
 */
function distrust(record: VisitRecord, current: Current, { result, complaint, parallel }: Of<'heard'>): Next {
  const { turn } = current;
  const judged = judgedIn(result);
  const notes: Note[] = [];
  if (complaint !== null) notes.push({ kind: 'dismiss_parallel' });
  const isRepeated = turn > 0 && record.use === 'shared' && result.ending.kind === 'finished' && result.second === null;
  if (isRepeated)
    notes.push({ kind: 'doubt', answers: [...result.answers, ...(result.madeUp === null ? [] : [result.madeUp])] });
  notes.push({ kind: 'client_refusals', how: turn > 0 ? 'is_doubted' : 'starts_over' }, { kind: 'replies', ...judged });
  return release(current, judged.answers.some(isJudgement) ? 'served' : 'neutral', complaint, {
    record: { ...record, use: isRepeated ? 'repeat' : 'own', failedAfter: turn > 0 ? turn : record.failedAfter },
    way: 'same_address',
    notes,
    fate: fateAfter(result.ending, record),
    own: parallel === 'none' ? 'served' : 'failed',
  });
}

/**
 * The server put the session off, for all that can be seen because of our crowd. What it judged counts. The others are asked
 * about again when the limits, which know it now, let another session begin; after some of these, and at once if it was
 * said at RCPT, of which the limits learn nothing, it is left alone.
 */
function afterPutOff(before: VisitRecord, current: Current, { result, complaint }: Of<'heard'>): Next {
  const judged = judgedIn(result);
  const served = judged.answers.some(isJudgement);
  const record = { ...before, putOff: served ? 1 : before.putOff + 1 };
  const notes: Note[] = [
    { kind: 'client_refusals', how: 'starts_over' },
    { kind: 'replies', ...judged },
  ];
  const found: Found =
    record.putOff < PUT_OFF_MAX && complaint?.when !== 'rcpt'
      ? { record, notes: [], way: 'same_address' }
      : conclude(record, { kind: 'put_off', alone: current.alone });
  const fate = result.ending.kind === 'silent' ? 'destroy' : 'quit';
  // What one domain says at RCPT counts as ever: several in a row rest the server.
  const how = howItWent(complaint?.when === 'rcpt' ? complaint : null, served);
  return release(current, how, null, { ...found, notes: [...notes, ...found.notes], fate });
}

/** A server that was talked to early did not do as it had offered: nothing that it said counts, it is asked in due order. */
function startInOrder(record: VisitRecord, current: Current, complaint: Complaint | null): Next {
  return release(current, 'neutral', complaint, {
    record: { ...record, early: false },
    way: 'same_address',
    notes: [
      { kind: 'pipeconnect', kept: false },
      { kind: 'client_refusals', how: 'starts_over' },
    ],
    fate: 'destroy',
  });
}

/** Sessions in a row that are put off because of our crowd before the server is left alone. */
const PUT_OFF_MAX = 3;

const FREE: Phase = { at: 'free', way: 'same_address' };

type Found = { readonly record: VisitRecord; readonly notes: readonly Note[]; readonly way: Way };

/** What the end of a session, or of the try to have one, is evidence of. */
function conclude(before: VisitRecord, end: SessionEnd): Found {
  const { way, blame, evidence, record } = consequenceOf(end, before);
  const notes: Note[] = end.kind === 'failed' ? [{ kind: 'no_session', failure: end.failure }] : [];
  if (evidence !== null) notes.push({ kind: 'evidence', evidence, blame });
  return { record, notes, way };
}

type Release = Found & { readonly fate: Fate; readonly own?: 'served' | 'failed' };

/** The one way out of a session. */
function release(
  { turn, streak }: Current,
  sessionResult: SessionResult,
  complaint: Complaint | null,
  { record, notes, way, fate, own = 'served' }: Release,
): Next {
  const since = record.refusedSince ?? streak;
  const refusedSince = turn > 0 && complaint !== null ? since : record.refusedSince;
  return {
    state: { record: { ...record, refusedSince }, phase: { at: 'free', way } },
    notes,
    step: { kind: 'release', fate, sessionResult, since, own },
  };
}

function fateAfter(ending: TransactionEnd, record: VisitRecord): Fate {
  if (ending.kind === 'silent') return 'destroy';
  return ending.kind === 'finished' ? openFate(record) : 'quit';
}

/** An implicit MX has no other domains. */
function openFate({ implicit }: VisitRecord): Fate {
  return implicit ? 'quit' : 'hand_on';
}
