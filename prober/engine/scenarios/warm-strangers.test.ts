import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { close, reset, type Script, type ScriptedReply, silence, wait } from '../../testing/script.ts';
import { IDLE_MAX, IDLE_OF_ACCOUNT_MAX } from '../site/idle-workers.ts';

// What a stranger's server can do with a session that is kept open: cost its own account another one.

const IP = '11.79.1.1';
const TAKEN = '250 2.1.5 ok\r\n';
const GONE = '550 5.1.1 no such user here\r\n';
const OK = '250 2.0.0 ok\r\n';
const ACCEPTED = { kind: 'accepted', madeUp: { kind: 'refused' } };

const exists = (mailbox: string): string => (mailbox.startsWith('u') ? TAKEN : GONE);

function host(script: Script, domains = 30, world = new MailWorld({}, 10)) {
  for (let d = 0; d < domains; d += 1) world.mx(`d${d}.test`, ['mx.shared.test']);
  world.warm().host('mx.shared.test', [IP]);
  return { world, server: world.serve(IP, { rcpt: exists, ...script }) };
}

/** Happens after the reply for a made-up mailbox: the session is idle by then. */
const whenIdle = (...acts: readonly (string | typeof close)[]): Script => ({
  rcpt: (mailbox) => (mailbox.startsWith('u') ? TAKEN : [GONE, wait(500), ...acts]),
});

const beginsAnother = (mailbox: string): ScriptedReply =>
  mailbox.startsWith('u') ? TAKEN : [`${GONE}250 2.0`, wait(500), '.0 ok\r\n'];

test.each<[string, Script]>([
  ['closes while idle', whenIdle(close)],
  ['resets while idle', whenIdle(reset)],
  ['says 421 while idle', whenIdle('421 4.4.2 idle for too long\r\n', close)],
  ['says 421 while idle, and stays open', whenIdle('421 4.4.2 idle for too long\r\n')],
  ['sends bytes while idle', whenIdle(OK)],
  ['sends garbage while idle', whenIdle('what?\r\n')],
  ['starts TLS while idle', whenIdle('\u0016\u0003\u0001\u0002\r\n')],
  ['greets again while idle', whenIdle('220 mx.test ESMTP\r\n')],
  ['begins a reply while idle', whenIdle('25')],
  ['ends a line while idle', whenIdle('\r\n')],
  ['begins a reply with its last one, and ends it while idle', { rcpt: beginsAnother }],
  ['sends a part of a reply while idle', whenIdle('250-')],
  ['floods while idle', whenIdle(...Array.from({ length: 20 }, () => 'x'.repeat(60_000)))],
])('a server that %s costs another session, and is no evidence', async (_what, script) => {
  const { world, server } = host(script);
  for (let d = 0; d < 3; d += 1) {
    const [evidence] = await world.probe([`u@d${d}.test`], 90_000, 1);
    expect(evidence?.outcome).toMatchObject(ACCEPTED);
    await world.clock.advance(1_000);
  }
  expect(server.sessions).toHaveLength(3);
  expect(server.sessions.every(({ closed }) => closed)).toBe(true);
  expect([world.engine.cooling(), world.bugs]).toEqual([0, []]);
});

const atReset = (answer: Script['on']): Script => ({
  on: (line, session) => (line === 'RSET' ? answer?.(line, session) : undefined),
});

function unixLines(): Script {
  return { rcpt: (mailbox) => exists(mailbox).replace('\r', ''), ...atReset(() => '250 2.0.0 ok\n') };
}

/** Says nothing to RSET and MAIL before RCPT arrives. */
function backwards(): Script {
  return {
    on: (line, { lines }) => (lines.includes('RSET') && /^(?:RSET|MAIL)/.test(line) ? silence : undefined),
    rcpt: (mailbox, { lines }) =>
      lines.includes('RSET') ? [exists(mailbox), '250 2.1.0 ok\r\n', OK] : exists(mailbox),
  };
}

test.each(Array.from({ length: 28 }, (_, at) => at + 1))(
  'a session whose replies are all split after byte %d serves one domain after the other',
  async (at) => {
    const split = (reply: string): ScriptedReply => [reply.slice(0, at), wait(1), reply.slice(at)];
    const { world, server } = host({
      rcpt: (mailbox) => split(exists(mailbox)),
      on: (line) => (/^(?:RSET|MAIL)/.test(line) ? split(OK) : undefined),
    });
    for (const d of [0, 1, 2]) {
      const [evidence] = await world.probe([`${d === 1 ? 'x' : 'u'}@d${d}.test`], 90_000, 1);
      expect(evidence?.outcome).toMatchObject(d === 1 ? { kind: 'no_such_mailbox' } : ACCEPTED);
    }
    expect([server.sessions.length, world.bugs]).toEqual([1, []]);
  },
);

test.each<[string, Script]>([
  ['closes at RSET', atReset(() => [close])],
  ['resets at RSET', atReset(() => [reset])],
  ['takes four seconds for RSET', atReset(() => [wait(4_000), OK])],
  ['takes four seconds to refuse RSET', atReset(() => [wait(4_000), '550 5.0.0 no\r\n'])],
  ['says a part of the reply to RSET', atReset(() => ['250 2.0', wait(12_000), '.0 ok\r\n'])],
  ['speaks TLS at RSET', atReset(() => ['\u0016\u0003\u0001\u0002\r\n'])],
  ['greets again before its answer to RSET', atReset(() => ['220 mx.test ESMTP\r\n', OK])],
  ['says 421 to RSET', atReset(() => ['421 4.4.2 too long\r\n', close])],
  ['never answers RSET', atReset(() => silence)],
  ['answers RSET once too often', atReset(() => [OK, OK])],
  ['answers RSET once too often, a moment later', atReset(() => [OK, wait(1), OK])],
  ['answers RSET once too often, in words of its own', atReset(() => ['250 2.0.0 reset\r\n', '250 2.0.0 reset\r\n'])],
  ['answers RSET with the greeting', atReset(() => '220 mx.test ESMTP\r\n')],
  ['answers RSET with its offers', atReset(() => '250-mx.test greets you\r\n250 PIPELINING\r\n')],
  ['defers RSET', atReset(() => '451 4.3.0 not now\r\n')],
  ['does not know RSET', atReset(() => '502 5.5.1 what?\r\n')],
  ['refuses RSET without an enhanced code', atReset(() => '500 what?\r\n')],
  ['says 421 between RSET and MAIL', atReset(() => [OK, '421 4.3.2 going down\r\n', close])],
  ['resets in the middle of its reply to RSET', atReset(() => ['250 2.0', reset])],
  ['answers RSET with NUL bytes', atReset(() => '\0\0\0\r\n')],
  ['ends its reply to RSET with a bare CR', atReset(() => '250 2.0.0 ok\r')],
  ['ends all lines with a bare LF', unixLines()],
  [
    'closes behind its reply to a made-up mailbox',
    { rcpt: (one) => (/^[ux]@/.test(one) ? exists(one) : [GONE, close]) },
  ],
  ['answers MAIL and RCPT before they are sent', { offers: [], ...atReset(() => [OK, '250 2.1.0 ok\r\n', TAKEN]) }],
  ['answers commands that came together in the wrong order', backwards()],
  [
    'takes commands together in every other session alone, and never after RSET',
    {
      on: (line, { number, lines }) => {
        if (line.startsWith('EHLO') && number % 2 === 1) return '250 mx.test\r\n';
        return lines.includes('RSET') && line !== 'QUIT' ? ['503 5.5.1 one at a time\r\n', close] : undefined;
      },
    },
  ],
  ...[GONE, TAKEN, OK, '250-', '220 mx.test ESMTP\r\n'].map((late): [string, Script] => [
    `says ${JSON.stringify(late)} too late, while the next one is asked about`,
    { rcpt: (mailbox) => (/^[ux]@/.test(mailbox) ? exists(mailbox) : [GONE, wait(15), late]) },
  ]),
  [
    'stops accepting pipelined commands',
    {
      on: (line, { lines }) =>
        lines.includes('RSET') && line.startsWith('RCPT') ? '503 5.5.1 one at a time\r\n' : undefined,
    },
  ],
  [
    'stops accepting MAIL',
    {
      on: (line, { lines }) => (lines.includes('RSET') && line.startsWith('MAIL') ? '502 5.5.1 what?\r\n' : undefined),
    },
  ],
])('with a server that %s, each domain gets its own verdict', async (_what, script) => {
  const { world } = host(script);
  for (let d = 0; d < 6; d += 1) {
    // Every second mailbox does not exist.
    const [evidence] = await world.probe([`${d % 2 === 0 ? 'u' : 'x'}@d${d}.test`], 90_000, 1);
    expect(evidence?.outcome).toMatchObject(d % 2 === 0 ? ACCEPTED : { kind: 'no_such_mailbox' });
  }
  expect([world.engine.cooling(), world.bugs]).toEqual([0, []]);
});

/** Exim, qmail and many others send no enhanced codes, and some say the same to every command. */
test.each(['ok', 'sender ok'])(
  'a surplus reply to RSET is noticed even if MAIL is answered with a bare "%s"',
  async (words) => {
    const { world } = host({
      rcpt: (mailbox) => (mailbox.startsWith('u') ? '250 ok\r\n' : '550 no such user\r\n'),
      on: (line) => {
        if (line.startsWith('MAIL')) return `250 ${words}\r\n`;
        return line === 'RSET' ? ['250 ok\r\n', wait(1), '250 ok\r\n'] : undefined;
      },
    });
    for (let d = 0; d < 6; d += 1) {
      const found = await world.probe([`x@d${d}.test`, `u@d${d}.test`], 90_000, 1);
      expect(found.map(({ outcome }) => outcome)).toMatchObject([{ kind: 'no_such_mailbox' }, ACCEPTED]);
    }
    expect([world.engine.cooling(), world.bugs]).toEqual([0, []]);
  },
);

test('a server that says a bare "ok" to everything serves several domains in one session', async () => {
  const { world, server } = host({
    rcpt: (mailbox) => (mailbox.startsWith('u') ? '250 ok\r\n' : '550 no such user\r\n'),
    on: (line) => (line === 'RSET' || line.startsWith('MAIL') ? '250 ok\r\n' : undefined),
    greeting: '220 mx.test ESMTP Postfix\r\n',
  });
  for (let d = 0; d < 4; d += 1) {
    const [evidence] = await world.probe([`u@d${d}.test`], 90_000, 1);
    expect(evidence?.outcome).toMatchObject(ACCEPTED);
  }
  expect(server.sessions).toHaveLength(1);
});

/** A server's surplus reply, before or after every reply to RSET or for a made-up mailbox, and its delay. */
const oddity = fc.record({
  at: fc.constantFrom('RSET', 'made-up'),
  isBefore: fc.boolean(),
  every: fc.integer({ min: 1, max: 3 }),
  afterMs: fc.constantFrom(0, 1, 9, 10, 11, 19, 20, 21, 30, 40, 999, 1_000, 1_999, 2_000, 4_000),
  says: fc.constantFrom(
    '25',
    '250',
    '250-',
    '250-x\r\n250',
    '\r\n',
    OK,
    TAKEN,
    GONE,
    '250 ok\r\n',
    '500 what?\r\n',
    '550 blocked\r\n',
    '220 mx.test ESMTP\r\n',
    '421 4.4.2 bye\r\n',
    '451 4.3.0 later\r\n',
    '250-mx.test greets you\r\n250 PIPELINING\r\n',
    close,
    reset,
  ),
});

test.each([true, false])(
  'a server that sends extra replies gives no address the reply of another: enhanced codes %s',
  async (isEnhanced) => {
    const plain = (line: string): string => (isEnhanced ? line : line.replace(/ \d\.\d\.\d/, ''));
    await fc.assert(
      fc.asyncProperty(
        oddity,
        fc.constantFrom(0, 10, 500, 1_500),
        async ({ at, isBefore, every, afterMs, says }, pauseMs) => {
          let times = 0;
          const odd = (where: typeof at, line: string): ScriptedReply => {
            if (where !== at || (times += 1) % every !== 0) return plain(line);
            return isBefore ? [wait(afterMs), says, plain(line)] : [plain(line), wait(afterMs), says];
          };
          const { world, server } = host({
            rcpt: (mailbox) => (/^[ux]@/.test(mailbox) ? plain(exists(mailbox)) : odd('made-up', GONE)),
            on: (line) => {
              if (line === 'RSET') return odd('RSET', OK);
              return line.startsWith('MAIL') ? plain('250 2.1.0 sender ok\r\n') : undefined;
            },
          });
          for (let d = 0; d < 6; d += 1) {
            const [evidence] = await world.probe([`${d % 2 === 0 ? 'u' : 'x'}@d${d}.test`], 90_000, 1);
            expect([d, evidence?.outcome.kind]).not.toEqual([d, d % 2 === 0 ? 'no_such_mailbox' : 'accepted']);
            await world.clock.advance(pauseMs);
          }
          await world.clock.advance(20_000);
          expect(server.sessions.every(({ closed }) => closed)).toBe(true);
          expect([world.clock.pending, world.bugs]).toEqual([0, []]);
        },
      ),
      { numRuns: 100 },
    );
  },
  120_000,
);

test("one account's warm session is never shared with another", async () => {
  const { world, server } = host(atReset(() => silence));
  await world.probe(['u@d0.test'], 90_000, 1);
  const began = world.clock.now();
  const [evidence] = await world.probe(['u@d1.test'], 90_000, 2);
  expect(evidence?.outcome).toMatchObject(ACCEPTED);
  expect(world.clock.now() - began).toBe(100);
  expect(server.sessions.every(({ lines }) => !lines.includes('RSET'))).toBe(true);
});

test('two thousand accounts leave a bounded number of sessions', async () => {
  const world = new MailWorld().warm();
  const servers = Array.from({ length: 100 }, (_, s) => {
    const ip = nextIp();
    world.mx(`s${s}.test`, [`mx.s${s}.test`]).host(`mx.s${s}.test`, [ip]);
    return world.serve(ip, { rcpt: () => TAKEN });
  });
  const open = (): number =>
    servers.reduce((sum, { sessions }) => sum + sessions.filter(({ closed }) => !closed).length, 0);
  for (let account = 1; account <= 2_000; account += 1) {
    // Starts are limited at each address; a minute later there are new ones.
    if (account % 1_000 === 0) await world.clock.advance(60_000);
    void world.engine.probe({
      account,
      recipients: [{ local: 'u', domain: `s${account % 100}.test` }],
      signal: new AbortController().signal,
      deadlineMs: world.clock.now() + 90_000,
      report: () => {},
    });
    if (account % 250 === 0) {
      await world.clock.settle();
      expect(open()).toBeLessThanOrEqual(IDLE_MAX);
    }
  }
  await world.clock.advance(120_000);
  expect(open()).toBe(0);
  expect([world.clock.pending, world.bugs]).toEqual([0, []]);
});

test('an account that leaves sessions everywhere keeps only the latest few', async () => {
  const world = new MailWorld().warm();
  const servers = Array.from({ length: 60 }, (_, s) => world.domain(`s${s}.test`, { rcpt: () => TAKEN }));
  await world.probe(
    servers.map((_, s) => `u@s${s}.test`),
    90_000,
    1,
  );
  const open = servers.filter(({ sessions }) => sessions.some(({ closed }) => !closed));
  expect(open).toHaveLength(IDLE_OF_ACCOUNT_MAX);
  await world.clock.advance(2_000);
  expect(servers.every(({ sessions }) => sessions.every(({ closed }) => closed))).toBe(true);
});
