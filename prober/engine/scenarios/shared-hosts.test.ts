import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED } from '../../testing/one-domain.ts';
import { type ScriptedReply, close, reset, type Script, type SessionRecord, wait } from '../../testing/script.ts';
import { PROVIDER_LIMITS, type ProviderLimits } from '../providers/provider-limits.ts';
import { DEFAULTS } from '../ports/settings.ts';

// Domains of one batch that share a mail host share sessions with it. No domain's trouble is another's evidence.

const IP = '11.77.0.1';
const TAKEN = '250 2.1.5 ok\r\n';
const GONE = '550 5.1.1 no such user here\r\n';
const POLICY = '550 5.7.1 not welcome\r\n';

/** Domains d0.test, d1.test, …, all at one host. */
function sharing(count: number, script: Script, world = new MailWorld()) {
  for (let d = 0; d < count; d += 1) world.mx(`d${d}.test`, ['mx.shared.test']);
  const server = world.host('mx.shared.test', [IP]).serve(IP, { greeting: '220 mx.test ESMTP Postfix\r\n', ...script });
  return { world, server };
}

const orange = (own: Partial<ProviderLimits>): ProviderLimits[] =>
  PROVIDER_LIMITS.filter(({ provider }) => provider === 'orange').map((limits) => ({ ...limits, ...own }));
const lists = (count: number): string[] => Array.from({ length: count }, (_, d) => `u@d${d}.test`);
const isReal = (mailbox: string): boolean => mailbox.startsWith('u');
const rcpts = ({ lines }: SessionRecord): string[] => lines.filter((line) => line.startsWith('RCPT'));
const domainOf = (line: string): string => /@([^>]*)>/.exec(line)?.[1] ?? '';

test('a session serves several domains, with a transaction and a made-up mailbox for each', async () => {
  const { world, server } = sharing(40, { rcpt: (mailbox) => (isReal(mailbox) ? TAKEN : GONE) });
  expect(await world.outcomes(lists(40))).toEqual(lists(40).map(() => ACCEPTED));
  // Each domain costs one refusal, that of its made-up mailbox; a session takes eight before one would be in doubt.
  expect(server.sessions.length).toBeLessThanOrEqual(10);
  for (const session of server.sessions) {
    const domains = rcpts(session).map(domainOf);
    expect(domains.length).toBe(2 * new Set(domains).size);
    for (const [i, line] of session.lines.entries())
      if (i > 1 && line.startsWith('MAIL')) expect(session.lines[i - 1]).toBe('RSET');
  }
  expect(server.sessions.every(({ closed }) => closed)).toBe(true);
});

test('twenty domains are in progress at a time, and at most eight in sessions at one address', async () => {
  let [open, most] = [0, 0];
  const { world } = sharing(
    60,
    {
      rcpt: (mailbox) => {
        open += isReal(mailbox) ? 1 : -1;
        most = Math.max(most, open);
        return [wait(20), isReal(mailbox) ? TAKEN : GONE];
      },
    },
    new MailWorld({}, 25),
  );
  expect(await world.outcomes(lists(60))).toEqual(lists(60).map(() => ACCEPTED));
  expect(most).toBeLessThanOrEqual(8);
});

test('a provider that allows two connections gets no third, and two sessions serve many domains', async () => {
  const providers = orange({ suffixes: ['mx.shared.test'] });
  const { world, server } = sharing(
    32,
    { rcpt: (mailbox) => (isReal(mailbox) ? TAKEN : GONE) },
    new MailWorld({ limits: { ...DEFAULTS.limits, providers } }, 25),
  );
  expect(await world.outcomes(lists(32))).toEqual(lists(32).map(() => ACCEPTED));
  expect(server.sessions.length).toBeLessThanOrEqual(6);
});

test.each<[string, Script]>([
  ['closes after each transaction', { on: (line) => (line === 'RSET' ? [close] : undefined) }],
  ['resets after each transaction', { on: (line) => (line === 'RSET' ? [reset] : undefined) }],
  ['closes with 421 at the second MAIL', fromNthOn('MAIL', ['421 4.7.0 too many messages\r\n', close])],
  ['refuses a second MAIL', fromNthOn('MAIL', '550 5.7.1 one message a session\r\n')],
  ['refuses RSET', { on: (line) => (line === 'RSET' ? '502 5.5.1 what?\r\n' : undefined) }],
  ['says 4.5.3 from the second domain on', fromNthOn('RCPT', '452 4.5.3 too many recipients\r\n', 3)],
  ['refuses us from the second domain on', fromNthOn('RCPT', '550 5.7.1 too many for one session\r\n', 3)],
  ['refuses us in plain words from the second domain on', fromNthOn('RCPT', POLICY, 3)],
  ['defers everyone from the second domain on', fromNthOn('RCPT', '451 4.7.1 rate limited, too many\r\n', 3)],
  ['answers RSET twice', { on: (line) => (line === 'RSET' ? '250 ok\r\n250 ok\r\n' : undefined) }],
  ['answers RSET with garbage', { on: (line) => (line === 'RSET' ? 'what?\r\n' : undefined) }],
])('a host that %s gets a separate session for each domain', async (_what, script) => {
  const { world } = sharing(60, { rcpt: (mailbox) => (isReal(mailbox) ? TAKEN : GONE), ...script });
  expect(await world.outcomes(lists(60))).toEqual(lists(60).map(() => ACCEPTED));
  expect(world.engine.cooling()).toBe(0);
});

test('a session is not kept idle while another account waits for its slot', async () => {
  let otherAt = Infinity;
  const script: Script = {
    rcpt: (mailbox) => {
      if (mailbox.endsWith('@d2.test')) otherAt = Math.min(otherAt, world.clock.now());
      return [wait(200), TAKEN];
    },
  };
  const connections = { ...DEFAULTS.limits.connections, perAddress: 1 };
  const { world, server } = sharing(3, script, new MailWorld({ limits: { ...DEFAULTS.limits, connections } }));
  world.domain('slow.test', { on: (line) => (line.startsWith('EHLO') ? [wait(5_000), '421 bye\r\n'] : undefined) });
  const first = world.probe(['u@d0.test', 'u@d1.test', 'u@slow.test'], 90_000, 1);
  const second = world.probe(['u@d2.test'], 90_000, 2);
  await Promise.all([first, second]);
  const [own] = server.sessions;
  expect(own?.lines.filter((line) => line.startsWith('MAIL'))).toHaveLength(2);
  expect(own?.lines.at(-1)).toBe('QUIT');
  // Two domains with two recipients of 200 ms each went before it, and no idle second.
  expect(otherAt).toBeLessThan(1_000);
});

test('a newly arrived account waits for two seconds of another, however many domains share its sessions', async () => {
  const asked: string[] = [];
  const script: Script = {
    rcpt: (mailbox) => {
      if (isReal(mailbox)) asked.push(mailbox);
      return [wait(100), TAKEN];
    },
  };
  const connections = { ...DEFAULTS.limits.connections, perAddress: 1 };
  const { world } = sharing(30, script, new MailWorld({ limits: { ...DEFAULTS.limits, connections } }));
  world.mx('late.test', ['mx.shared.test']);
  await Promise.all([world.probe(lists(30), 90_000, 1), world.probe(['u@late.test'], 90_000, 2)]);
  expect(asked).toHaveLength(31);
  // Each takes 200 ms.
  expect(asked.indexOf('u@late.test')).toBeLessThanOrEqual(10);
});

test('a cool-down also stops new domains in a session that is still open', async () => {
  const { world, server } = sharing(2, {
    rcpt: (mailbox) => (isReal(mailbox) ? [wait(9_900), TAKEN] : GONE),
    on: (line, { number }) =>
      number > 0 && line.startsWith('EHLO') ? [wait(9_950), '421 4.7.1 you are blocked\r\n'] : undefined,
  });
  // It arrives after ten seconds at a host that cannot be reached, when one session is idle and the other was rejected.
  world.mx('late.test', ['dead.test', 'mx.shared.test']).host('dead.test', ['11.77.0.2']).unserved('11.77.0.2', 'hang');
  const outcomes = await world.outcomes([...lists(2), 'u@late.test']);
  // The last one has only learnt that the first of its hosts is dead.
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'unprobed', 'timeout']);
  expect(server.sessions[0]?.lines.filter((line) => line.startsWith('MAIL'))).toHaveLength(1);
});

test.each<[string, number, 'greeting' | 'EHLO', ScriptedReply]>([
  [
    'rejects more with a reason',
    4,
    'greeting',
    ['421 4.7.0 mx.test Error: too many connections from 192.0.2.1\r\n', close],
  ],
  ['rejects more at EHLO with a reason', 2, 'EHLO', '421 Too many concurrent SMTP connections\r\n'],
  ['allows only one', 1, 'greeting', ['421 4.3.2 Too many open connections\r\n', close]],
  ['closes further ones', 4, 'greeting', [close]],
  ['resets further ones at EHLO', 6, 'EHLO', [reset]],
])(
  'a host with a session limit that %s gets that many, and every domain its verdict',
  async (_what, bears, at, answer) => {
    const tooMany = new Set<SessionRecord>();
    const turnAway = (session: SessionRecord): ScriptedReply | undefined => {
      const others = server.sessions.filter((one) => one.number < session.number && !one.closed && !tooMany.has(one));
      if (others.length < bears) return undefined;
      tooMany.add(session);
      return answer;
    };
    const { world, server } = sharing(
      60,
      {
        rcpt: (mailbox) => (isReal(mailbox) ? TAKEN : GONE),
        greeting: (session) => (at === 'greeting' ? turnAway(session) : undefined) ?? '220 mx.test ESMTP Postfix\r\n',
        on: (line, session) => (at === 'EHLO' && line.startsWith('EHLO') ? turnAway(session) : undefined),
      },
      new MailWorld({}, 25),
    );
    expect(await world.outcomes(lists(60))).toEqual(lists(60).map(() => ACCEPTED));
    expect(world.engine.cooling()).toBe(0);
    expect(tooMany.size).toBeLessThanOrEqual(12);
    expect(world.clock.now()).toBeLessThan(20_000);
  },
);

test('a host that rejects every session gets a cool-down, and is evidence for those that tried', async () => {
  const { world, server } = sharing(20, { greeting: ['421 4.7.0 too many connections\r\n', close] });
  const outcomes = await world.outcomes(lists(20), 20_000);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['deferred', 'unprobed']));
  expect(server.sessions.length).toBeLessThanOrEqual(8);
  expect(world.engine.cooling()).toBe(1);
});

test('a domain that needs its own session gets it at a provider that allows only one', async () => {
  const providers = orange({ connections: 1, suffixes: ['mx.shared.test'] });
  const { world } = sharing(
    12,
    {
      rcpt: (mailbox, { lines }) => {
        // Once it has said this it says nothing else in that session.
        const own = lines.findIndex((line) => /@d[37]\./.test(line));
        if (own >= 0 && lines.indexOf('RSET') >= 0 && lines.indexOf('RSET') < own) return '451 4.3.0 not now\r\n';
        return isReal(mailbox) ? TAKEN : GONE;
      },
    },
    new MailWorld({ limits: { ...DEFAULTS.limits, providers } }, 25),
  );
  expect(await world.outcomes(lists(12))).toEqual(lists(12).map(() => ACCEPTED));
});

/** Gives this answer from the nth such command of a session on. */
function fromNthOn(verb: string, answer: string | readonly (string | typeof close)[], from = 2): Script {
  return {
    on: (line, { lines }) =>
      line.startsWith(verb) && lines.filter((one) => one.startsWith(verb)).length >= from ? answer : undefined,
  };
}

test("domains under different MX host names share sessions at one address, except a listed provider's", async () => {
  const providers = orange({ suffixes: ['listed.test'] });
  const world = new MailWorld({ limits: { ...DEFAULTS.limits, providers } });
  const server = world.serve(IP, { greeting: '220 mx.test ESMTP Postfix\r\n', rcpt: () => GONE });
  for (let d = 0; d < 60; d += 1) {
    const host = d % 2 === 0 ? `mx${d}.own.test` : 'mx.listed.test';
    world.mx(`d${d}.test`, [host]).host(host, [IP]);
  }
  await world.probe(lists(60));
  const parts = server.sessions.map((session) => rcpts(session).map((line) => Number(/@d(\d+)/.exec(line)?.[1]) % 2));
  expect(server.sessions.length).toBeLessThan(20);
  for (const part of parts) expect(new Set(part).size).toBeLessThanOrEqual(1);
});

const refused = (mailbox: string): boolean => /@d(?:5|15|25)\./.test(mailbox);

test.each([
  ['421', ['421 4.7.0 not now\r\n', close]],
  ['a policy', POLICY],
])('three domains refused with %s cost one session each, and the others still share', async (_how, refusal) => {
  const { world, server } = sharing(60, { rcpt: (mailbox) => (refused(mailbox) ? refusal : GONE) });
  const addresses = [...lists(60), ...lists(60).map((address) => `u2${address}`)];
  const outcomes = await world.outcomes(addresses);
  for (const [i, { kind }] of outcomes.entries()) expect(kind === 'no_such_mailbox').toBe(!refused(addresses[i] ?? ''));
  expect(world.engine.cooling()).toBe(0);
  // A hundred and twenty addresses, nine per session.
  expect(server.sessions.length).toBeLessThanOrEqual(14 + 3 + 3 + 8);
  // Each refused domain was asked about at most twice: among others, and alone.
  const asked = server.sessions.filter((session) => rcpts(session).some((line) => line.includes('@d15.')));
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('sessions with an unknown server are as long as proven by an acceptance after refusals', async () => {
  const { world, server } = sharing(60, {
    greeting: '220 mx.test ESMTP\r\n',
    rcpt: (box) => (isReal(box) ? TAKEN : GONE),
  });
  expect(await world.outcomes(lists(60))).toEqual(lists(60).map(() => ACCEPTED));
  const madeUp = server.sessions.map((session) => rcpts(session).filter((line) => !/<u@/.test(line)).length);
  expect(Math.max(...madeUp)).toBeLessThanOrEqual(9);
  expect(server.sessions.length).toBeLessThanOrEqual(14);
  const gone = sharing(60, { greeting: '220 mx.test ESMTP\r\n', rcpt: () => GONE });
  await gone.world.probe(lists(60));
  expect(Math.max(...gone.server.sessions.map((session) => rcpts(session).length))).toBe(4);
});

test('a session serves as many domains as it can if starts are scarce', async () => {
  const limits = { ...DEFAULTS.limits, connectionsPerMinute: 2 };
  const { world, server } = sharing(30, { rcpt: () => GONE }, new MailWorld({ limits }));
  await Promise.all([world.probe(lists(30), 90_000, 1), world.probe(['u@d0.test'], 90_000, 2)]);
  expect(server.sessions.slice(0, 1).map((session) => rcpts(session).length)).toEqual([9]);
});

test('a hang in a shared session is no evidence: the domain is asked about again', async () => {
  const { world } = sharing(22, {
    rcpt: (mailbox) => (isReal(mailbox) ? TAKEN : GONE),
    ...fromNthOn('RCPT', [wait(60_000)], 5),
  });
  expect(await world.outcomes(lists(22))).toEqual(lists(22).map(() => ACCEPTED));
});
