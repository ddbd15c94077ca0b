import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import type { Complaint } from '../limits/server/complaint.ts';
import { testable } from '../meaning/controls.ts';
import { type ReadReply, readReply } from '../meaning/outcome.ts';
import { createRecipientProbe, type RecipientProbe } from '../recipients/recipient-probe.ts';
import { failed } from '../session/session-failure.ts';
import type { RcptReply, TransactionEnd, TransactionResult } from '../session/transaction-result.ts';
import type { Crowded } from '../pool/open-session.ts';
import { nextStep } from './next-step.ts';
import { newVisitRecord, type VisitRecord } from './visit-record.ts';
import type { Next, Parallel, Phase, Ready, Step, VisitEvent, VisitState } from './visit-step.ts';

// Tests one concept, the policy of a visit: which step `nextStep` takes after each event, and that every visit it plans ends.

function recipientsOf(count: number, utf8 = false): readonly RecipientProbe[] {
  return Array.from({ length: count }, (_, index) => createRecipientProbe(`u${index}`, utf8, index));
}

function read(raw: string): ReadReply {
  return readReply(classifyPlainly, 'rcpt', rawReply(raw));
}

const BOTH = recipientsOf(2);
const NOBODY = createRecipientProbe('nobody', false, 9);
const UTF8 = recipientsOf(1, true);
const ROW = { row: 'when acquired' };
const EARLIER_ROW = { row: 'when first refused' };
const OPENING: Complaint = { when: 'opening', why: 'asked_too_much' };
const AT_RCPT: Complaint = { when: 'rcpt', why: 'asked_too_much' };
const COOLING: Outcome = { kind: 'unprobed', why: 'cooldown', waitS: 30 };
const NO_BANNER: Outcome = { kind: 'no_banner', refused: true };
const REFUSED = failed('greeting', 'refused', NO_BANNER, OPENING);
const UNREACHED = failed('dial', 'timeout', { kind: 'timeout', greeted: false });
const CROWDED: Crowded = { kind: 'crowded', failure: failed('greeting', 'lost', null).failure, bears: 1 };
const NO_TLS = failed('hello', 'refused', { kind: 'ehlo_rejected' });

const FINISHED: TransactionEnd = { kind: 'finished' };
const OVER: TransactionEnd = { kind: 'over' };
const LOST: TransactionEnd = { kind: 'silent', silence: 'lost', stage: 'rcpt', named: [], madeUpAsked: false };
const TIMEOUT: TransactionEnd = { ...LOST, silence: 'timeout' };
const DEMAND: TransactionEnd = { kind: 'tls_demanded', stage: 'rcpt', answer: read('530 5.7.0 STARTTLS') };

const FREE: Phase = { at: 'free', way: 'same_address' };
const CURRENT = { alone: false, turn: 0, early: false, streak: ROW, served: false };
const ASKING: Phase = { at: 'asking', current: CURRENT, recipients: BOTH };
const SHARED: Phase = { ...ASKING, current: { ...CURRENT, turn: 3 } };
const EARLY: Phase = { ...ASKING, current: { ...CURRENT, early: true } };
const SECURING: Phase = { at: 'securing', current: CURRENT, demanded: true };
const READY: Ready = { recipients: BOTH, offersSmtpUtf8: true, greeted: true, madeUp: 'if_accepted', slow: false };

function free(over: Partial<Extract<VisitEvent, { kind: 'free' }>> = {}): VisitEvent {
  const madeUp = { owed: false, doubted: false, underWay: false };
  return { kind: 'free', ended: false, hasTime: true, recipients: BOTH, madeUp, parallel: 'none', ...over };
}

function opened(over: Partial<Extract<VisitEvent, { kind: 'opened' }>> = {}): VisitEvent {
  const none = { turn: 0, early: false, streak: ROW, refusedByLimits: null, offersStartTls: true };
  return { kind: 'opened', ...none, ready: READY, ...over };
}

function secured(over: Partial<Extract<VisitEvent, { kind: 'secured' }>> = {}): VisitEvent {
  return { kind: 'secured', blocked: null, complaint: null, ready: READY, ...over };
}

/** What is asked about, and what came of it. A reply that nothing explains is to be put to the test. */
function tried(raw: string, recipient: RecipientProbe): RcptReply {
  const answer = read(raw);
  return { ...answer, recipient, masked: testable(answer, { local: recipient.local, domain: 'd.test' }) };
}

function result(ending: TransactionEnd, ...replies: readonly string[]): TransactionResult {
  const answers = BOTH.flatMap((recipient, i) => {
    const raw = replies[i];
    return raw === undefined ? [] : [tried(raw, recipient)];
  });
  return { answers, madeUp: null, ending, second: null };
}

function heard(said: TransactionResult, over: Partial<Extract<VisitEvent, { kind: 'heard' }>> = {}): VisitEvent {
  const none = { greeted: true, complaint: null, isOfOurs: false, tarpit: false, refused: false } as const;
  return { kind: 'heard', result: said, ...none, confirmed: false, parallel: 'none', ...over };
}

/** A step in a few words. */
function told(step: Step): string {
  switch (step.kind) {
    case 'acquire':
      return [
        'acquire',
        step.recipients.length,
        ...(step.use === 'shared' ? [] : [step.use]),
        ...(['forMadeUp', 'early'] as const).filter((is) => step[is]),
      ].join(' ');
    case 'secure':
      return step.demand === null ? 'secure by choice' : 'secure as demanded';
    case 'ask':
      return `ask ${step.recipients.length} ${step.madeUp}${step.mayHelp ? '' : ' alone'}`;
    case 'test':
      return `test ${step.second.kind} ${step.second.recipient.local}`;
    case 'release':
      return `${step.fate} ${typeof step.sessionResult === 'string' ? step.sessionResult : 'complaint'} ${step.own}`;
    case 'retry':
      return `retry ${step.pauses} ${step.own}`;
    case 'wait_for_parallel':
      return step.kind;
    case 'leave':
      return `leave ${step.onward}`;
  }
}

type Row = readonly [
  what: string,
  phase: Phase,
  event: VisitEvent,
  step: string,
  notes?: string,
  before?: Partial<VisitRecord>,
  after?: Partial<VisitRecord>,
];

const OWED = { owed: true, doubted: false, underWay: false };
const OK = '250 2.1.5 ok';
const NO = '550 5.1.1 no such';
const US = '550 5.7.1 not you';
const PUZZLE = '550 zzyzx';
const OPEN_UTF8 = { ...READY, recipients: UTF8, offersSmtpUtf8: false };

const RATE = { when: 'opening', why: 'asked_too_much', isAboutRate: true } as const;
const MAIL_LATER: TransactionEnd = { kind: 'mail_refused', answer: read('421 4.7.0 rate limit exceeded') };

const PUZZLED = {
  kind: 'heard',
  result: { ...result(FINISHED, OK, PUZZLE), second: { kind: 'accepted', recipient: recipientsOf(1)[0] ?? NOBODY } },
  greeted: true,
  complaint: null,
  isOfOurs: false,
  tarpit: false,
  refused: false,
  confirmed: false,
  parallel: 'none',
} as const satisfies VisitEvent;
const TESTING: Phase = {
  at: 'testing',
  current: CURRENT,
  recipients: BOTH,
  second: PUZZLED.result.second,
  heard: PUZZLED,
};
const APART: Partial<VisitRecord> = { use: 'own', failedAfter: 3 };

/** What a test heard: of the made-up mailbox, and of the one who was accepted. */
function tested(ending: TransactionEnd, madeUp?: string, ...second: readonly string[]): VisitEvent {
  const said = madeUp === undefined ? null : tried(madeUp, createRecipientProbe('made.up', false, 0));
  return { kind: 'tested', result: { ...result(ending, ...second), madeUp: said }, complaint: null };
}

const TRANSITIONS: readonly Row[] = [
  // Free.
  ['somebody is to be asked about', FREE, free(), 'acquire 2 early'],
  ['not early what needs SMTPUTF8', FREE, free({ recipients: UTF8 }), 'acquire 1'],
  ['in a session of its own once sharing failed', FREE, free(), 'acquire 2 own early', '', { use: 'own' }],
  ['among those whom others turned away', FREE, free(), 'acquire 2 repeat early', '', { use: 'repeat' }],
  ['the made-up mailbox is owed', FREE, free({ recipients: [], madeUp: OWED }), 'acquire 0 forMadeUp early'],
  [
    'it is in doubt: before anybody else, and alone',
    FREE,
    free({ madeUp: { ...OWED, doubted: true } }),
    'acquire 0 own forMadeUp early',
  ],
  ['another session is at it', FREE, free({ recipients: [], madeUp: { ...OWED, underWay: true } }), 'leave next_host'],
  ['nobody is left', FREE, free({ recipients: [] }), 'leave next_host'],
  [
    'nobody is left, some given up',
    FREE,
    free({ recipients: [] }),
    'leave next_address',
    '',
    { onward: 'next_address' },
  ],
  ['the batch has ended', FREE, free({ ended: true }), 'leave next_host'],
  ['no time is left', FREE, free({ hasTime: false, parallel: 'at_work' }), 'leave next_host'],
  ['only parallel sessions have work', FREE, free({ recipients: [], parallel: 'at_work' }), 'wait_for_parallel'],
  ['parallel sessions have work too', FREE, free({ parallel: 'at_work' }), 'acquire 2 early'],
  ['the server bears one session', FREE, free({ parallel: 'dismissed' }), 'wait_for_parallel'],
  ['the address is given up', { at: 'free', way: 'next_host' }, free(), 'leave next_host', 'leave_rest'],
  [
    'it is given up, the made-up mailbox owed',
    { at: 'free', way: 'next_host' },
    free({ madeUp: OWED }),
    'acquire 0 forMadeUp early',
    'leave_rest',
  ],
  // No session.
  [
    'it could not be had',
    { at: 'opening', alone: false },
    notOpened(UNREACHED),
    'retry 0 served',
    'no_session evidence',
    {},
    { onward: 'next_address' },
  ],
  [
    'others left no room',
    { at: 'opening', alone: false },
    notOpened(CROWDED),
    'retry 0 served',
    '',
    {},
    { crowded: 1 },
  ],
  [
    'nor again',
    { at: 'opening', alone: false },
    notOpened(CROWDED),
    'retry 2 served',
    '',
    { crowded: 2 },
    { crowded: 3 },
  ],
  [
    'what fails beside others is no evidence',
    { at: 'opening', alone: false },
    notOpened(UNREACHED, 'at_work'),
    'retry 0 failed',
  ],
  [
    'a complaint ends the help',
    { at: 'opening', alone: false },
    notOpened(REFUSED, 'at_work'),
    'retry 0 failed',
    'dismiss_parallel',
  ],
  // A session.
  [
    'a session',
    { at: 'opening', alone: false },
    opened(),
    'ask 2 if_accepted',
    'smtp_utf8',
    { crowded: 2 },
    { crowded: 0 },
  ],
  [
    'one that others had leaves the crowd as it is',
    { at: 'opening', alone: false },
    opened({ turn: 1 }),
    'ask 2 if_accepted',
    'smtp_utf8',
    { crowded: 2 },
    { crowded: 2 },
  ],
  [
    'one talked to early tells nothing yet',
    { at: 'opening', alone: false },
    opened({ early: true, ready: { ...READY, greeted: false } }),
    'ask 2 if_accepted',
  ],
  [
    'a tarpit is not asked about the made-up mailbox too',
    { at: 'opening', alone: false },
    opened({ ready: { ...READY, slow: true } }),
    'ask 2 known',
    'smtp_utf8',
  ],
  [
    'a tarpit with one recipient is',
    { at: 'opening', alone: false },
    opened({ ready: { ...READY, recipients: UTF8, slow: true } }),
    'ask 1 if_accepted',
    'smtp_utf8',
  ],
  [
    'too many unknown',
    { at: 'opening', alone: false },
    opened({ refusedByLimits: failed('limits', 'refused', COOLING) }),
    'hand_on neutral served',
    'no_session evidence',
  ],
  [
    'nobody is left meanwhile',
    { at: 'opening', alone: false },
    opened({ ready: { ...READY, recipients: [] } }),
    'hand_on neutral served',
    'smtp_utf8',
  ],
  [
    'nor is the session of an implicit MX',
    { at: 'opening', alone: false },
    opened({ ready: { ...READY, recipients: [] } }),
    'quit neutral served',
    'smtp_utf8',
    { implicit: true },
  ],
  [
    'no SMTPUTF8',
    { at: 'opening', alone: false },
    opened({ ready: OPEN_UTF8 }),
    'hand_on neutral served',
    'smtp_utf8 cannot_be_named',
  ],
  [
    'no SMTPUTF8, the made-up mailbox owed',
    { at: 'opening', alone: false },
    opened({ ready: { ...OPEN_UTF8, madeUp: 'owed' } }),
    'ask 0 owed',
    'smtp_utf8 cannot_be_named',
  ],
  // STARTTLS.
  ['by choice', { at: 'opening', alone: false }, opened(), 'secure by choice', '', { tlsFirst: true }],
  [
    'by choice, not offered',
    { at: 'opening', alone: false },
    opened({ offersStartTls: false }),
    'ask 2 if_accepted alone',
    'smtp_utf8',
    { tlsFirst: true },
  ],
  [
    'by choice, in vain',
    { ...SECURING, demanded: false },
    secured({ blocked: NO_TLS }),
    'over neutral served',
    '',
    { tlsFirst: true },
    { tlsFirst: false },
  ],
  ['secure', SECURING, secured(), 'ask 2 if_accepted', 'smtp_utf8'],
  ['demanded', ASKING, heard(result(DEMAND)), 'secure as demanded', 'replies'],
  ['demanded, in vain', SECURING, secured({ blocked: NO_TLS }), 'over neutral served', 'no_session evidence'],
  // The transaction ended.
  ['all judged', ASKING, heard(result(FINISHED, OK, NO)), 'hand_on served served', 'replies'],
  [
    'all judged, implicit MX',
    ASKING,
    heard(result(FINISHED, OK, NO)),
    'quit served served',
    'replies',
    { implicit: true },
  ],
  [
    'all judged after a shared session failed',
    ASKING,
    heard(result(FINISHED, OK)),
    'hand_on served served',
    'shared_too_long replies',
    { failedAfter: 3 },
    { failedAfter: null },
  ],
  ['the server ends it', ASKING, heard(result(OVER, OK)), 'quit served served', 'replies'],
  [
    'put off because of our crowd',
    ASKING,
    heard(result(MAIL_LATER), { complaint: RATE, isOfOurs: true }),
    'quit neutral served',
    'client_refusals replies',
    {},
    { putOff: 1 },
  ],
  [
    'put off because of our crowd, one judged',
    ASKING,
    heard(result(OVER, NO), { complaint: RATE, isOfOurs: true }),
    'quit served served',
    'client_refusals replies',
    { putOff: 2 },
    { putOff: 1 },
  ],
  [
    'put off because of our crowd, for the third time',
    ASKING,
    heard(result(MAIL_LATER), { complaint: RATE, isOfOurs: true }),
    'quit neutral served',
    'client_refusals replies evidence',
    { putOff: 2 },
    { putOff: 3 },
  ],
  [
    'put off at RCPT because of our crowd',
    ASKING,
    heard(result(OVER), { complaint: { ...RATE, when: 'rcpt' }, isOfOurs: true }),
    'quit complaint served',
    'client_refusals replies evidence',
    {},
    { putOff: 1 },
  ],
  ['lost', ASKING, heard(result(LOST)), 'destroy neutral served', 'replies', {}, { barren: 1 }],
  ['refused', ASKING, heard(result(FINISHED, US), { complaint: AT_RCPT }), 'hand_on complaint served', 'replies'],
  [
    'refused alike',
    ASKING,
    heard(result(FINISHED, US, US), { complaint: AT_RCPT, refused: true }),
    'hand_on complaint served',
    'replies evidence',
  ],
  // A test.
  ['a reply that nothing explains', ASKING, PUZZLED, 'test accepted u0', ''],
  [
    'in a session that has served others',
    SHARED,
    PUZZLED,
    'hand_on served served',
    'client_refusals replies',
    {},
    APART,
  ],
  [
    'beside others',
    ASKING,
    { ...PUZZLED, parallel: 'at_work' },
    'hand_on served failed',
    'client_refusals replies',
    {},
    { use: 'own' },
  ],
  ['tested', TESTING, tested(FINISHED, PUZZLE, OK), 'hand_on served served', 'tested:no_such_mailbox replies'],
  ['tested, about us', TESTING, tested(FINISHED, PUZZLE, PUZZLE), 'hand_on served served', 'tested:about_us replies'],
  [
    'tested, everybody is taken',
    TESTING,
    tested(FINISHED, OK, OK),
    'hand_on served served',
    'tested:contradicted replies',
  ],
  [
    'tested, the first is accepted no longer',
    TESTING,
    tested(FINISHED, PUZZLE, NO),
    'hand_on served served',
    'tested:contradicted replies',
  ],
  [
    'tested, refused in other words',
    TESTING,
    tested(FINISHED, NO, OK),
    'hand_on served served',
    'tested:not_learnt replies',
  ],
  ['not tested, the session is lost', TESTING, tested(LOST), 'destroy served served', 'tested:not_learnt replies'],
  ['not tested, the server ends it', TESTING, tested(OVER, PUZZLE), 'quit served served', 'tested:not_learnt replies'],
  // PIPECONNECT.
  ['early, as offered', EARLY, heard(result(FINISHED, NO)), 'hand_on served served', 'pipeconnect+ replies'],
  [
    'early, ungreeted',
    EARLY,
    heard(result(LOST), { greeted: false }),
    'destroy neutral served',
    'pipeconnect- client_refusals',
    {},
    { early: false },
  ],
  [
    'early, anything but judgements',
    EARLY,
    heard(result(FINISHED, NO, US)),
    'destroy neutral served',
    'pipeconnect- client_refusals',
    {},
    { early: false },
  ],
  // Perhaps because of others.
  ['shared, judged', SHARED, heard(result(FINISHED, OK, NO)), 'hand_on served served', 'replies'],
  [
    'shared, refused',
    SHARED,
    heard(result(FINISHED, NO, US), { complaint: AT_RCPT }),
    'hand_on served served',
    'dismiss_parallel doubt client_refusals replies',
    {},
    { use: 'repeat', failedAfter: 3, refusedSince: ROW },
  ],
  [
    'shared, refused again',
    SHARED,
    heard(result(FINISHED, US), { complaint: AT_RCPT }),
    'hand_on neutral served',
    'dismiss_parallel client_refusals replies',
    { refusedSince: EARLIER_ROW, use: 'repeat' },
    { use: 'own', failedAfter: 3 },
  ],
  [
    'shared, refused again, and the first session went on to serve others',
    SHARED,
    heard(result(FINISHED, US), { complaint: AT_RCPT, confirmed: true }),
    'hand_on complaint served',
    'replies',
    { refusedSince: EARLIER_ROW, use: 'repeat', failedAfter: 3 },
  ],
  [
    'shared, over',
    SHARED,
    heard(result(OVER)),
    'quit neutral served',
    'client_refusals replies',
    {},
    { use: 'own', failedAfter: 3 },
  ],
  [
    'shared, lost',
    SHARED,
    heard(result(LOST)),
    'destroy neutral served',
    'client_refusals replies',
    {},
    { use: 'own', failedAfter: 3 },
  ],
  [
    'beside others, lost',
    ASKING,
    heard(result(LOST), { parallel: 'at_work' }),
    'destroy neutral failed',
    'client_refusals replies',
    {},
    { use: 'own' },
  ],
  [
    'beside others, judged',
    ASKING,
    heard(result(FINISHED, NO), { parallel: 'at_work' }),
    'hand_on served served',
    'replies',
  ],
  [
    'a tarpit, the others not in time',
    ASKING,
    heard(result(TIMEOUT, NO), { tarpit: true }),
    'destroy served served',
    'client_refusals replies',
    {},
    { use: 'own' },
  ],
  [
    'a tarpit, nobody in time',
    ASKING,
    heard(result({ ...TIMEOUT, named: BOTH }), { tarpit: true }),
    'destroy neutral served',
    'replies evidence',
    {},
    { givenUp: 1, onward: 'next_address' },
  ],
];

function notOpened(
  failure: Extract<VisitEvent, { kind: 'not_opened' }>['failure'],
  parallel: Parallel = 'none',
): VisitEvent {
  return { kind: 'not_opened', failure, parallel };
}

function notesOf({ notes }: Next): string {
  return notes
    .map((note) => {
      if (note.kind === 'tested') return `tested:${note.finding}`;
      return note.kind === 'pipeconnect' ? `pipeconnect${note.kept ? '+' : '-'}` : note.kind;
    })
    .join(' ');
}

test.each(TRANSITIONS.map((row) => ({ what: `${row[1].at}: ${row[0]}`, row })))('$what', ({ row }) => {
  const [, phase, event, step, notes = '', before = {}, after = {}] = row;
  const record = { ...newVisitRecord(false, false), ...before };
  const next = nextStep({ record, phase }, event);
  expect([told(next.step), notesOf(next), next.state.record]).toEqual([step, notes, { ...record, ...after }]);
});

test('what a shared session refuses counts from the row of refusals in which the first one began', () => {
  const refused = heard(result(FINISHED, US), { complaint: AT_RCPT });
  const first = nextStep({ record: newVisitRecord(false, false), phase: SHARED }, refused);
  expect(first.step).toMatchObject({ since: ROW });
  const later: Phase = { ...ASKING, current: { ...CURRENT, streak: EARLIER_ROW } };
  expect(nextStep({ ...first.state, phase: later }, refused).step).toMatchObject({ since: ROW });
});

test('an event that cannot happen is a bug', () => {
  const record = newVisitRecord(false, false);
  expect(() => nextStep({ record, phase: FREE }, opened())).toThrow("a visit at 'free' cannot hear of 'opened'");
  expect(() => nextStep({ record, phase: { at: 'left' } }, free())).toThrow('cannot hear');
});

/** A server and a batch of which chance decides everything that they do. */
class AnyWorld {
  left: readonly RecipientProbe[];
  sessions = 0;
  events = 0;
  readonly #chance: () => number;
  readonly #calm: boolean;
  #accepted = false;
  #tries = 0;
  #parallel: Parallel = 'none';
  #current: { readonly turn: number; greeted: boolean } | null = null;

  /** @param calm nobody else is there, and the batch does not end */
  constructor(count: number, calm: boolean, chance: () => number) {
    this.left = recipientsOf(count);
    this.#calm = calm;
    this.#chance = chance;
  }

  get holds(): boolean {
    return this.#current !== null;
  }

  free(): VisitEvent {
    if (!this.#calm) this.#parallel = this.#pick(['none', 'none', 'at_work', 'dismissed']);
    const owed = this.#accepted && this.#tries < 2;
    const madeUp = { owed, doubted: owed && this.#is(0.1), underWay: !this.#calm && this.#is(0.1) };
    const ended = !this.#calm && this.events > 60;
    return free({ ended, recipients: this.left, madeUp, parallel: this.#parallel });
  }

  /** Takes a step: says what happened. */
  perform(step: Exclude<Step, { kind: 'leave' }>): VisitEvent {
    this.events += 1;
    switch (step.kind) {
      case 'acquire':
        expect(this.#current).toBeNull();
        return this.#acquire(step);
      case 'secure':
        return this.#secure();
      case 'ask':
        return this.#ask(step);
      case 'test':
        return this.#test(step);
      case 'release':
        expect(this.#current).not.toBeNull();
        this.#current = null;
        return this.free();
      case 'retry':
        return this.free();
      case 'wait_for_parallel':
        this.#parallel = 'none';
        return free({ recipients: this.left, ended: !this.#calm && this.events > 60 });
    }
  }

  apply({ notes }: Next): void {
    for (const note of notes) {
      if (note.kind === 'replies') for (const { recipient } of note.answers) this.#drop([recipient]);
      if (note.kind === 'cannot_be_named') this.#drop(note.recipients);
      if (note.kind === 'leave_rest') this.left = [];
      if (note.kind !== 'evidence') continue;
      this.#drop(note.blame.recipients);
      if (note.blame.madeUp) this.#tries += 1;
    }
  }

  #acquire({ use, early }: Extract<Step, { kind: 'acquire' }>): VisitEvent {
    this.sessions += 1;
    if (!this.#calm && this.#is(0.2)) return notOpened(CROWDED, this.#parallel);
    if (this.#is(0.1)) return notOpened(this.#pick([REFUSED, UNREACHED]), this.#parallel);
    const turn = use !== 'own' && this.#is(0.3) ? 2 : 0;
    const isEarly = turn === 0 && early && this.#is(0.3);
    this.#current = { turn, greeted: !isEarly };
    const refusedByLimits = this.#is(0.05) ? failed('limits', 'refused', COOLING) : null;
    return opened({ turn, early: isEarly, refusedByLimits, offersStartTls: this.#is(0.5), ready: this.#ready() });
  }

  #secure(): VisitEvent {
    return secured({ blocked: this.#is(0.4) ? NO_TLS : null, ready: this.#ready() });
  }

  #ask({ recipients, madeUp }: Extract<Step, { kind: 'ask' }>): VisitEvent {
    expect(this.#current).not.toBeNull();
    if (this.#current !== null) this.#current.greeted ||= this.#is(0.7);
    const ending = this.#pick<TransactionEnd>([FINISHED, FINISHED, OVER, LOST, TIMEOUT]);
    const least = ending.kind === 'finished' ? 1 : 0;
    const answered = recipients.slice(0, Math.max(least, Math.floor(this.#chance() * (recipients.length + 1))));
    const answers = answered.map((recipient) => tried(this.#pick([OK, NO, US, PUZZLE, '450 later']), recipient));
    const [accepted] = answers.filter(({ said }) => said.meaning === 'accepted');
    const isTested =
      ending.kind === 'finished' && accepted !== undefined && answers.some(({ masked }) => masked !== null);
    if (answers.some(({ said }) => said.meaning === 'accepted')) this.#accepted = true;
    if (madeUp === 'owed') this.#tries += 1;
    const named = recipients.slice(answered.length, answered.length + 1);
    return heard(
      {
        answers,
        madeUp: null,
        ending: ending.kind === 'silent' ? { ...ending, named } : ending,
        second: isTested ? { kind: 'accepted', recipient: accepted.recipient } : null,
      },
      {
        greeted: this.#current?.greeted ?? true,
        complaint: this.#is(0.2) ? AT_RCPT : null,
        refused: answers.length > 1 && this.#is(0.1),
        parallel: this.#parallel,
        isOfOurs: !this.#calm && this.#current?.turn === 0 && this.#is(0.1),
      },
    );
  }

  #test({ second: { recipient } }: Extract<Step, { kind: 'test' }>): VisitEvent {
    expect(this.#current?.turn).toBe(0);
    const ending = this.#pick<TransactionEnd>([FINISHED, FINISHED, OVER, LOST, TIMEOUT]);
    const answers = this.#is(0.2) ? [] : [tried(this.#pick([OK, PUZZLE, US]), recipient)];
    const madeUp = this.#is(0.2) ? null : tried(this.#pick([OK, PUZZLE, NO]), recipient);
    if (madeUp !== null) this.#tries += 1;
    return { kind: 'tested', result: { answers, madeUp, ending, second: null }, complaint: null };
  }

  #ready(): Ready {
    const owed = this.#accepted && this.#tries < 2;
    const madeUp = owed ? 'owed' : this.#pick(['known', 'if_accepted'] as const);
    return {
      ...READY,
      recipients: this.left,
      offersSmtpUtf8: this.#is(0.8),
      greeted: this.#current?.greeted ?? true,
      madeUp,
    };
  }

  #drop(recipients: readonly RecipientProbe[]): void {
    this.left = this.left.filter((one) => !recipients.includes(one));
  }

  #is(chance: number): boolean {
    return this.#chance() < chance;
  }

  #pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.#chance() * items.length)] ?? items[0];
  }
}

/** Plays one visit to its end; gives all steps. */
function play(world: AnyWorld, state: VisitState): readonly Step[] {
  const steps: Step[] = [];
  for (let event = world.free(); steps.length < 2_000;) {
    const next = nextStep(state, event);
    world.apply(next);
    steps.push(next.step);
    state = next.state;
    if (next.step.kind === 'leave') {
      expect(world.holds).toBe(false);
      return steps;
    }
    event = world.perform(next.step);
  }
  throw new Error('the visit does not end');
}

const anyChance = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));

test('in any sequence of events each session is released exactly once, and no state is without a way out', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.boolean(), fc.boolean(), anyChance, (count, implicit, tlsFirst, chance) => {
      const world = new AnyWorld(count, false, () => chance.next().value);
      const steps = play(world, { record: newVisitRecord(implicit, tlsFirst), phase: FREE });
      const fates = steps.flatMap((step) => (step.kind === 'release' ? [step.fate] : []));
      if (implicit) expect(fates).not.toContain('hand_on');
      // Once the batch has ended, what is under way comes to its end and nothing more is begun.
      expect(steps.length).toBeLessThan(80);
    }),
    { numRuns: 2_000 },
  );
});

test('a visit that nobody disturbs needs no more sessions than twice its recipients and a few', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.boolean(), anyChance, (count, tlsFirst, chance) => {
      const world = new AnyWorld(count, true, () => chance.next().value);
      play(world, { record: newVisitRecord(false, tlsFirst), phase: FREE });
      expect(world.sessions).toBeLessThanOrEqual(2 * count + 12);
    }),
    { numRuns: 2_000 },
  );
});
