import { expect, test } from 'vitest';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { type ScriptedReply, byteByByte, close, reset, say, type Script, silence, wait } from '../../testing/script.ts';

// Servers that misbehave on purpose. Each ends at its limit, and the domain beside it is unaffected.

const ACCEPTED = { kind: 'accepted', reply: { code: 250, enhanced: '2.1.5' }, madeUp: { kind: 'refused' } };
const STAGES = ['greeting', 'EHLO', 'MAIL', 'RCPT'] as const;

function at(stage: (typeof STAGES)[number], answer: ScriptedReply): Script {
  if (stage === 'greeting') return { greeting: answer };
  return { offers: [], on: (line) => (line.startsWith(stage) ? answer : undefined) };
}

/** Probes the hostile domain, then an honest one in the same lane, and returns the hostile one's outcome. */
async function beside(script: Script, world = new MailWorld({ lanes: 1 })) {
  const hostile = world.domain('bad.test', script);
  world.domain('good.test', { mailboxes: ['a@good.test'] });
  const [bad, good] = await world.outcomes(['a@bad.test', 'a@good.test'], 3_600_000);
  expect(good).toEqual(ACCEPTED);
  expect(world.bugs).toEqual([]);
  expect(world.clock.pending).toBe(0);
  expect(hostile.sessions.every(({ closed }) => closed)).toBe(true);
  return { outcome: bad, elapsedMs: world.clock.now(), sessions: hostile.sessions };
}

test('a tarpit of one byte a second ends at the limit of the command it answers', async () => {
  const reply = `220-${'x'.repeat(100)}\r\n220 ok\r\n`;
  const greeting = await beside({ greeting: byteByByte(reply, 1000) });
  expect(greeting.outcome).toEqual({ kind: 'no_banner', refused: false });
  expect(greeting.elapsedMs).toBeLessThanOrEqual(30_000);
  const rcpt = await beside(at('RCPT', byteByByte(`250-${'x'.repeat(100)}\r\n`, 1000)));
  expect(rcpt.outcome).toEqual({ kind: 'timeout', greeted: true });
  expect(rcpt.elapsedMs).toBeLessThanOrEqual(30_000);
});

test.each(STAGES)('an endless line, or reply of many lines, at %s is cut off', async (stage) => {
  for (const endless of ['250-more\r\n'.repeat(100_000), `250 ${'x'.repeat(1_000_000)}`]) {
    const { outcome } = await beside(at(stage, endless));
    expect(outcome).toEqual({ kind: 'protocol_error', reply: null, greeted: stage !== 'greeting' });
  }
});

test('a million tiny chunks are cut off by their number', async () => {
  // Each line and the whole reply stay below every other limit.
  const greeting = byteByByte(`220-${'x'.repeat(70)}\r\n`.repeat(13_000));
  const { outcome } = await beside({ greeting });
  expect(outcome).toEqual({ kind: 'protocol_error', reply: null, greeted: false });
});

test.each([
  ['NUL and 8-bit bytes for a reply', Uint8Array.of(0, 255, 128, 13, 10), 'protocol_error'],
  [
    'a reply with NUL and 8-bit bytes in its words',
    Uint8Array.of(53, 53, 48, 32, 0, 255, 254, 128, 13, 10),
    'unexpected_code',
  ],
  ['a bare LF at the end of a reply', '550 5.1.1 no such\n', 'no_such_mailbox'],
  ['an empty line', '\r\n', 'protocol_error'],
  ['codes that differ in one reply', '250-ok\r\n550 no\r\n', 'protocol_error'],
  ['a code of two digits', '55 no\r\n', 'protocol_error'],
  ['a code beyond 599', '650 no\r\n', 'protocol_error'],
  ['a code without a separator', '550no\r\n', 'protocol_error'],
  ['a code alone', '550\r\n', 'unexpected_code'],
  ['two replies to one command', '250 ok\r\n550 5.1.1 no such\r\n', 'protocol_error'],
  ['garbage behind a whole reply', '250 ok\r\nhello\r\n', 'accepted'],
])('%s at RCPT', async (_what, answer, kind) => {
  const { outcome } = await beside(at('RCPT', answer));
  expect(outcome?.kind).toBe(kind);
});

test('a reply before EHLO was sent is a protocol error', async () => {
  const { outcome, sessions } = await beside({ greeting: '220 mx\r\n250 hello\r\n' });
  expect(outcome).toEqual({ kind: 'protocol_error', reply: null, greeted: true });
  expect(sessions[0]?.lines).toEqual([]);
});

test('a surplus reply voids what the session said about any recipient, and others are asked again', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    rcpt: (mailbox) => (mailbox === 'a@d.test' ? '550 5.1.1 no such\r\n550 5.1.1 no such\r\n' : '250 ok\r\n'),
  });
  // The second reply reads as one to b, which would be called dead; the reply to b is then the surplus one.
  const outcomes = await world.outcomes(['a@d.test', 'b@d.test']);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['protocol_error', 'accepted']);
});

test.each([
  ['greeting', { kind: 'no_banner', refused: false }, 1],
  ['EHLO', { kind: 'connection_error', greeted: true }, 2],
  ['MAIL', { kind: 'connection_error', greeted: true }, 2],
  ['RCPT', { kind: 'connection_error', greeted: true }, 2],
] as const)('a reset and a close at %s', async (stage, expected, count) => {
  for (const end of [reset, close]) {
    const { outcome, sessions } = await beside(at(stage, [end]));
    expect(outcome).toEqual(expected);
    expect(sessions).toHaveLength(count);
  }
});

test('replies received before the close count', async () => {
  const { outcome } = await beside(at('RCPT', ['550 5.1.1 no such\r\n', close]));
  expect(outcome?.kind).toBe('no_such_mailbox');
});

test('a server that drops at the first RCPT costs two sessions for one address and four for many', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', at('RCPT', [reset]));
  const outcomes = await world.outcomes(Array.from({ length: 100 }, (_, i) => `u${i}@d.test`));
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['connection_error']));
  expect(server.sessions).toHaveLength(4);
});

test('a recipient at which the server drops does not take others with it', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    offers: [],
    mailboxes: ['a@d.test', 'c@d.test'],
    on: (line) => (line.includes('<b@') ? [reset] : undefined),
  });
  const outcomes = await world.outcomes(['a@d.test', 'b@d.test', 'c@d.test']);
  expect(outcomes).toEqual([ACCEPTED, { kind: 'connection_error', greeted: true }, ACCEPTED]);
});

test('silence about one recipient keeps the verdicts on earlier ones', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    offers: [],
    on: (line) => (line.includes('<b@') ? silence : undefined),
  });
  const outcomes = await world.outcomes(['a@d.test', 'b@d.test'], 600_000);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['no_such_mailbox', 'timeout']);
});

test('a list of a hundred MX hosts is followed only up to the limit', async () => {
  const world = new MailWorld();
  const hosts = Array.from({ length: 100 }, (_, i) => `mx${i}.n${i}.test`);
  world.mx('d.test', hosts);
  for (const host of hosts) world.host(host, [nextIp(), nextIp(), nextIp()]);
  const [evidence] = await world.probe(['a@d.test']);
  expect(evidence?.outcome).toEqual({ kind: 'connection_error', greeted: false });
  expect(evidence?.mx).toEqual(hosts.slice(0, 10));
  expect(world.dialled.length).toBeLessThanOrEqual(16);
  expect(world.lookedUp.length).toBeLessThanOrEqual(17);
});

test('a hundred MX hosts without an address are not all looked up, and so not called missing', async () => {
  const world = new MailWorld();
  world.mx(
    'd.test',
    Array.from({ length: 100 }, (_, i) => `mx${i}.test`),
  );
  expect(await world.outcome('a@d.test')).toEqual({ kind: 'mx_lookup_failed' });
});

test('MX hosts that all lead to one address are dialled once', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['a.test', 'b.test', 'c.test', 'd.test']);
  for (const host of ['a.test', 'b.test', 'c.test', 'd.test']) world.host(host, ['11.5.5.5']);
  await world.outcome('a@d.test');
  expect(world.dialled).toHaveLength(1);
});

const NO_HOSTS = [
  '192.0.2.1',
  '11.1.2.3',
  '0x7f000001',
  'mx.1',
  '[11.1.2.3]',
  'a b.test',
  '-',
  'x'.repeat(70),
  '.',
  'a..b',
];

test.each(NO_HOSTS)('an MX that is no host name is missing, and never resolved: %j', async (exchange) => {
  const world = new MailWorld();
  world.mx('d.test', { kind: 'found', records: [{ exchange, preference: 1 }] }).host(exchange, ['11.4.4.4']);
  expect(await world.outcome('a@d.test')).toEqual({ kind: 'mx_hosts_missing' });
  expect(world.lookedUp).toEqual(['d.test']);
});

test('a null MX beside others is ignored', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['', 'mx.d.test']).host('mx.d.test', ['11.3.3.3']);
  world.serve('11.3.3.3', {});
  const [evidence] = await world.probe(['a@d.test']);
  expect(evidence?.outcome.kind).toBe('no_such_mailbox');
  expect(evidence?.mx).toEqual(['mx.d.test']);
});

test('each name is resolved once per batch, so the checked address is the dialled one', async () => {
  const world = new MailWorld();
  world.domain('d.test', {}, '11.2.2.2');
  await world.outcomes(Array.from({ length: 30 }, (_, i) => `u${i}@d.test`));
  expect(world.lookedUp.filter((name) => name === 'mx.d.test')).toHaveLength(1);
  expect(new Set(world.dialled.map(({ ip }) => ip))).toEqual(new Set(['11.2.2.2']));
});

test('a server that stalls does not hold up other lanes', async () => {
  const world = new MailWorld();
  const reports: [number, number][] = [];
  for (let i = 0; i < 19; i += 1) world.domain(`stall${i}.test`, { greeting: silence });
  for (let i = 0; i < 40; i += 1) world.domain(`ok${i}.test`, {});
  const domains = [
    ...Array.from({ length: 19 }, (_, i) => `stall${i}.test`),
    ...Array.from({ length: 40 }, (_, i) => `ok${i}.test`),
  ];
  await world.clock.finish(
    world.engine.probe({
      account: 0,
      recipients: domains.map((domain) => ({ local: 'a', domain })),
      signal: new AbortController().signal,
      deadlineMs: 90_000,
      report: (index) => reports.push([index, world.clock.now()]),
    }),
  );
  expect(reports.filter(([, atMs]) => atMs === 0)).toHaveLength(40);
  expect(reports.filter(([, atMs]) => atMs === 30_000)).toHaveLength(19);
});

test('a tarpit that answers just in time is followed, command by command', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    offers: [],
    greeting: [wait(29_000), say('220 mx\r\n')],
    on: (line) => (line.startsWith('RCPT') ? [wait(29_000), say('550 5.1.1 no such\r\n')] : undefined),
  });
  expect((await world.outcome('a@d.test')).kind).toBe('no_such_mailbox');
  expect(world.clock.now()).toBe(58_000);
});

test('a server that hangs or talks garbage at RCPT is given up after two sessions, for all addresses', async () => {
  for (const [answer, kind] of [
    [silence, 'timeout'],
    ['hmm\r\n', 'protocol_error'],
  ] as const) {
    const world = new MailWorld();
    const server = world.domain('d.test', { offers: [], rcpt: () => answer });
    const outcomes = await world.outcomes(Array.from({ length: 50 }, (_, i) => `u${i}@d.test`));
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set([kind]));
    expect(server.sessions).toHaveLength(2);
  }
});

test('a goodbye between greeting and EHLO is a deferral', async () => {
  const { outcome } = await beside({ greeting: ['220 mx\r\n421 shutting down\r\n', close] });
  expect(outcome?.kind).toBe('deferred');
});

test('a goodbye after the last reply changes no verdict', async () => {
  const { outcome } = await beside({ rcpt: () => ['550 5.1.1 no such\r\n421 4.7.0 bye\r\n', close] });
  expect(outcome?.kind).toBe('no_such_mailbox');
});

test('a surplus reply after EHLO is a protocol error', async () => {
  const { outcome } = await beside({ on: (line) => (line.startsWith('EHLO') ? '250 mx\r\n250 what?\r\n' : undefined) });
  expect(outcome).toEqual({ kind: 'protocol_error', reply: null, greeted: true });
});

test('a goodbye after EHLO ends the session and starts a cool-down', async () => {
  const world = new MailWorld();
  world.domain('bad.test', {
    on: (line) => (line.startsWith('EHLO') ? ['250 mx\r\n421 busy\r\n', close] : undefined),
  });
  expect(await world.outcome('a@bad.test')).toEqual({ kind: 'unprobed', why: 'cooldown', waitS: 30 });
  expect(world.engine.cooling()).toBe(1);
});
