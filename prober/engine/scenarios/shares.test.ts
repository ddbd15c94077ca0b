import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { close, type Script, type ScriptedReply, type SessionRecord, wait } from '../../testing/script.ts';
import { classifyFor } from '../meaning/classify.ts';
import { DEFAULTS, type LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';

// What a crowd of other accounts does to an account that checks a single address: it is served at once, or within the
// second after which a reply counts as slow. And an account that is alone has every slot at a server.

const ONE_WAY_MS = 10;
/** What a session of B's takes by itself, including the time to see that it may start. */
const ALONE_MS = 200;
const SLOW_MS = 1_000;
const B = 1_000;
const NO_SUCH = '550 5.1.1 no such user here\r\n';
const LISTED: ProviderLimits = {
  provider: 'listed',
  suffixes: ['listed.example'],
  connections: 10,
  recipients: null,
};

function worldOf(connections: Partial<LimitSettings['connections']> = {}): MailWorld {
  const limits = {
    ...DEFAULTS.limits,
    connections: { ...DEFAULTS.limits.connections, ...connections },
    connectionsPerMinute: Infinity,
    providers: [LISTED],
  };
  return new MailWorld({ limits }, ONE_WAY_MS);
}

/** `each` addresses in each of several domains of an account. */
const addressesOf = (account: number, domains: number, each: number): string[] =>
  Array.from({ length: domains * each }, (_, i) => `u${i}@c${account}-${i % domains}.test`);

/** An acceptance is judged once the result of the made-up mailbox is known. */
function kindOf(outcome: Outcome): string {
  if (outcome.kind !== 'accepted') return outcome.kind;
  return outcome.madeUp.kind === 'not_learnt' ? 'not_learnt' : 'judged';
}

/** A batch of the crowd, driven only by the test's clock. */
function begin(
  world: MailWorld,
  addresses: readonly string[],
  asker: { readonly account: number },
  deadlineMs: number,
  told: string[] = [],
): Promise<void> {
  const recipients = addresses.map((address) => {
    const [local = '', domain = ''] = address.split('@');
    return { local, domain };
  });
  const { signal } = new AbortController();
  return world.engine.probe({
    ...asker,
    recipients,
    signal,
    deadlineMs,
    report: (_, { outcome }) => void told.push(kindOf(outcome)),
  });
}

/** B checks one address now and then. @returns its results, and the longest wait */
async function askNowAndThen(
  world: MailWorld,
): Promise<{ readonly kinds: ReadonlySet<string>; readonly longestMs: number }> {
  const kinds = new Set<string>();
  let longestMs = 0;
  for (let n = 0; n < 6; n += 1) {
    await world.clock.advance(2_300);
    const began = world.clock.now();
    const [evidence] = await world.probe(['u@b.test'], 90_000, B);
    kinds.add(evidence?.outcome.kind ?? 'nothing');
    longestMs = Math.max(longestMs, world.clock.now() - began);
  }
  return { kinds, longestMs };
}

test.each([
  [1, 0],
  [20, SLOW_MS],
] as const)(
  'beside %i accounts using all connections for servers that take 20 s, another waits at most %i ms',
  async (accounts, waitsMs) => {
    const world = worldOf({ inAll: 100 });
    world.domain('b.test', { mailboxes: ['u@b.test'] });
    const crowd: Promise<void>[] = [];
    for (let account = 1; account <= accounts; account += 1) {
      for (let d = 0; d < 20; d += 1) world.domain(`c${account}-${d}.test`, { rcpt: () => [wait(20_000), NO_SUCH] });
      crowd.push(begin(world, addressesOf(account, 20, 4), { account }, 40_000));
    }
    await world.clock.advance(1);
    expect(world.dialled.length).toBeGreaterThanOrEqual(accounts === 1 ? 20 : 90);
    const { kinds, longestMs } = await askNowAndThen(world);
    expect([...kinds]).toEqual(['accepted']);
    expect(longestMs).toBeLessThanOrEqual(waitsMs + ALONE_MS);
    await world.clock.finish(Promise.all(crowd));
    await world.clock.advance(60_000);
    expect([world.clock.pending, world.bugs]).toEqual([0, []]);
  },
);

const SHARED = '11.90.0.1';
const PLACES: readonly (readonly [string, (name: string) => readonly [host: string, ip: string]])[] = [
  ['a shared address', (name) => [`mx.${name}`, SHARED]],
  ['a listed provider', (name) => [`${name}.listed.example`, nextIp()]],
];
const CROWDS: readonly (readonly [string, Script])[] = [
  ['whose RCPT takes 20 s', { rcpt: () => [wait(20_000), NO_SUCH] }],
  ['whose RCPT takes 900 ms', { rcpt: () => [wait(900), NO_SUCH], greeting: '220 mx ESMTP Postfix\r\n' }],
  ['whose RCPT takes 20 s, one at a time', { rcpt: () => [wait(20_000), NO_SUCH], offers: ['SIZE'] }],
];
const CASES = PLACES.flatMap(([where, place]) => CROWDS.map(([how, script]) => [where, how, place, script] as const));

/** What a server does for a domain of B's; other domains get what the crowd gets. */
function beside(script: Script): Script {
  return {
    ...script,
    rcpt: (mailbox, session) => {
      if (mailbox.endsWith('@b.test')) return mailbox.startsWith('u@') ? '250 2.1.5 ok\r\n' : NO_SUCH;
      return script.rcpt?.(mailbox, session) ?? NO_SUCH;
    },
  };
}

async function crowdAt(place: (typeof PLACES)[number][1], script: Script, accounts: number) {
  const [host, ip] = place('b.test');
  const world = worldOf();
  world.mx('b.test', [host]).host(host, [ip]).serve(ip, beside(script));
  const crowd: Promise<void>[] = [];
  for (let account = 1; account <= accounts; account += 1) {
    for (let d = 0; d < 12; d += 1) {
      const [mx, address] = place(`c${account}-${d}.test`);
      world.mx(`c${account}-${d}.test`, [mx]).host(mx, [address]).serve(address, beside(script));
    }
    // A single batch has eight sessions with a server.
    for (let batch = 0; batch < 2; batch += 1)
      crowd.push(begin(world, addressesOf(account, 12, 8), { account }, 60_000));
  }
  return { world, crowd: Promise.all(crowd) };
}

test.each(CASES)(
  'at %s fully used by one account for a tenant %s, another account is served at once',
  async (_where, _how, place, script) => {
    const { world, crowd } = await crowdAt(place, script, 1);
    await world.clock.advance(1);
    expect(world.dialled).toHaveLength(8);
    const { kinds, longestMs } = await askNowAndThen(world);
    expect([...kinds]).toEqual(['accepted']);
    expect(longestMs).toBeLessThanOrEqual(ALONE_MS);
    await world.clock.finish(crowd);
    expect(world.bugs).toEqual([]);
  },
);

const RATE = '4.7.0 mx.test Error: rate limit exceeded for your host';
const LIMITED: readonly (readonly [stage: string, refusal: string])[] = [
  ['greeting', `421 ${RATE}`],
  ['greeting', '450 4.3.2 try again later'],
  ['EHLO', `421 ${RATE}`],
  ['EHLO', `450 ${RATE}`],
  ['MAIL', `421 ${RATE}`],
  ['MAIL', '450 4.7.1 too many connections from your host, slow down'],
  ['RCPT', `421 ${RATE}`],
  ['RCPT', '450 4.7.1 too many connections from your host, slow down'],
];

/** A receiver that accepts 30 connections a minute, and refuses the rest at one stage. */
function receiver(world: MailWorld, stage: string, refusal: string) {
  const seen = { dialledAt: new Array<number>(), refused: 0 };
  const limited = new Set<SessionRecord>();
  const said: ScriptedReply = refusal.startsWith('421') ? [`${refusal}\r\n`, close] : `${refusal}\r\n`;
  const at = (now: string, session: SessionRecord): ScriptedReply | undefined => {
    if (now !== stage || !limited.has(session)) return undefined;
    seen.refused += 1;
    return said;
  };
  world.serve(SHARED, {
    greeting: (session) => {
      const now = world.clock.now();
      seen.dialledAt.push(now);
      if (seen.dialledAt.filter((one) => one + 60_000 > now).length > 30) limited.add(session);
      return at('greeting', session) ?? '220 mx.test ESMTP\r\n';
    },
    on: (line, session) => (line.startsWith('HELO') && stage === 'EHLO' ? said : at(line.slice(0, 4), session)),
    rcpt: (mailbox) => (mailbox.startsWith('u@') ? '250 2.1.5 ok\r\n' : NO_SUCH),
  });
  return seen;
}

test.each(LIMITED)(
  'a refusal at %s because a crowd used up 30 connections a minute is no evidence (%s)',
  async (stage, refusal) => {
    const world = new MailWorld({}, ONE_WAY_MS, classifyFor('verify@probe.example.net'));
    const seen = receiver(world, stage, refusal);
    for (const name of ['b.test', ...Array.from({ length: 60 }, (_, d) => `c1-${d}.test`)])
      world.mx(name, [`mx.${name}`]).host(`mx.${name}`, [SHARED]);
    const deadlineMs = world.clock.now() + 600_000;
    const told: string[] = [];
    const crowd = Array.from({ length: 60 }, (_, d) =>
      begin(world, [`x@c1-${d}.test`], { account: 1_000 + d }, deadlineMs, told),
    );
    await world.clock.advance(5_000);
    expect([seen.dialledAt.length > 30, seen.refused > 0]).toEqual([true, true]);
    const { kinds } = await askNowAndThen(world);
    expect([...kinds].filter((kind) => kind !== 'accepted' && kind !== 'unprobed')).toEqual([]);
    await world.clock.finish(Promise.all(crowd));
    expect(told.filter((kind) => kind !== 'no_such_mailbox' && kind !== 'unprobed')).toEqual([]);
    // What one domain says at RCPT slows no other one: each that finds no room gets it once.
    expect(seen.refused).toBeLessThan(stage === 'RCPT' ? 37 : 12);
    if (stage === 'RCPT') return;
    expect(kinds).toContain('accepted');
    expect(told.filter((kind) => kind === 'no_such_mailbox').length).toBeGreaterThan(40);
  },
);

test('a server that defers everyone after forty connections is believed, and is left alone', async () => {
  const world = new MailWorld({}, ONE_WAY_MS, classifyFor('verify@probe.example.net'));
  const server = world.serve(SHARED, {
    greeting: ({ number }) => (number < 40 ? '220 mx.test ESMTP\r\n' : [`421 ${RATE}\r\n`, close]),
    rcpt: () => NO_SUCH,
  });
  const told: string[] = [];
  const asked: Promise<void>[] = [];
  for (let n = 0; n < 120; n += 1) {
    world.mx(`c1-${n}.test`, [`mx.c1-${n}.test`]).host(`mx.c1-${n}.test`, [SHARED]);
    asked.push(begin(world, [`x@c1-${n}.test`], { account: n }, world.clock.now() + 90_000, told));
    if (n >= 60) await world.clock.advance(5_000);
  }
  await world.clock.finish(Promise.all(asked));
  expect(told.filter((kind) => kind === 'no_such_mailbox')).toHaveLength(40);
  expect(new Set(told)).toEqual(new Set(['no_such_mailbox', 'unprobed', 'deferred']));
  expect(server.sessions.length).toBeLessThan(60);
});

test.each(LIMITED.filter(([stage]) => stage === 'MAIL' || stage === 'RCPT'))(
  'a complaint about our rate at %s is trusted from a server that serves no one (%s)',
  async (stage, refusal) => {
    const world = new MailWorld({}, ONE_WAY_MS, classifyFor('verify@probe.example.net'));
    world.domain('d.test', { on: (line) => (line.startsWith(stage) ? `${refusal}\r\n` : undefined) });
    for (let n = 0; n < 6; n += 1) {
      const kind = (await world.outcome('u@d.test')).kind;
      // Its server is in cool-down once it has said so.
      expect(n === 0 ? ['deferred', 'rcpt_deferred'] : ['deferred', 'rcpt_deferred', 'unprobed']).toContain(kind);
      await world.clock.advance(20_000);
    }
  },
);

test("an account that holds two fewer gets a session's slot between two recipients, within a second", async () => {
  const world = worldOf({ perAddress: 3 });
  const server = world.serve(SHARED, {
    offers: [],
    rcpt: () => [wait(300), NO_SUCH],
    greeting: '220 mx ESMTP Postfix\r\n',
  });
  const names = ['c1-0.test', 'c1-1.test', 'c2-0.test'];
  for (const name of [...names, 'b.test']) world.mx(name, ['mx.test']);
  world.host('mx.test', [SHARED]);
  const told: string[] = [];
  const crowd = [
    begin(world, addressesOf(1, 2, 8), { account: 1 }, 60_000, told),
    begin(world, addressesOf(2, 1, 8), { account: 2 }, 60_000, told),
  ];
  // Each session is at its second recipient of eight.
  await world.clock.advance(500);
  expect(server.sessions.map(({ closed }) => closed)).toEqual([false, false, false]);
  const began = world.clock.now();
  const [evidence] = await world.probe(['x@b.test'], 90_000, B);
  expect(evidence?.outcome.kind).toBe('no_such_mailbox');
  expect(world.clock.now() - began).toBeLessThan(SLOW_MS);
  await world.clock.finish(Promise.all(crowd));
  expect(new Set(told)).toEqual(new Set(['no_such_mailbox']));
  expect(told).toHaveLength(24);
});
