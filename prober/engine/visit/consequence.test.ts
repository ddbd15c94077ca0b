import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import { type ReadReply, readReply } from '../meaning/outcome.ts';
import { consequenceOf, type SessionEnd } from './consequence.ts';
import { type VisitRecord, newVisitRecord } from './visit-record.ts';
import type { TransactionEnd } from '../session/transaction-result.ts';
import { createRecipientProbe, type RecipientProbe } from '../recipients/recipient-probe.ts';
import type { SessionFailure } from '../session/session-failure.ts';

// One file because it is one table: a line for each transition of the dialogue, in the order of the drawing.

const [u0, u1, u2] = [0, 1, 2].map((index) => createRecipientProbe(`u${index}`, false, index));
if (u0 === undefined || u1 === undefined || u2 === undefined) throw new Error('three recipients');
const ALL = [u0, u1, u2];

type Silent = Extract<TransactionEnd, { kind: 'silent' }>;
type Asked = Extract<SessionEnd, { kind: 'asked' }>;

function read(raw: string): ReadReply {
  return readReply(classifyPlainly, 'rcpt', rawReply(raw));
}

function asked(ending: TransactionEnd, over: Partial<Asked> = {}): SessionEnd {
  return { kind: 'asked', alone: false, ending, recipients: ALL, answered: 0, refusedAlike: null, ...over };
}

/** A session for the made-up mailbox, in which no recipient is asked about. */
function askedAlone(ending: TransactionEnd): SessionEnd {
  return asked(ending, { alone: true, recipients: [] });
}

function silent(silence: Silent['silence'], over: Partial<Silent> = {}): Silent {
  return { kind: 'silent', silence, stage: 'rcpt', named: [], madeUpAsked: false, ...over };
}

function failed(
  stage: SessionFailure['stage'],
  cause: SessionFailure['cause'],
  outcome: Outcome | null,
  alone = false,
): SessionEnd {
  return { kind: 'failed', alone, failure: { stage, cause, outcome, complaint: null } };
}

const RECORD = newVisitRecord(false, false);
const FINISHED: TransactionEnd = { kind: 'finished' };
const OVER: TransactionEnd = { kind: 'over' };
const LOST = silent('lost', { named: [u0, u1] });
const HANGS = silent('timeout', { named: [u0, u1] });
const GARBAGE = silent('garbage', { named: [u0] });
const REFUSED_MAIL: TransactionEnd = { kind: 'mail_refused', answer: read('550 no') };
const DEFERRED_MAIL: TransactionEnd = { kind: 'mail_refused', answer: read('451 later') };
const DEMAND: TransactionEnd = { kind: 'tls_demanded', stage: 'rcpt', answer: read('530 5.7.0 STARTTLS') };
const UNGREETED: Outcome = { kind: 'timeout', greeted: false };
const GONE: Outcome = { kind: 'connection_error', greeted: true };
const NO_EHLO: Outcome = { kind: 'ehlo_rejected' };
const COOLING: Outcome = { kind: 'unprobed', why: 'cooldown', waitS: 30 };
const NO_BANNER: Outcome = { kind: 'no_banner', refused: true };

type Row = readonly [
  what: string,
  end: SessionEnd,
  before: Partial<VisitRecord>,
  way: string,
  blame: string,
  evidence: string | null,
  after?: Partial<VisitRecord>,
];

const TO_ADDRESS = { onward: 'next_address' } as const;

const TRANSITIONS: readonly Row[] = [
  // No session.
  ['our own limits', failed('limits', 'refused', COOLING), {}, 'next_host', 'server made-up', 'unprobed'],
  ['the batch ends while waiting', failed('limits', 'ended', null), {}, 'next_host', 'made-up', 'unprobed'],
  ['no egress address', failed('limits', 'no_route', null), {}, 'next_host', 'made-up', 'unprobed'],
  ['no route', failed('dial', 'no_route', null), {}, 'next_address', 'made-up', 'unprobed', TO_ADDRESS],
  ['no connection', failed('dial', 'timeout', UNGREETED), {}, 'next_address', 'server made-up', 'timeout', TO_ADDRESS],
  [
    'a bad greeting',
    failed('greeting', 'refused', NO_BANNER),
    {},
    'next_address',
    'server made-up',
    'no_banner',
    TO_ADDRESS,
  ],
  ['no greeting', failed('greeting', 'lost', NO_BANNER), {}, 'next_address', 'server made-up', 'no_banner', TO_ADDRESS],
  ['EHLO refused', failed('hello', 'refused', NO_EHLO), {}, 'next_host', 'server made-up', 'ehlo_rejected'],
  [
    'EHLO not answered',
    failed('hello', 'timeout', UNGREETED),
    {},
    'next_address',
    'server made-up',
    'timeout',
    TO_ADDRESS,
  ],
  ['the batch ends at EHLO', failed('hello', 'ended', null), {}, 'next_address', 'made-up', 'unprobed', TO_ADDRESS],
  ['lost at EHLO', failed('hello', 'lost', GONE), {}, 'same_address', '', null, { barren: 1 }],
  ['lost at EHLO, alone', failed('hello', 'lost', GONE, true), {}, 'same_address', 'made-up', GONE.kind, { barren: 1 }],
  [
    'lost at EHLO again',
    failed('hello', 'lost', GONE),
    { barren: 1 },
    'next_address',
    'server made-up',
    GONE.kind,
    TO_ADDRESS,
  ],
  // A session in which nobody was asked about.
  ['TLS by choice fails', { kind: 'tls_not_had', alone: false }, { tlsFirst: true }, 'same_address', '', null],
  [
    'nobody can be named',
    { kind: 'nobody_to_ask', alone: false },
    { barren: 1 },
    'same_address',
    '',
    null,
    { barren: 1 },
  ],
  // It went well.
  ['all asked', asked(FINISHED, { answered: 3 }), {}, 'same_address', '', null],
  ['an answer', asked(FINISHED, { answered: 1 }), { barren: 1, givenUp: 1 }, 'same_address', '', null],
  [
    'all asked, one given up before',
    asked(FINISHED, { answered: 3 }),
    TO_ADDRESS,
    'same_address',
    '',
    null,
    TO_ADDRESS,
  ],
  [
    'refused alike',
    asked(FINISHED, { answered: 2, refusedAlike: read('550 5.7.1 no') }),
    {},
    'next_host',
    'server made-up',
    'policy_rejected',
  ],
  [
    'refused alike and over',
    asked(OVER, { answered: 2, refusedAlike: read('421 busy') }),
    TO_ADDRESS,
    'next_host',
    'server made-up',
    'rcpt_deferred',
  ],
  [
    'relaying denied alike',
    asked(FINISHED, { answered: 2, refusedAlike: read('550 relay') }),
    {},
    'next_host',
    'server',
    'relay_denied',
  ],
  [
    'an acceptance refuses nobody',
    asked(FINISHED, { answered: 2, refusedAlike: read('250 ok') }),
    {},
    'same_address',
    '',
    null,
  ],
  // The server ended it.
  ['over after an answer', asked(OVER, { answered: 1 }), { barren: 1 }, 'same_address', '', null],
  ['over before any answer', asked(OVER), {}, 'same_address', '', null, { barren: 1 }],
  ['over again', asked(OVER), { barren: 1 }, 'same_address', 'u0', GONE.kind, { givenUp: 1, ...TO_ADDRESS }],
  [
    'over again, the second given up',
    asked(OVER),
    { barren: 1, givenUp: 1 },
    'next_address',
    'u0 server made-up',
    GONE.kind,
    { givenUp: 2, ...TO_ADDRESS },
  ],
  ['over, alone', askedAlone(OVER), {}, 'same_address', 'made-up', GONE.kind],
  ['MAIL refused', asked(REFUSED_MAIL), {}, 'next_host', 'server made-up', 'mail_from_rejected'],
  ['MAIL deferred', asked(DEFERRED_MAIL), TO_ADDRESS, 'next_host', 'server made-up', 'deferred'],
  // TLS is demanded.
  ['TLS demanded', asked(DEMAND), { barren: 1, givenUp: 1 }, 'same_address', '', null, { barren: 1, givenUp: 1 }],
  ['TLS demanded after an answer', asked(DEMAND, { answered: 1 }), { barren: 1, givenUp: 1 }, 'same_address', '', null],
  // Lost.
  ['lost after an answer', asked(LOST, { answered: 1 }), { barren: 1 }, 'same_address', '', null],
  [
    'lost after an answer, the made-up mailbox asked',
    asked(silent('lost', { madeUpAsked: true }), { answered: 1 }),
    {},
    'same_address',
    'made-up',
    GONE.kind,
  ],
  ['lost at MAIL', asked(silent('lost', { stage: 'mail' })), {}, 'same_address', '', null, { barren: 1 }],
  [
    'lost at MAIL again',
    asked(silent('lost', { stage: 'mail' })),
    { barren: 1 },
    'next_address',
    'server made-up',
    GONE.kind,
    TO_ADDRESS,
  ],
  ['lost at RCPT', asked(LOST), { givenUp: 1 }, 'same_address', '', null, { barren: 1, givenUp: 1 }],
  ['lost at RCPT again', asked(LOST), { barren: 1 }, 'same_address', 'u0', GONE.kind, { givenUp: 1, ...TO_ADDRESS }],
  [
    'lost at RCPT again, the second given up',
    asked(LOST),
    { barren: 1, givenUp: 1 },
    'next_address',
    'u0 server made-up',
    GONE.kind,
    { givenUp: 2, ...TO_ADDRESS },
  ],
  ['lost, alone', askedAlone(silent('lost')), {}, 'same_address', 'made-up', GONE.kind],
  [
    'lost with nobody to name but the made-up mailbox',
    asked(silent('lost', { stage: 'mail' }), { recipients: [] }),
    {},
    'same_address',
    '',
    null,
  ],
  // Hanging, or talking garbage.
  [
    'hanging at MAIL',
    asked(silent('timeout', { stage: 'mail', named: [u0] })),
    {},
    'next_address',
    'server made-up',
    'timeout',
    TO_ADDRESS,
  ],
  ['hanging at RCPT', asked(HANGS), {}, 'same_address', 'u0 u1', 'timeout', { givenUp: 1, ...TO_ADDRESS }],
  [
    'hanging at RCPT after an answer',
    asked(HANGS, { answered: 1 }),
    { givenUp: 1 },
    'same_address',
    'u0 u1',
    'timeout',
    { givenUp: 1, ...TO_ADDRESS },
  ],
  [
    'hanging at RCPT, the second given up',
    asked(HANGS),
    { givenUp: 1, barren: 1 },
    'next_address',
    'u0 u1 server made-up',
    'timeout',
    { givenUp: 2, barren: 1, ...TO_ADDRESS },
  ],
  ['garbage at RCPT', asked(GARBAGE), {}, 'same_address', 'u0', 'protocol_error', { givenUp: 1, ...TO_ADDRESS }],
  [
    'hanging at the made-up mailbox',
    asked(silent('timeout', { madeUpAsked: true }), { answered: 3 }),
    {},
    'same_address',
    'made-up',
    'timeout',
    { givenUp: 1, ...TO_ADDRESS },
  ],
  ['hanging, alone', askedAlone(silent('timeout', { madeUpAsked: true })), {}, 'same_address', 'made-up', 'timeout'],
  // The batch ended.
  ['the batch ends at RCPT', asked(silent('ended', { named: [u0] })), TO_ADDRESS, 'next_host', 'u0', 'timeout'],
  [
    'the batch ends at the made-up mailbox',
    asked(silent('ended', { madeUpAsked: true }), { answered: 3 }),
    {},
    'next_host',
    'made-up',
    'timeout',
  ],
];

test.each(TRANSITIONS.map((row) => ({ what: row[0], row })))('$what', ({ row }) => {
  const [, end, before, way, blame, evidence, after = {}] = row;
  const consequence = consequenceOf(end, { ...RECORD, ...before });
  const { recipients, server, madeUp } = consequence.blame;
  const blamed = [
    ...recipients.map(({ local }) => local),
    ...(server ? ['server'] : []),
    ...(madeUp ? ['made-up'] : []),
  ];
  expect({ ...consequence, blame: blamed.join(' '), evidence: consequence.evidence?.kind ?? null }).toEqual({
    way,
    blame,
    evidence,
    record: { ...RECORD, ...after },
  });
});

test('a reply that came too late, and one that got lost, are told of a server that had greeted', () => {
  for (const silence of ['ended', 'timeout', 'lost'] as const) {
    const record = { ...RECORD, barren: 1 };
    expect(consequenceOf(asked(silent(silence, { named: [u0] })), record).evidence).toMatchObject({ greeted: true });
  }
});

/** Plays a whole visit in which chance decides how each session ends; gives the number of sessions. */
function playVisit(count: number, tlsFirst: boolean, chance: () => number): number {
  let left = Array.from({ length: count }, (_, index) => createRecipientProbe(`u${index}`, false, index));
  let record = newVisitRecord(false, tlsFirst);
  let sessions = 0;
  let tries = 0;
  let accepted = false;
  for (; left.length > 0 || (accepted && tries < 2); sessions += 1) {
    if (sessions > 10 * count + 20) throw new Error('it does not end');
    const end = someEnd(left, accepted && tries < 2, record.tlsFirst, chance);
    const answered = left.slice(0, end.kind === 'asked' ? end.answered : 0);
    const { way, blame, record: next } = consequenceOf(end, record);
    record = next;
    accepted ||= answered.length > 0;
    if (blame.madeUp || (end.alone && end.kind === 'asked')) tries += 1;
    // Who was answered is never blamed.
    expect(blame.recipients.filter((recipient) => answered.includes(recipient))).toEqual([]);
    left = left.filter((recipient) => !answered.includes(recipient) && !blame.recipients.includes(recipient));
    if (way !== 'next_address' && way !== 'next_host') continue;
    // Nobody is left without evidence, unless there is none.
    if (left.length > 0) expect(blame.server || !isEvidence(end)).toBe(true);
    expect(record.onward).toBe(way);
    left = [];
  }
  return sessions;
}

function isEvidence(end: SessionEnd): boolean {
  if (end.kind === 'failed') return end.failure.outcome !== null;
  return end.kind === 'asked' && !(end.ending.kind === 'silent' && end.ending.silence === 'ended');
}

const OUTCOMELESS: readonly SessionFailure['cause'][] = ['ended', 'no_route'];
const STAGES = ['limits', 'dial', 'greeting', 'hello'] as const;
const CAUSES = ['refused', 'no_route', 'lost', 'timeout', 'garbage', 'ended'] as const;

/** Any end that a session for these recipients can have. */
function someEnd(left: readonly RecipientProbe[], owed: boolean, tlsFirst: boolean, chance: () => number): SessionEnd {
  const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(chance() * items.length)] ?? items[0];
  const alone = left.length === 0;
  if (chance() < 0.1) {
    const cause = pick(CAUSES);
    const outcome = OUTCOMELESS.includes(cause) ? null : GONE;
    return { kind: 'failed', alone, failure: { stage: pick(STAGES), cause, outcome, complaint: null } };
  }
  if (tlsFirst && chance() < 0.5) return { kind: 'tls_not_had', alone };
  const answered = chance() < 0.4 ? 0 : Math.floor(chance() * (left.length + 1));
  const named = left.slice(answered, answered + Math.floor(chance() * 3));
  const ending = pick<TransactionEnd>([
    OVER,
    REFUSED_MAIL,
    silent(pick(['lost', 'timeout', 'garbage', 'ended']), { stage: pick(['mail', 'rcpt']), named }),
  ]);
  const mayFinish = answered > 0 || alone;
  const asksMadeUp = owed && ending.kind === 'silent' && chance() < 0.3;
  return {
    kind: 'asked',
    alone,
    ending: mayFinish && chance() < 0.3 ? FINISHED : asksMadeUp ? { ...ending, madeUpAsked: true } : ending,
    recipients: left,
    answered,
    refusedAlike: answered > 1 && chance() < 0.05 ? read('550 5.7.1 no') : null,
  };
}

test('however sessions end, a visit ends too: nobody is blamed who was answered, and nobody is forgotten', () => {
  const chances = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
  fc.assert(
    fc.property(fc.nat(12), fc.boolean(), chances, (count, tlsFirst, chance) => {
      const sessions = playVisit(count, tlsFirst, () => chance.next().value);
      expect(sessions).toBeLessThanOrEqual(2 * count + 6);
    }),
    { numRuns: 2000 },
  );
});
