import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import type { EngineSettings } from '../ports/settings.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { type ScriptedReply, close, type SessionRecord, silence } from '../../testing/script.ts';

// A mail server allows few concurrent sessions per client, and the client is this host for all its customers: what one
// customer's sessions use up is no evidence about another's domains.

const IP = '11.78.0.1';
const ONE_WAY_MS = 25;
const SURPLUS = {
  '421': ['421 4.7.0 mx.test Error: too many connections from 192.0.2.1\r\n', close],
  busy: ['421 4.3.2 Service not available\r\n', close],
  bare: ['421 mx.test\r\n', close],
  later: ['450 4.7.0 try again later\r\n', close],
  close: [close],
  silence,
} satisfies Record<string, ScriptedReply>;

/**
 * Domains a0.test, … and b0.test, … at one host that allows this many concurrent sessions. Each has only the mailbox u.
 */
function host(
  bears: number,
  surplus: ScriptedReply,
  count: number,
  seesEndAfterMs = 0,
  world = new MailWorld({}, ONE_WAY_MS),
) {
  for (const account of ['a', 'b'])
    for (let d = 0; d < count; d += 1) world.mx(`${account}${d}.test`, ['mx.shared.test']);
  const turnedAway = new Set<SessionRecord>();
  const endedAt = new Map<SessionRecord, number>();
  const isInside = (one: SessionRecord): boolean => {
    const now = world.clock.now();
    if (one.closed && !endedAt.has(one)) endedAt.set(one, now);
    return !turnedAway.has(one) && now < (endedAt.get(one) ?? Infinity) + seesEndAfterMs;
  };
  const server = world.host('mx.shared.test', [IP]).serve(IP, {
    greeting: (session) => {
      const inside = server.sessions.filter(
        (one) => one.number < session.number && one.from === session.from && isInside(one),
      );
      if (inside.length < bears) return '220 mx.test ESMTP Postfix\r\n';
      turnedAway.add(session);
      return surplus;
    },
    rcpt: (mailbox) => (mailbox.startsWith('u@') ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user here\r\n'),
  });
  return { world, server, turnedAway };
}

const list = (account: string, count: number): string[] =>
  Array.from({ length: count }, (_, d) => `u@${account}${d}.test`);
const kinds = (outcomes: readonly Outcome[]): string[] => [...new Set(outcomes.map(({ kind }) => kind))];

/** Two customers' batches, the second a moment after the first. */
async function together(world: MailWorld, count: number, deadlineMs = 90_000): Promise<Outcome[][]> {
  const first = world.probe(list('a', count), deadlineMs, 1);
  await world.clock.advance(200);
  const second = world.probe(list('b', count), deadlineMs, 2);
  const both = await Promise.all([first, second]);
  return both.map((evidence) => evidence.map(({ outcome }) => outcome));
}

const CASES = ([1, 2, 4] as const).flatMap((bears) =>
  (['421', 'busy', 'bare', 'later', 'close', 'silence'] as const).map((surplus) => [bears, surplus] as const),
);

test.each(CASES)(
  'a host limited to %i sessions, answering others with %s, gives two customers the same verdicts',
  async (bears, surplus) => {
    const { world, turnedAway } = host(bears, SURPLUS[surplus], 40);
    for (const outcomes of await together(world, 40)) expect(kinds(outcomes)).toEqual(['accepted']);
    expect(world.engine.cooling()).toBe(0);
    expect(turnedAway.size).toBeLessThanOrEqual(12);
    expect(world.bugs).toEqual([]);
  },
);

test.each(['421', 'close'] as const)(
  'if time is too short for all, both customers get their share (%s)',
  async (surplus) => {
    const { world } = host(1, SURPLUS[surplus], 300);
    const both = await together(world, 300, 20_000);
    const answered = both.map((outcomes) => outcomes.filter(({ kind }) => kind === 'accepted').length);
    const [a = 0, b = 0] = answered;
    // One of each may have been in progress when the time was up.
    const late = both.flat().filter(({ kind }) => kind === 'timeout').length;
    const left = both.flat().filter(({ kind }) => kind === 'unprobed').length;
    expect([late <= 2, left > 0, late + left + a + b]).toEqual([true, true, 600]);
    expect(Math.min(a, b) / Math.max(a, b)).toBeGreaterThan(0.7);
  },
);

test('a host that notices the end of a session late is given time', async () => {
  const { world } = host(1, SURPLUS.close, 40, 300);
  for (const outcomes of await together(world, 40)) expect(kinds(outcomes)).toEqual(['accepted']);
});

test('a host that stops greeting is not waited for twice because a session just ended', async () => {
  const world = new MailWorld({}, ONE_WAY_MS);
  const server = world.domain('d.test', {
    greeting: ({ number }) => (number === 0 ? '220 mx.test ESMTP\r\n' : silence),
  });
  const outcomes = await world.outcomes(Array.from({ length: 12 }, (_, n) => `x${n}@d.test`));
  expect(kinds(outcomes)).toEqual(['no_such_mailbox', 'no_banner']);
  expect(server.sessions).toHaveLength(2);
});

/** How long sixty domains take at a host that allows one session from each of our addresses. */
const tookMs = async (egress: EngineSettings['egress']): Promise<number> => {
  const { world } = host(1, SURPLUS.close, 60, 0, new MailWorld({ egress }, ONE_WAY_MS));
  expect(kinds(await world.outcomes(list('a', 60)))).toEqual(['accepted']);
  return world.clock.now();
};

test('each of our addresses opens as many sessions to a host as it accepts from one', async () => {
  const [one, two] = [
    { ip: '11.0.0.1', heloName: 'one.example.net' },
    { ip: '11.0.0.2', heloName: 'two.example.net' },
  ];
  expect(await tookMs([one, two])).toBeLessThan(0.7 * (await tookMs([one])));
});

test.each<[keyof typeof SURPLUS, string]>([
  ['421', 'deferred'],
  ['close', 'no_banner'],
  ['silence', 'no_banner'],
])(
  'a host with nothing but %s for everyone is evidence, and later domains get a waiting time',
  async (surplus, kind) => {
    const { world } = host(0, SURPLUS[surplus], 8);
    const both = await together(world, 8);
    expect(kinds(both.flat())).toContain(kind);
    // No connection waits for a host in cool-down.
    for (const outcomes of both)
      expect(kinds(outcomes).filter((one) => one !== kind && one !== 'unprobed')).toEqual([]);
  },
);

/** How many of five customers' addresses a distant host with room for two sessions answers in time. */
const answeredOf = async (surplus: keyof typeof SURPLUS): Promise<number> => {
  const { world } = host(2, SURPLUS[surplus], 60, 0, new MailWorld({}, 300));
  const all = await Promise.all([1, 2, 3, 4, 5].map((account) => world.probe(list('a', 60), 90_000, account)));
  return all.flat().filter(({ outcome }) => outcome.kind === 'accepted').length;
};

test('a host that says it has too many sessions answers as many as one that just closes them', async () => {
  expect(await answeredOf('421')).toBeGreaterThanOrEqual(await answeredOf('close'));
});
