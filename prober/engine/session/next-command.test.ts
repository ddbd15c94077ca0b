import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Limits, type MadeUpPlan, nextCommand, type Progress } from './next-command.ts';

const BEGUN: Progress = {
  opening: [],
  mailAccepted: true,
  fresh: false,
  outstanding: 0,
  unanswered: 0,
  recipients: 0,
  refusals: 0,
  waiting: 3,
  madeUp: 'if_accepted',
  madeUpAsked: false,
  accepted: false,
  test: { state: 'none', refusals: 1 },
};
const DUE = { state: 'due', refusals: 1 } as const;
const UNDER_WAY = { state: 'under_way', refusals: 1 } as const;
const ROOMY: Limits = {
  pipelining: true,
  recipientsMax: 50,
  refusalsMax: 4,
  madeUpRoom: 1,
  window: Infinity,
  allowance: Infinity,
};

type Row = readonly [what: string, progress: Partial<Progress>, limits: Partial<Limits>, next: string | null];

const ROWS: readonly Row[] = [
  // How a transaction opens.
  ['MAIL comes first', { opening: ['mail'], mailAccepted: false }, {}, 'mail'],
  [
    'RSET comes before it where there was a transaction',
    { opening: ['rset', 'mail'], mailAccepted: false },
    {},
    'rset',
  ],
  ['MAIL goes out behind RSET', { opening: ['mail'], mailAccepted: false, outstanding: 1 }, {}, 'mail'],
  [
    'without PIPELINING MAIL waits for the reply to RSET',
    { opening: ['mail'], mailAccepted: false, outstanding: 1 },
    { pipelining: false },
    null,
  ],
  ['RCPT goes out behind MAIL', { mailAccepted: false, outstanding: 1 }, {}, 'rcpt'],
  ['without PIPELINING RCPT waits for the reply to MAIL', { outstanding: 1 }, { pipelining: false }, null],
  ['without PIPELINING RCPT needs an accepted MAIL', { mailAccepted: false }, { pipelining: false }, null],
  // Recipients.
  ['a recipient', {}, {}, 'rcpt'],
  ['no recipient is left', { waiting: 0 }, {}, null],
  ['as many are unanswered as refusals are left', { unanswered: 4, outstanding: 4 }, {}, null],
  ['a refusal is one fewer', { unanswered: 3, outstanding: 3, refusals: 1 }, {}, null],
  ['a place is kept for the made-up mailbox', { unanswered: 3, outstanding: 3, accepted: true }, {}, null],
  ['none is kept if its fate is known', { unanswered: 3, outstanding: 3, accepted: true, madeUp: 'known' }, {}, 'rcpt'],
  ['the last recipient of the budget', { recipients: 49 }, {}, 'rcpt'],
  ['the budget is spent', { recipients: 50 }, {}, null],
  ['a budget of one serves a recipient', { madeUp: 'owed' }, { recipientsMax: 1 }, 'rcpt'],
  ['two alike tell enough', {}, { window: 0 }, null],
  ['one unanswered after a refusal of the client', { unanswered: 1, outstanding: 1 }, { window: 1 }, null],
  ['nobody unknown may be named any more', {}, { allowance: 0 }, null],
  ['the last allowed one is the made-up mailbox', { accepted: true }, { allowance: 1 }, 'made_up'],
  // A test.
  ['two are kept back for a test to come', { recipients: 48, test: DUE }, {}, null],
  ['of them one refusal', { refusals: 3, test: DUE }, {}, null],
  ['the target again is another one', { refusals: 2, test: { state: 'due', refusals: 2 } }, {}, null],
  ['a test that is expected keeps them too', { refusals: 3, test: { state: 'expected', refusals: 1 } }, {}, null],
  ['it asks about the made-up mailbox, so nobody does before', { waiting: 0, accepted: true, test: DUE }, {}, null],
  ['if there is no room for one', { waiting: 0, accepted: true, recipients: 49, test: DUE }, {}, 'made_up'],
  ['a test begins with it', { madeUp: 'owed', test: UNDER_WAY }, {}, 'made_up'],
  [
    'the second control goes out behind it',
    { madeUp: 'owed', madeUpAsked: true, unanswered: 1, refusals: 3, test: UNDER_WAY },
    {},
    'rcpt',
  ],
  [
    'one that is to be refused needs another refusal',
    { madeUp: 'owed', madeUpAsked: true, unanswered: 1, refusals: 3, test: { state: 'under_way', refusals: 2 } },
    {},
    null,
  ],
  ['nobody unknown may be named for a test', { madeUp: 'owed', test: UNDER_WAY }, { allowance: 0 }, null],
  // The made-up mailbox.
  ['it is asked last', { waiting: 0, accepted: true }, {}, 'made_up'],
  ['it is asked once', { waiting: 0, accepted: true, madeUpAsked: true }, {}, null],
  ['it is not asked before somebody was accepted', { waiting: 0 }, {}, null],
  ['it is asked without that if owed', { waiting: 0, madeUp: 'owed' }, {}, 'made_up'],
  ['it is not asked if known', { waiting: 0, accepted: true, madeUp: 'known' }, {}, null],
  [
    'it waits while a reply could let a recipient in before it',
    { accepted: true, unanswered: 3, outstanding: 3 },
    {},
    null,
  ],
  ['it follows a reply that lets nobody in', { accepted: true, refusals: 3 }, {}, 'made_up'],
  ['it needs a refusal that is left', { waiting: 0, accepted: true, refusals: 4 }, {}, null],
  [
    'it does not wait for replies behind which nobody is named any more',
    { accepted: true, unanswered: 1, outstanding: 1, refusals: 1 },
    { window: 0 },
    'made_up',
  ],
  [
    'it needs one refusal more than are unanswered',
    { waiting: 0, accepted: true, unanswered: 2, refusals: 2 },
    {},
    null,
  ],
  ['it needs two after other domains', { waiting: 0, accepted: true, refusals: 3 }, { madeUpRoom: 2 }, null],
  ['it alone is named in the fresh transaction', { fresh: true, accepted: true }, {}, 'made_up'],
  ['it needs a recipient that is left', { waiting: 0, accepted: true, recipients: 50 }, {}, null],
];

test.each(ROWS.map((row) => ({ what: row[0], row })))('$what', ({ row: [, progress, limits, next] }) => {
  expect(nextCommand({ ...BEGUN, ...progress }, { ...ROOMY, ...limits })).toBe(next);
});

const anyPlan = fc.constantFrom<MadeUpPlan>('known', 'if_accepted', 'owed');
const anySession = fc.record({
  count: fc.nat(20),
  plan: anyPlan,
  pipelining: fc.boolean(),
  recipientsMax: fc.integer({ min: 1, max: 12 }),
  refusalsMax: fc.integer({ min: 1, max: 6 }),
  window: fc.constantFrom(1, 2, Infinity),
  allowance: fc.constantFrom(0, 1, 2, 5, Infinity),
  turn: fc.nat(1),
  before: fc.record({ recipients: fc.nat(8), refusals: fc.nat(4) }),
  replies: fc.infiniteStream(fc.constantFrom('accepts', 'refuses', 'accepts_and_waits', 'refuses_and_waits')),
});
type AnySession = typeof anySession extends fc.Arbitrary<infer T> ? T : never;

/** Plays a whole transaction against a server that answers by chance; gives what was sent, and how many recipients were left. */
function play(session: AnySession): { readonly sent: readonly string[]; readonly left: number } {
  const { count, plan, pipelining, recipientsMax, refusalsMax, window, turn, before } = session;
  let { allowance } = session;
  const sent: string[] = [];
  const due: string[] = [];
  let progress: Progress = {
    ...BEGUN,
    ...before,
    opening: ['mail'],
    mailAccepted: false,
    waiting: count,
    madeUp: plan,
  };
  for (let replies = 0; replies < 200; replies += 1) {
    for (;;) {
      const limits = { pipelining, recipientsMax, refusalsMax, window, allowance, madeUpRoom: 1 + turn };
      const next = nextCommand({ ...progress, outstanding: due.length }, limits);
      if (next === null) break;
      sent.push(next);
      due.push(next);
      if (!pipelining) expect(due).toHaveLength(1);
      if (next === 'rset' || next === 'mail') progress = { ...progress, opening: progress.opening.slice(1) };
      else {
        const { unanswered, recipients, waiting } = progress;
        expect(allowance).toBeGreaterThan(0);
        allowance -= 1;
        progress = { ...progress, unanswered: unanswered + 1, recipients: recipients + 1 };
        if (next === 'rcpt') progress = { ...progress, waiting: waiting - 1 };
        else progress = { ...progress, madeUpAsked: true };
      }
      expect(progress.unanswered).toBeLessThanOrEqual(Math.max(0, refusalsMax - progress.refusals));
      if (progress.unanswered > 0) expect(progress.recipients).toBeLessThanOrEqual(recipientsMax);
    }
    const answered = due.shift();
    if (answered === undefined) return { sent, left: progress.waiting };
    if (answered === 'mail') progress = { ...progress, mailAccepted: true };
    if (answered !== 'rcpt' && answered !== 'made_up') continue;
    const accepts = session.replies.next().value.startsWith('accepts');
    progress = {
      ...progress,
      unanswered: progress.unanswered - 1,
      refusals: progress.refusals + (accepts ? 0 : 1),
      accepted: progress.accepted || (accepts && answered === 'rcpt'),
    };
  }
  throw new Error('it does not end');
}

test('a transaction ends after any replies, and never are more RCPTs unanswered than the budget has refusals left', () => {
  fc.assert(
    fc.property(anySession, (session) => {
      const { sent } = play(session);
      expect(sent[0]).toBe('mail');
      expect(sent.filter((command) => command === 'made_up').length).toBeLessThanOrEqual(1);
      // Nothing follows the made-up mailbox.
      if (sent.includes('made_up')) expect(sent.at(-1)).toBe('made_up');
    }),
    { numRuns: 3_000 },
  );
});

test('a session with room for it asks about everybody, and then about the made-up mailbox that is owed', () => {
  fc.assert(
    fc.property(anySession, (any) => {
      const before = { recipients: 0, refusals: 0 };
      const roomy = { recipientsMax: 50, refusalsMax: 50, window: Infinity, allowance: Infinity, turn: 0, before };
      const { sent, left } = play({ ...any, ...roomy });
      expect(left).toBe(0);
      if (any.plan === 'owed') expect(sent).toContain('made_up');
    }),
  );
});
