import { expect, test } from 'vitest';
import type { MemoryServer } from '../../testing/memory-server.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, UNKNOWN } from '../../testing/one-domain.ts';
import type { Outcome } from '../../../schema/evidence.ts';
import { byteByByte, close, reset, type ScriptedReply, silence } from '../../testing/script.ts';

function recipientsPerSession(server: MemoryServer): number[] {
  return server.sessions.map(({ lines }) => lines.filter((line) => line.startsWith('RCPT')).length);
}

test('after DNS a refused address costs four round trips, an accepted one five', async () => {
  for (const [mailboxes, outcome, trips] of [
    [[], UNKNOWN, 4],
    [['a@d.test'], ACCEPTED, 5],
  ] as const) {
    const world = new MailWorld({}, 25);
    world.domain('d.test', { mailboxes });
    expect(await world.outcome('a@d.test')).toEqual(outcome);
    expect(world.clock.now()).toBe(trips * 50);
  }
});

test('without PIPELINING each command waits for its reply', async () => {
  const world = new MailWorld({}, 25);
  const server = world.domain('d.test', { offers: [], mailboxes: boxes(3) });
  expect(await world.outcomes(boxes(3))).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
  expect(server.sessions[0]?.writes.every((write) => write.indexOf('\r\n') === write.length - 2)).toBe(true);
  // TCP, greeting, EHLO, MAIL, three recipients, the made-up one.
  expect(world.clock.now()).toBe(8 * 50);
});

test('MAIL and the first recipients are one write, EHLO and QUIT are alone', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { mailboxes: boxes(2) });
  await world.outcomes(boxes(2));
  const [ehlo, group, madeUp, quit] = server.sessions[0]?.writes ?? [];
  expect(ehlo).toMatch(/^EHLO [^\r]+\r\n$/);
  expect(group?.split('\r\n')).toHaveLength(4);
  expect(madeUp).toMatch(/^RCPT TO:<[a-z]+@d.test>\r\n$/);
  expect(quit).toBe('QUIT\r\n');
});

test('500 existing addresses share ten sessions of fifty recipients and one made-up mailbox', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { mailboxes: boxes(500) });
  const outcomes = await world.outcomes(boxes(500));
  expect(outcomes.every((outcome) => outcome.kind === 'accepted' && outcome.madeUp.kind === 'refused')).toBe(true);
  expect(recipientsPerSession(server)).toEqual([...Array.from({ length: 10 }, () => 50), 1]);
  expect(server.sessions.flatMap(({ lines }) => lines).filter((line) => /<[a-z]{18}@/.test(line))).toHaveLength(1);
});

test('500 existing addresses take under 9 s at a round trip of 50 ms, under 5 s with Postfix', async () => {
  for (const [greeting, limitMs] of [
    ['220 mx.test ESMTP\r\n', 9000],
    ['220 mx.test ESMTP Postfix\r\n', 5000],
  ] as const) {
    const world = new MailWorld({}, 25);
    world.domain('d.test', { greeting, mailboxes: boxes(500) });
    await world.outcomes(boxes(500));
    expect(world.clock.now()).toBeLessThan(limitMs);
  }
});

test.each([
  ['of 4 by default', [4, 4, 4, 4, 4], {}],
  ['of 9 by the banner of Postfix', [9, 9, 2], { greeting: '220 mx.test ESMTP Postfix (Debian)\r\n' }],
  [
    'of 9 by the EHLO reply of Exim',
    [9, 9, 2],
    { on: (line: string) => (line.startsWith('EHLO') ? '250-mx Exim 4.96\r\n250 PIPELINING\r\n' : undefined) },
  ],
])('unknown recipients use up a budget of refusals per session: %s', async (_what, perSession, script) => {
  const world = new MailWorld();
  const server = world.domain('d.test', script);
  expect(await world.outcomes(boxes(20))).toEqual(boxes(20).map(() => UNKNOWN));
  expect(recipientsPerSession(server)).toEqual(perSession);
});

test('4xx and 5xx count alike against the budget', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    rcpt: (mailbox) => (Number(mailbox.slice(1, -7)) % 2 === 0 ? '450 4.2.1 later\r\n' : '550 5.1.1 no such\r\n'),
  });
  await world.outcomes(boxes(6));
  expect(recipientsPerSession(server)).toEqual([4, 2]);
});

test('there are never more unanswered recipients than refusals left', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    rcpt: (mailbox) => (Number(mailbox.slice(1, -7)) % 5 === 4 ? '550 5.1.1 no such\r\n' : '250 ok\r\n'),
  });
  await world.outcomes(boxes(40));
  for (const { writes } of server.sessions) {
    let left = 4;
    for (const write of writes) {
      const asked = write.match(/RCPT TO:<[^>]+>/g) ?? [];
      expect(asked.length).toBeLessThanOrEqual(left);
      left -= asked.filter((one) => Number(/u(\d+)@/.exec(one)?.[1] ?? 0) % 5 === 4).length;
    }
  }
});

test('a server that takes three recipients a session gets no more from the third on', async () => {
  const world = new MailWorld();
  const asked = new Map<number, number>();
  const server = world.domain('d.test', {
    rcpt: (_mailbox, { number }) => {
      asked.set(number, (asked.get(number) ?? 0) + 1);
      return (asked.get(number) ?? 0) > 3 ? '452 4.5.3 too many recipients\r\n' : '250 2.1.5 ok\r\n';
    },
  });
  const outcomes = await world.outcomes(boxes(20));
  expect(outcomes.map(({ kind }) => kind)).toEqual(boxes(20).map(() => 'accepted'));
  expect(Math.max(...recipientsPerSession(server).slice(2))).toBeLessThanOrEqual(3);
});

test('QUIT is not waited for, and its reply changes nothing', async () => {
  for (const answer of [[reset], [close], silence, '500 what?\r\n']) {
    const world = new MailWorld();
    world.domain('d.test', { mailboxes: ['a@d.test'], on: (line) => (line === 'QUIT' ? answer : undefined) });
    expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
    expect(world.clock.now()).toBe(0);
  }
});

test('DATA is never sent', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { mailboxes: boxes(60) });
  await world.outcomes(boxes(60));
  const verbs = new Set(server.sessions.flatMap(({ lines }) => lines.map((line) => line.split(' ')[0])));
  expect(verbs).toEqual(new Set(['EHLO', 'MAIL', 'RCPT', 'QUIT']));
});

test.each([500, 501, 502, 503, 504, 521, 530, 550, 554, 450, 451, 334])(
  'HELO is tried if EHLO gets %i',
  async (code) => {
    const world = new MailWorld();
    const server = world.domain('d.test', {
      mailboxes: ['a@d.test'],
      on: (line) => (line.startsWith('EHLO') ? `${code}-what?\r\n${code} no\r\n` : undefined),
    });
    expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
    expect(server.sessions[0]?.lines[1]).toBe('HELO probe.example.net');
  },
);

test.each<[string, string, ScriptedReply, Outcome['kind'], string[]]>([
  ['421', '421 later\r\n', null, 'deferred', ['EHLO']],
  ['550, and HELO too', '550 no\r\n', '554 no\r\n', 'ehlo_rejected', ['EHLO', 'HELO']],
  ['450, and HELO too', '450 later\r\n', '451 later\r\n', 'deferred', ['EHLO', 'HELO']],
  ['550, and HELO gets 421', '550 no\r\n', '421 later\r\n', 'deferred', ['EHLO', 'HELO']],
  ['550, and HELO a close', '550 no\r\n', [close], 'ehlo_rejected', ['EHLO', 'HELO']],
])('if EHLO gets %s, there is no session', async (_what, ehlo, helo, kind, verbs) => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    on: (line) => (line.startsWith('EHLO') ? ehlo : line.startsWith('HELO') ? helo : undefined),
  });
  expect((await world.outcome('a@d.test')).kind).toBe(kind);
  const sent = server.sessions[0]?.lines.map((line) => line.split(' ')[0]) ?? [];
  expect(sent.filter((verb) => verb !== 'QUIT')).toEqual(verbs);
});

test('SMTPUTF8 is a parameter of MAIL if a local part needs it and the server offers it', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    offers: ['PIPELINING', 'SMTPUTF8'],
    mailboxes: ['a@d.test', 'jörg@d.test'],
  });
  expect(await world.outcomes(['a@d.test', 'jörg@d.test'])).toEqual([ACCEPTED, ACCEPTED]);
  const mails = server.sessions.map(({ lines }) => lines.find((line) => line.startsWith('MAIL')));
  expect(mails).toEqual(['MAIL FROM:<verify@probe.example.net>', 'MAIL FROM:<verify@probe.example.net> SMTPUTF8']);
});

test('a domain goes out in A-labels', async () => {
  const world = new MailWorld();
  const server = world.domain('xn--mnchen-3ya.test', {});
  await world.outcome('a@münchen.test');
  expect(server.sessions[0]?.lines).toContain('RCPT TO:<a@xn--mnchen-3ya.test>');
});

test('an address given twice is probed once and reported twice', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { mailboxes: ['a@d.test'] });
  expect(await world.outcomes(['a@d.test', 'A@D.test', 'a@d.test'])).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
  expect(recipientsPerSession(server)).toEqual([2]);
});

test('a trace contains every line of the dialogue, and nothing is traced by default', async () => {
  const events: string[] = [];
  const world = new MailWorld({ trace: ({ direction, line }) => events.push(`${direction} ${line}`) });
  world.domain('d.test', {});
  await world.outcome('a@d.test');
  expect(events).toEqual([
    'note connecting to port 25',
    'received 220 mx.test ESMTP',
    'sent EHLO probe.example.net',
    'received 250-mx.test greets you',
    'received 250 PIPELINING',
    'sent MAIL FROM:<verify@probe.example.net>',
    'sent RCPT TO:<a@d.test>',
    'received 250 2.0.0 ok',
    'received 550 5.1.1 no such user here',
    'sent QUIT',
  ]);
});

test('a whole dialogue may arrive byte by byte', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    greeting: byteByByte('220-mx.test\r\n220 ESMTP\r\n'),
    on: (line) => {
      if (line.startsWith('EHLO')) return byteByByte('250-mx.test\r\n250-8BITMIME\r\n250 PIPELINING\r\n');
      if (line.includes('<a@')) return byteByByte('250 2.1.5 ok\r\n');
      return byteByByte(line.startsWith('RCPT') ? '550-5.1.1 no such\r\n550 5.1.1 user\r\n' : '250 ok\r\n');
    },
  });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
});

test('a server that ends a session over refusals is then asked for no more than it tolerated', async () => {
  const world = new MailWorld();
  const refused = new Map<number, number>();
  const server = world.domain('d.test', {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    offers: [],
    rcpt: (mailbox, { number }) => {
      if (Number(mailbox.slice(1, -7)) < 6) return '250 2.1.5 ok\r\n';
      refused.set(number, (refused.get(number) ?? 0) + 1);
      return (refused.get(number) ?? 0) > 3 ? '550 too many errors\r\n' : '550 5.1.1 no such\r\n';
    },
  });
  await world.outcomes(boxes(18));
  // The fourth refusal ended the first session; in the second the made-up mailbox is the third.
  expect([...refused.values()].slice(0, 4)).toEqual([4, 3, 3, 3]);
  expect(server.sessions[1]?.lines.at(-2)).toMatch(/<[a-z]{18}@/);
});

test('a server that only knows HELO is assumed to offer nothing', async () => {
  const world = new MailWorld({ startTls: 'always' });
  const server = world.domain('d.test', {
    mailboxes: ['u0@d.test', 'u1@d.test'],
    on: (line) => (line.startsWith('EHLO') ? '502 what?\r\n' : undefined),
  });
  expect(await world.outcomes(['u0@d.test', 'u1@d.test', 'jörg@d.test'])).toEqual([
    ACCEPTED,
    ACCEPTED,
    { kind: 'no_smtputf8' },
  ]);
  const writes = server.sessions.flatMap(({ writes: all }) => all);
  expect(writes.filter((write) => write.split('\r\n').length !== 2)).toEqual([]);
  expect(writes.filter((write) => /STARTTLS|SMTPUTF8/.test(write))).toEqual([]);
});

test.each(['RSET', 'MAIL'])('a further transaction refused at %s is no try of the made-up mailbox', async (verb) => {
  const world = new MailWorld();
  let later = false;
  const server = world.domain('d.test', {
    offers: [],
    rcpt: (mailbox, { number }) => {
      if (mailbox === 'a@d.test') return '250 2.1.5 ok\r\n';
      later = number === 0;
      return number === 0 ? '452 4.5.3 one at a time\r\n' : '450 later\r\n';
    },
    on: (line) => (later && line.startsWith(verb) ? '451 not now\r\n' : undefined),
  });
  expect(await world.outcome('a@d.test')).toMatchObject({ madeUp: { kind: 'not_learnt', why: 'greylisting' } });
  expect(server.sessions.length).toBeLessThanOrEqual(3);
});
