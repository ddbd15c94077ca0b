import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, withHosts } from '../../testing/one-domain.ts';
import { type ScriptedReply, close, reset, type Script, silence } from '../../testing/script.ts';

// The rules under the verdict table, one or more tests each.

async function outcomeOf(address: string, ...scripts: (Script | null)[]): Promise<Outcome> {
  const world = new MailWorld();
  withHosts(world, scripts);
  return world.outcome(address, 600_000);
}

function rcpt(answer: ScriptedReply): Script {
  return { rcpt: () => answer };
}

function at(verb: string, answer: ScriptedReply): Script {
  return { on: (line) => (line.startsWith(verb) ? answer : undefined) };
}

/** Refuses EHLO and HELO. */
function atHello(answer: ScriptedReply): Script {
  return { on: (line) => (/^(?:EHLO|HELO)/.test(line) ? answer : undefined) };
}

test('the first verdict on the recipient ends the search', async () => {
  for (const script of [{ mailboxes: ['a@d.test'] }, {}, rcpt('452 4.2.2 full\r\n')]) {
    const world = new MailWorld();
    const [, second] = withHosts(world, [script, { mailboxes: ['a@d.test'] }]);
    await world.outcome('a@d.test');
    expect(second?.sessions).toEqual([]);
  }
});

test.each([
  ['4xx at RCPT', rcpt('451 4.3.0 later\r\n')],
  ['a refusal by policy', rcpt('550 5.7.1 blocked\r\n')],
  ['a reply that explains nothing', rcpt('550 hmm\r\n')],
  ['relaying denied', rcpt('550 5.7.1 relay denied\r\n')],
  ['garbage', rcpt('hmm\r\n')],
  ['a refused MAIL', at('MAIL', '550 no\r\n')],
  ['a deferred MAIL', at('MAIL', '451 later\r\n')],
  ['a refused EHLO', atHello('550 no\r\n')],
  ['a refused greeting', { greeting: '554 no\r\n' }],
  ['a deferred greeting', { greeting: '421 later\r\n' }],
  ['silence', { greeting: silence }],
  ['a lost session', at('RCPT', [reset])],
  ['a command without a reply', at('RCPT', silence)],
  ['a refused connection', null],
])('after %s the next MX host is asked', async (_what, script) => {
  const world = new MailWorld();
  withHosts(world, [script, { mailboxes: ['a@d.test'] }]);
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
});

// From the furthest to the least far.
const LADDER: readonly (readonly [string, Script | null])[] = [
  ['rcpt_deferred', rcpt('451 4.3.0 later\r\n')],
  ['policy_rejected', rcpt('550 5.7.1 blocked\r\n')],
  ['unexpected_code', rcpt('550 hmm\r\n')],
  ['deferred', at('MAIL', '451 4.3.0 later\r\n')],
  ['mail_from_rejected', at('MAIL', '550 no\r\n')],
  ['ehlo_rejected', atHello('550 no\r\n')],
  ['no_banner', { greeting: '554 no\r\n' }],
  ['connection_error', at('MAIL', [close])],
  ['timeout', { ...at('MAIL', silence), offers: [] }],
  ['connection_error', null],
];

test('the evidence that got furthest counts, from any MX host and in any order', async () => {
  for (const [i, [furthest, script]] of LADDER.entries())
    for (const [, lesser] of LADDER.slice(i + 1)) {
      for (const order of [
        [script, lesser],
        [lesser, script],
      ]) {
        const world = new MailWorld();
        withHosts(world, order);
        expect((await world.outcome('a@d.test', 600_000)).kind).toBe(furthest);
      }
    }
});

test("of evidence that got equally far, the first host's counts", async () => {
  const world = new MailWorld();
  withHosts(world, [rcpt('451 4.3.0 first\r\n'), rcpt('452 4.3.1 second\r\n')]);
  expect(await world.outcome('a@d.test')).toMatchObject({ reply: { code: 451 } });
});

test('lack of SMTPUTF8 is a verdict only if every host that greeted lacks it', async () => {
  const offering: Script = { offers: ['SMTPUTF8'], mailboxes: ['ä@d.test'] };
  expect(await outcomeOf('ä@d.test', {}, {})).toEqual({ kind: 'no_smtputf8' });
  expect(await outcomeOf('ä@d.test', {}, null)).toEqual({ kind: 'no_smtputf8' });
  expect(await outcomeOf('ä@d.test', { greeting: '554 no\r\n' }, {})).toEqual({ kind: 'no_smtputf8' });
  expect((await outcomeOf('ä@d.test', {}, offering)).kind).toBe('accepted');
  expect((await outcomeOf('ä@d.test', {}, atHello('451 later\r\n'))).kind).toBe('deferred');
  expect((await outcomeOf('ä@d.test', {}, { ...offering, ...at('MAIL', '451 later\r\n') })).kind).toBe('deferred');
});

test.each([
  ['every MX unreachable', null, 'connection_error', 0],
  ['a refused greeting', { greeting: '554 no\r\n' }, 'no_banner', 1],
  ['a refused EHLO', atHello('550 no\r\n'), 'ehlo_rejected', 1],
  ['a refused MAIL', at('MAIL', '550 no\r\n'), 'mail_from_rejected', 1],
  ['a deferred MAIL', at('MAIL', '451 no\r\n'), 'deferred', 1],
])('%s is learnt once for 500 addresses, after every MX was tried', async (_what, script, kind, sessions) => {
  const world = new MailWorld();
  const servers = withHosts(world, [script, script]);
  const outcomes = await world.outcomes(boxes(500));
  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set([kind]));
  for (const server of servers) expect(server?.sessions.length ?? 0).toBe(sessions);
  expect(world.dialled).toHaveLength(2);
  expect(world.lookedUp).toEqual(['d.test', 'mx0.host0.test', 'mx1.host1.test']);
});

test('no MX is learnt once for all addresses', async () => {
  const world = new MailWorld();
  expect(new Set((await world.outcomes(boxes(50))).map(({ kind }) => kind))).toEqual(new Set(['no_mail_domain']));
  expect(world.lookedUp).toEqual(['d.test']);
});

test.each([
  ['550 5.7.1 your address is listed\r\n', 'policy_rejected'],
  ['451 4.7.1 your address is throttled\r\n', 'rcpt_deferred'],
  ['550 5.7.1 relay denied\r\n', 'no_such_mailbox'],
])('two similar refusals of the client in a row at RCPT count for all addresses: %j', async (reply, kind) => {
  for (const offers of [['PIPELINING'], []]) {
    const world = new MailWorld();
    const server = world.domain('d.test', { offers, rcpt: () => reply });
    const outcomes = await world.outcomes(boxes(500));
    expect(outcomes.every((outcome) => outcome.kind === kind)).toBe(true);
    expect(server.sessions.flatMap(({ lines }) => lines).filter((line) => line.startsWith('RCPT'))).toHaveLength(2);
  }
});

test('two refusals of the client that differ or are not in a row prove nothing', async () => {
  const replies = [
    '550 5.7.1 x\r\n',
    '554 5.7.1 x\r\n',
    '550 5.1.1 no such\r\n',
    '554 5.7.1 x\r\n',
    '550 5.1.1 no such\r\n',
  ];
  const world = new MailWorld();
  world.domain('d.test', { rcpt: (mailbox) => replies[Number(mailbox.slice(1, 2))] ?? '250 ok\r\n' });
  expect((await world.outcomes(boxes(5), 3_600_000)).map(({ kind }) => kind)).toEqual([
    'policy_rejected',
    'policy_rejected',
    'no_such_mailbox',
    'policy_rejected',
    'no_such_mailbox',
  ]);
});

test('greylisting is not generalized to the domain: each address is asked', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { rcpt: () => '450 4.7.1 greylisted for 120 seconds\r\n' });
  const outcomes = await world.outcomes(boxes(8));
  expect(outcomes).toEqual(
    boxes(8).map(() => ({
      kind: 'rcpt_deferred',
      reply: { code: 450, enhanced: '4.7.1' },
      deferral: { cause: 'greylisting', askedS: 120 },
    })),
  );
  expect(server.sessions.flatMap(({ lines }) => lines).filter((line) => line.startsWith('RCPT'))).toHaveLength(8);
});

test('evidence about some addresses does not hide the verdicts on others', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    mailboxes: ['u0@d.test'],
    on: (line, { number }) => {
      if (number > 0 && line.startsWith('MAIL')) return '451 4.3.2 later\r\n';
      return undefined;
    },
  });
  const outcomes = await world.outcomes(boxes(10));
  expect(outcomes.map(({ kind }) => kind)).toEqual(
    [
      'accepted',
      ...Array.from({ length: 3 }, () => 'no_such_mailbox'),
      ...Array.from({ length: 6 }, () => 'deferred'),
    ].slice(0, 10),
  );
});

test('a 421 answers the oldest unanswered command', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    mailboxes: boxes(2),
    on: (line, { number }) => (number === 0 && line.startsWith('MAIL') ? ['421 later\r\n', close] : undefined),
  });
  // It answers MAIL, so the recipients behind it were not answered.
  expect((await world.outcomes(boxes(2))).map(({ kind }) => kind)).toEqual(['deferred', 'deferred']);
  expect(server.sessions).toHaveLength(1);
});

test.each([
  ['421', ['421 4.7.0 too much\r\n', close], 2],
  ['4.5.3, in the next transaction too,', '452 4.5.3 enough\r\n', 3],
  ['too many errors', '550 too many errors\r\n', 2],
])('%s after the first recipient is not evidence, and ends the session', async (_what, answer, rcpts) => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    offers: [],
    mailboxes: boxes(3),
    on: (line, { number }) => (number === 0 && line.includes('u1@') ? answer : undefined),
  });
  const outcomes = await world.outcomes(boxes(3));
  expect(outcomes).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
  expect(server.sessions[0]?.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(rcpts);
});

test('the made-up mailbox is asked last, at the address that accepted', async () => {
  const world = new MailWorld();
  const ips = [nextIp(), nextIp()];
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ips);
  const servers = ips.map((ip) => world.serve(ip, { mailboxes: boxes(3) }));
  await world.outcomes(boxes(3));
  const [used] = servers.filter(({ sessions }) => sessions.length > 0);
  expect(servers.flatMap(({ sessions }) => sessions)).toHaveLength(1);
  expect(used?.sessions[0]?.lines.filter((line) => line.startsWith('RCPT')).at(-1)).toMatch(/<[a-z]{18}@d\.test>/);
});

test('the made-up mailbox is asked in one new session to the same address if the first is gone', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    mailboxes: ['a@d.test'],
    on: (line, { number }) => (number === 0 && line.includes('<a@') ? ['250 2.1.5 ok\r\n', close] : undefined),
  });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(server.sessions).toHaveLength(2);
  expect(server.sessions[1]?.lines.filter((line) => line.startsWith('RCPT'))).toEqual([
    expect.stringMatching(/<[a-z]{18}@/),
  ]);
  expect(world.dialled[0]?.ip).toBe(world.dialled[1]?.ip);
});

test('the made-up mailbox is asked in a fresh transaction if a second recipient is refused', async () => {
  const world = new MailWorld();
  let inTransaction = 0;
  const server = world.domain('d.test', {
    on: (line) => {
      if (line === 'RSET' || line.startsWith('MAIL')) inTransaction = 0;
      if (!line.startsWith('RCPT')) return undefined;
      inTransaction += 1;
      if (inTransaction > 1) return '452 4.5.3 one at a time\r\n';
      return line.includes('<a@') ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such\r\n';
    },
  });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(server.sessions).toHaveLength(1);
  expect(server.sessions[0]?.writes[3]).toMatch(/^RSET\r\nMAIL FROM:<[^>]+>\r\nRCPT TO:<[a-z]{18}@d.test>\r\n$/);
});

test('a made-up mailbox lost behind another recipient that got no answer has another session, and no try is spent', async () => {
  for (const borne of [1, 2]) {
    const world = new MailWorld({}, 20);
    const rcpts: number[] = [];
    world.domain('d.test', {
      rcpt: (mailbox, { number }) => {
        rcpts[number] = (rcpts[number] ?? 0) + 1;
        if (rcpts[number] > borne) return [close];
        return mailbox.startsWith('u') ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user\r\n';
      },
    });
    const outcomes = await world.outcomes(boxes(4));
    expect(outcomes).toEqual(boxes(4).map(() => ACCEPTED));
  }
});

test('a server that closes without a word at the fourth refusal answers for the made-up mailbox as the third', async () => {
  const world = new MailWorld({}, 20);
  const refusals: number[] = [];
  world.domain('d.test', {
    rcpt: (mailbox, { number }) => {
      if (/^u[0369]@/.test(mailbox)) return '250 2.1.5 ok\r\n';
      refusals[number] = (refusals[number] ?? 0) + 1;
      return refusals[number] > 3 ? [close] : '550 5.1.1 no such user here\r\n';
    },
  });
  const outcomes = await world.outcomes(boxes(12));
  expect(outcomes.filter(({ kind }) => kind === 'accepted')).toEqual([0, 3, 6, 9].map(() => ACCEPTED));
});

test('an unfinished catch-all check is repeated once, and then reported as unfinished', async () => {
  for (const [first, second, fate] of [
    ['450 later\r\n', '550 5.1.1 no such\r\n', { kind: 'refused' }],
    ['450 later\r\n', '250 ok\r\n', { kind: 'accepted' }],
    [
      '450 greylisted for 60 seconds\r\n',
      '450 greylisted for 60 seconds\r\n',
      { kind: 'not_learnt', why: 'greylisting', deferral: { cause: 'greylisting', askedS: 60 } },
    ],
    ['550 5.7.1 blocked\r\n', '550 5.7.1 blocked\r\n', { kind: 'not_learnt', why: 'policy_rejected', deferral: null }],
  ] as const) {
    const world = new MailWorld();
    const server = world.domain('d.test', {
      rcpt: (mailbox, { number }) => {
        if (mailbox === 'a@d.test') return '250 2.1.5 ok\r\n';
        return number === 0 ? first : second;
      },
    });
    expect(await world.outcome('a@d.test')).toMatchObject({ kind: 'accepted', madeUp: fate });
    expect(server.sessions).toHaveLength(2);
  }
});

test('no acceptance is reported before the result of the made-up mailbox', async () => {
  const world = new MailWorld({}, 25);
  world.domain('d.test', { mailboxes: ['u0@d.test'] });
  const times: number[] = [];
  const work = world.engine.probe({
    account: 0,
    recipients: [{ local: 'u0', domain: 'd.test' }],
    signal: new AbortController().signal,
    deadlineMs: 90_000,
    report: () => times.push(world.clock.now()),
  });
  await world.clock.finish(work);
  expect(times).toEqual([250]);
});
