import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, UNKNOWN } from '../../testing/one-domain.ts';
import { type ScriptedReply, reset, say, silence, tls } from '../../testing/script.ts';

// STARTTLS: when it is used, when it is demanded, and what it must not let through.
const DEMAND = '530 5.7.0 Must issue a STARTTLS command first\r\n';
const WITH_TLS = ['PIPELINING', 'STARTTLS'];

test.each(['MAIL', 'RCPT'])(
  'a demand for STARTTLS at %s is met in the same session, which then starts over',
  async (stage) => {
    const world = new MailWorld();
    const server = world.domain('d.test', {
      offers: WITH_TLS,
      mailboxes: ['a@d.test'],
      on: (line, { secure }) => (!secure && line.startsWith(stage) ? DEMAND : undefined),
    });
    expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
    const lines = server.sessions[0]?.lines ?? [];
    const start = lines.indexOf('STARTTLS');
    expect(lines[start + 1]).toBe('EHLO probe.example.net');
    expect(lines[start - 1]).toBe(stage === 'RCPT' ? 'RSET' : 'RCPT TO:<a@d.test>');
    expect(server.sessions).toHaveLength(1);
  },
);

test.each<[string, (mailbox: string) => boolean]>([
  ['any RCPT', () => true],
  ['a later RCPT', (mailbox) => !mailbox.startsWith('u0@')],
  ['the RCPT of a made-up mailbox', (mailbox) => !mailbox.startsWith('u')],
  ['every third RCPT', (mailbox) => /^u\d*[258]@/.test(mailbox)],
])('a server that demands STARTTLS at %s answers for all under TLS', async (_what, demands) => {
  for (const offers of [WITH_TLS, ['STARTTLS']]) {
    const world = new MailWorld({ budgets: { refusals: 4, refusalsPatient: 9, recipients: 6 } });
    const server = world.domain('d.test', {
      offers,
      rcpt: (mailbox, { secure }) => {
        if (!secure && demands(mailbox)) return DEMAND;
        return mailbox.startsWith('u') ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user here\r\n';
      },
    });
    expect(await world.outcomes(boxes(25))).toEqual(boxes(25).map(() => ACCEPTED));
    // A site that has demanded it gets it first from then on.
    const plain = server.sessions.filter(
      ({ lines }) => lines.findIndex((line) => line.startsWith('RCPT')) < lines.indexOf('STARTTLS'),
    );
    expect(plain.length).toBeLessThanOrEqual(1);
  }
});

test.each<readonly [string, readonly string[], ScriptedReply]>([
  ['not offered', ['PIPELINING'], silence],
  ['refused with 5xx', WITH_TLS, '554 no TLS today\r\n'],
  ['a failed handshake', WITH_TLS, ['220 go\r\n', tls('fail')]],
])('if STARTTLS is demanded and fails (%s), the refusal that demanded it counts', async (_how, offers, starttls) => {
  for (const [stage, outcome] of [
    ['MAIL', { kind: 'mail_from_rejected' }],
    ['RCPT', { kind: 'policy_rejected', reply: { code: 530, enhanced: '5.7.0' } }],
  ] as const) {
    const world = new MailWorld();
    world.domain('d.test', {
      offers,
      on: (line) => (line.startsWith(stage) ? DEMAND : line === 'STARTTLS' ? starttls : undefined),
    });
    expect(await world.outcome('a@d.test')).toEqual(outcome);
  }
});

test('a trace contains the TLS handshake between STARTTLS and the second EHLO', async () => {
  const events: string[] = [];
  const world = new MailWorld({ trace: ({ direction, line }) => events.push(`${direction} ${line}`) });
  world.domain('d.test', {
    offers: WITH_TLS,
    on: (line, { secure }) => (!secure && line.startsWith('MAIL') ? DEMAND : undefined),
  });
  await world.outcome('a@d.test');
  const start = events.indexOf('sent STARTTLS');
  expect(events.slice(start + 2, start + 4)).toEqual(['note TLS handshake: secure', 'sent EHLO probe.example.net']);
});

test('a demand for STARTTLS that is then deferred is a deferral', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    offers: WITH_TLS,
    on: (line) => (line.startsWith('MAIL') ? DEMAND : line === 'STARTTLS' ? '454 later\r\n' : undefined),
  });
  expect((await world.outcome('a@d.test')).kind).toBe('deferred');
});

test.each([
  ['the reply', silence],
  ['the handshake', ['220 go\r\n', tls('hang')]],
])('a demand for STARTTLS that hangs at %s is a timeout', async (_where, starttls) => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    offers: WITH_TLS,
    on: (line) => (line.startsWith('MAIL') ? DEMAND : line === 'STARTTLS' ? starttls : undefined),
  });
  expect(await world.outcome('a@d.test')).toEqual({ kind: 'timeout', greeted: true });
  expect(server.sessions.every(({ closed }) => closed)).toBe(true);
});

test.each([
  ['a refusal', '454 later\r\n'],
  ['a failed handshake', ['220 go\r\n', tls('fail')]],
  ['a hang', ['220 go\r\n', tls('hang')]],
  ['a loss', [reset]],
])('if TLS was our choice, %s falls back to plain text in a fresh session', async (_how, starttls) => {
  const world = new MailWorld({ startTls: 'always' });
  const server = world.domain('d.test', {
    offers: WITH_TLS,
    mailboxes: ['a@d.test'],
    on: (line) => (line === 'STARTTLS' ? starttls : undefined),
  });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(server.sessions.map(({ lines }) => lines.includes('STARTTLS'))).toEqual([true, false]);
});

test('if we chose TLS and it works, nothing is asked in plain text', async () => {
  const world = new MailWorld({ startTls: 'always' });
  const server = world.domain('d.test', { offers: WITH_TLS, mailboxes: ['a@d.test'] });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(server.sessions[0]?.lines.slice(0, 3)).toEqual([
    'EHLO probe.example.net',
    'STARTTLS',
    'EHLO probe.example.net',
  ]);
});

test('plain text injected after the reply to STARTTLS is dropped at the switch', async () => {
  const world = new MailWorld({ startTls: 'always' });
  const server = world.domain('d.test', {
    offers: WITH_TLS,
    on: (line) =>
      line === 'STARTTLS' ? [say('220 go\r\n250-injected\r\n250 SMTPUTF8\r\n250 ok\r\n'), tls('ok')] : undefined,
  });
  expect(await world.outcome('a@d.test')).toEqual(UNKNOWN);
  expect(server.sessions.map(({ secure }) => secure)).toEqual([true]);
});
