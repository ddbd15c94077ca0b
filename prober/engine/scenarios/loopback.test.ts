import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { SIGNALS } from '../../testing/mail-world.ts';
import { realClock } from '../../testing/real-clock.ts';
import { byteByByte, close, reset, type Script, silence } from '../../testing/script.ts';
import { tcpDial } from '../../testing/tcp-dial.ts';
import { TcpServer } from '../../testing/tcp-server.ts';
import { createEngineWith } from '../batch.ts';
import { DEFAULTS } from '../ports/settings.ts';

// The same scripts over real TCP: what a socket does to bytes and ends is not what memory does.

async function probe(script: Script, addresses: readonly string[] = ['a@d.test'], commandMs = 30_000) {
  const server = await TcpServer.start(script);
  const engine = createEngineWith(
    classifyPlainly,
    {
      clock: realClock,
      random: Math.random,
      dial: tcpDial,
      resolveFor: () => ({
        mx: async () => ({ kind: 'found', records: [{ exchange: 'mx.d.test', preference: 1 }] }),
        addresses: async () => ({ addresses: [{ ip: '127.0.0.1', declared: true }], certain: true }),
      }),
    },
    {
      ...DEFAULTS,
      egress: [{ ip: null, heloName: 'probe.example.net' }],
      mailFrom: 'v@probe.example.net',
      routes: [{ cidr: '127.0.0.0/8', port: server.port }],
      timeouts: { ...DEFAULTS.timeouts, commandMs, greetingMs: commandMs },
    },
    () => SIGNALS,
  );
  const outcomes: Outcome[] = [];
  try {
    await engine.probe({
      account: 0,
      recipients: addresses.map((address) => ({ local: address.split('@')[0] ?? '', domain: 'd.test' })),
      signal: new AbortController().signal,
      deadlineMs: realClock.now() + 20_000,
      report: (index, { outcome }) => (outcomes[index] = outcome),
    });
  } finally {
    await server.stop();
  }
  return { outcomes, sessions: server.sessions };
}

const ACCEPTED = { kind: 'accepted', reply: { code: 250, enhanced: '2.1.5' }, madeUp: { kind: 'refused' } };

test('a dialogue over TCP, group by group', async () => {
  const { outcomes, sessions } = await probe({ mailboxes: ['a@d.test'] }, ['a@d.test', 'b@d.test']);
  expect(outcomes).toEqual([ACCEPTED, { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } }]);
  expect(sessions).toHaveLength(1);
  expect(sessions[0]?.lines.slice(0, 2)).toEqual(['EHLO probe.example.net', 'MAIL FROM:<v@probe.example.net>']);
});

test('200 addresses over TCP', async () => {
  const addresses = Array.from({ length: 200 }, (_, i) => `u${i}@d.test`);
  const { outcomes, sessions } = await probe({ greeting: '220 mx ESMTP Postfix\r\n', mailboxes: addresses }, addresses);
  expect(outcomes).toEqual(addresses.map(() => ACCEPTED));
  expect(sessions.length).toBeLessThanOrEqual(5);
});

test('replies in single bytes over TCP', async () => {
  const { outcomes } = await probe({
    greeting: byteByByte('220 mx\r\n'),
    on: (line) => {
      if (line.startsWith('EHLO')) return byteByByte('250-mx\r\n250 PIPELINING\r\n');
      if (line.startsWith('RCPT'))
        return byteByByte(line.includes('<a@') ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such\r\n');
      return byteByByte('250 ok\r\n');
    },
  });
  expect(outcomes).toEqual([ACCEPTED]);
});

test.each([
  ['a close before the greeting', { greeting: [close] }, 'no_banner'],
  ['a reset at RCPT', { on: (line: string) => (line.startsWith('RCPT') ? [reset] : undefined) }, 'connection_error'],
  ['a reply and then a close', { rcpt: () => ['550 5.1.1 no such\r\n', close] }, 'no_such_mailbox'],
  ['a drop on QUIT', { on: (line: string) => (line === 'QUIT' ? [reset] : undefined) }, 'no_such_mailbox'],
  ['10 MB of greeting', { greeting: '220-more\r\n'.repeat(1_000_000) }, 'protocol_error'],
  ['a greeting cut short', { greeting: ['220 m', close] }, 'no_banner'],
] as const)('%s over TCP', async (_what, script, kind) => {
  const { outcomes } = await probe(script);
  expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind]);
});

test('a server that falls silent frees its socket at the limit', async () => {
  const { outcomes, sessions } = await probe({ rcpt: () => silence }, ['a@d.test'], 50);
  expect(outcomes).toEqual([{ kind: 'timeout', greeted: true }]);
  expect(sessions).toHaveLength(1);
});
