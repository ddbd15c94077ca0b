import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, UNKNOWN } from '../../testing/one-domain.ts';
import {
  type ScriptedReply,
  close,
  reset,
  type Script,
  type SessionRecord,
  silence,
  wait,
} from '../../testing/script.ts';
import type { Target } from '../targets/targets.ts';
import { NO_OFFERS } from './offers.ts';
import { PIPECONNECT_SERVERS_MAX, PipeconnectServers } from './pipeconnect.ts';

const OFFERS = ['PIPELINING', 'PIPECONNECT'];
const ONE_WAY_MS = 25;
const known = { offers: { ...NO_OFFERS, pipelining: true, early: true } };
const ME = 1;
const target = (ip: string, port = 25): Target => ({ host: 'mx.test', ip, family: 4, port });

async function probedTwice(script: Script, mailbox: string) {
  const world = new MailWorld({}, ONE_WAY_MS);
  const server = world.domain('d.test', { offers: OFFERS, mailboxes: ['a@d.test'], ...script });
  const first = await world.outcome(mailbox);
  const before = world.clock.now();
  const second = await world.outcome(mailbox);
  return { world, server, first, second, ms: world.clock.now() - before };
}

test.each([
  ['a refusal', 'x@d.test', UNKNOWN, 2],
  ['an acceptance and its made-up mailbox', 'a@d.test', ACCEPTED, 3],
])('%s takes %s %j %i round trips with a server that offered PIPECONNECT', async (_what, mailbox, outcome, trips) => {
  const { server, first, second, ms } = await probedTwice({}, mailbox);
  expect([first, second]).toEqual([outcome, outcome]);
  expect(ms).toBe(trips * 2 * ONE_WAY_MS);
  expect(server.sessions[0]?.writes[0]).toBe('EHLO probe.example.net\r\n');
  expect(server.sessions[1]?.writes[0]).toBe(
    `EHLO probe.example.net\r\nMAIL FROM:<verify@probe.example.net>\r\nRCPT TO:<${mailbox}>\r\n`,
  );
});

test.each<[string, NonNullable<Script['on']>]>([
  ['does not know EHLO', later('EHLO', '502 5.5.1 what?\r\n')],
  ['no longer pipelines', later('EHLO', '250-mx.test\r\n250 8BITMIME\r\n')],
  ['answers garbage', later('EHLO', 'hello?\r\n')],
  ['answers each command twice', twice],
  ['refuses MAIL', later('MAIL', '550 5.7.1 too early\r\n')],
  ['says goodbye', later('RCPT', ['421 4.7.0 too early\r\n', close])],
  ['closes', later('EHLO', [close])],
  ['resets', later('RCPT', [reset])],
  ['stops', later('RCPT', silence)],
])(
  'a server that offered it and then %s costs one ordinary session, and its replies do not count',
  async (_what, on) => {
    for (const [mailbox, outcome] of [
      ['a@d.test', ACCEPTED],
      ['x@d.test', UNKNOWN],
    ] as const) {
      const { world, server, second } = await probedTwice({ on }, mailbox);
      expect(second).toEqual(outcome);
      expect(server.sessions).toHaveLength(3);
      expect(server.sessions[2]?.writes[0]).toBe('EHLO probe.example.net\r\n');
      expect(world.engine.cooling()).toBe(0);
    }
  },
);

test.each<[string, ScriptedReply]>([
  ['421', ['421 4.7.0 too early\r\n', close]],
  ['450', '450 4.7.0 come back later\r\n'],
  ['554', ['554 5.5.1 synchronization error\r\n', close]],
  ['554, and refuses each command', '554 not you\r\n503 no\r\n503 no\r\n503 no\r\n'],
  ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['two greetings', '220 mx.test ESMTP\r\n220 mx.test ESMTP\r\n'],
  ['an answer to EHLO before its greeting', '250-mx.test\r\n250 PIPELINING\r\n220 mx.test ESMTP\r\n'],
  ['nothing', silence],
  ['nothing for 35 s', [wait(35_000), '220 mx.test ESMTP\r\n']],
  ['the end of the connection', [close]],
  ['a reset', [reset]],
])('a server that offered it and greets with %s after early commands is asked again in order', async (_what, early) => {
  const greeting = ({ number }: SessionRecord): ScriptedReply => (number === 1 ? early : '220 mx.test ESMTP\r\n');
  for (const [mailbox, outcome] of [
    ['a@d.test', ACCEPTED],
    ['x@d.test', UNKNOWN],
  ] as const) {
    const { world, server, second } = await probedTwice({ greeting }, mailbox);
    expect(second).toEqual(outcome);
    expect(server.sessions).toHaveLength(3);
    expect(server.sessions[2]?.writes[0]).toBe('EHLO probe.example.net\r\n');
    expect(world.engine.cooling()).toBe(0);
  }
});

test('a server that withdraws its offer gets early commands once more, then no longer', async () => {
  const world = new MailWorld({}, ONE_WAY_MS);
  const server = world.domain('d.test', {
    mailboxes: ['a@d.test'],
    offers: OFFERS,
    on: (line, { number }) =>
      number > 0 && line.startsWith('EHLO') ? '250-mx.test greets you\r\n250 PIPELINING\r\n' : undefined,
  });
  for (let n = 0; n < 3; n += 1) expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(server.sessions.map(({ writes }) => writes[0]?.includes('RCPT'))).toEqual([false, true, false]);
});

test('a server that greets late is waited for: commands sent early are answered in order, in that session', async () => {
  for (const [mailbox, outcome] of [
    ['a@d.test', ACCEPTED],
    ['x@d.test', UNKNOWN],
  ] as const) {
    const { server, second, ms } = await probedTwice({ greeting: [wait(20_000), '220 mx.test ESMTP\r\n'] }, mailbox);
    expect(second).toEqual(outcome);
    expect(server.sessions).toHaveLength(2);
    expect(ms).toBeGreaterThan(20_000);
  }
});

/** In the second session each answer is sent twice. */
function twice(line: string, { number }: SessionRecord): ScriptedReply | undefined {
  if (number !== 1) return undefined;
  const hello = '250-mx.test greets you\r\n250-PIPELINING\r\n250 PIPECONNECT\r\n';
  const [, once = '250 2.0.0 ok\r\n'] =
    [
      ['EHLO', hello],
      ['RCPT TO:<a@', '250 2.1.5 ok\r\n'],
      ['RCPT', '550 5.1.1 no such user here\r\n'],
    ].find(([begins = '']) => line.startsWith(begins)) ?? [];
  return [once, wait(1), once];
}

/** Answers like this in the second session. */
function later(verb: string, answer: ScriptedReply): NonNullable<Script['on']> {
  return (line, { number }) => (number === 1 && line.startsWith(verb) ? answer : undefined);
}

test('no other server gets commands before its greeting', async () => {
  const world = new MailWorld({}, ONE_WAY_MS);
  const greeting = [wait(500), '220 mx.test ESMTP\r\n'];
  const servers = [['PIPELINING'], ['PIPECONNECT'], []].map((offers, n) =>
    world.domain(`d${n}.test`, { greeting, offers, mailboxes: [`a@d${n}.test`] }),
  );
  for (let n = 0; n < 3; n += 1) await world.probe(['a@d0.test', 'a@d1.test', 'a@d2.test']);
  for (const { sessions } of servers)
    for (const { writes } of sessions) expect(writes[0]).toBe('EHLO probe.example.net\r\n');
});

test('an offer is valid until it is withdrawn', () => {
  const met = new PipeconnectServers();
  met.remember(ME, null, target('11.1.1.1'), known);
  expect(met.recall(ME, null, target('11.1.1.1'))).toEqual(known.offers);
  met.remember(ME, null, target('11.1.1.1'), { offers: NO_OFFERS });
  expect(met.recall(ME, null, target('11.1.1.1'))).toBeNull();
});

/** How long account 1 waits for its answer at a server that these accounts have asked before. */
async function answeredMs(before: readonly number[]): Promise<number> {
  const world = new MailWorld({}, ONE_WAY_MS);
  world.domain('d.test', { offers: OFFERS, mailboxes: ['a@d.test'] });
  for (const account of before) await world.probe(['a@d.test'], 90_000, account);
  const startedMs = world.clock.now();
  await world.probe(['a@d.test'], 90_000, 1);
  return world.clock.now() - startedMs;
}

test("an account gains no time, and thus no information, from another's earlier session", async () => {
  expect(await answeredMs([2, 2, 3])).toBe(await answeredMs([]));
  expect(await answeredMs([1])).toBeLessThan(await answeredMs([]));
});

const nth = (n: number) => target(`11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);

test('the table of servers is bounded, and drops the oldest', () => {
  const met = new PipeconnectServers();
  for (let n = 0; n < 100_000; n += 1) met.remember(ME, null, nth(n), known);
  expect(met.size).toBe(PIPECONNECT_SERVERS_MAX);
  expect(met.recall(ME, null, nth(0))).toBeNull();
  expect(met.recall(ME, null, nth(99_999))).not.toBeNull();
});
