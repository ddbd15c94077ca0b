import { expect, test } from 'vitest';
import type { MailWorld } from '../../testing/mail-world.ts';
import { close, type Script, type ScriptedReply, type SessionRecord } from '../../testing/script.ts';
import { amiss, byName, CATCH_ALL, siteWorld, TAKEN, tenants } from '../../testing/site.ts';

// "Too many connections" may mean those of this minute: Postfix says both in the same words. After two such refusals
// the open session serves, and nobody dials.

const MINUTE_MS = 60_000;
const POSTFIX = '421 4.7.0 mx.test Error: too many connections from 192.0.2.1\r\n';

type Limit = {
  readonly perMinute: number;
  readonly say?: string;
  readonly at?: 'greeting' | 'EHLO';
  readonly rcpt?: Script['rcpt'];
};

/** Takes so many connections in a minute from its first. `refused`: when it turned one away. */
function byTheMinute(world: MailWorld, { perMinute, say = POSTFIX, at = 'greeting', rcpt = byName }: Limit) {
  const refused: number[] = [];
  const counts = new Map<number, number>();
  const away = new Set<SessionRecord>();
  const turnsAway = (session: SessionRecord): boolean => {
    const minute = Math.floor(world.clock.now() / MINUTE_MS);
    const count = (counts.get(minute) ?? 0) + 1;
    counts.set(minute, count);
    if (count <= perMinute) return false;
    refused.push(world.clock.now());
    away.add(session);
    return true;
  };
  const answer: ScriptedReply = [say, close];
  const hello = '220 mx.test ESMTP Postfix\r\n';
  const script: Script = {
    greeting: (session) => (turnsAway(session) && at === 'greeting' ? answer : hello),
    on: (line, session) => (line.startsWith('EHLO') && away.has(session) ? answer : undefined),
    rcpt,
  };
  return { script, refused };
}

const TOLD: ReadonlyArray<readonly [string, Omit<Limit, 'perMinute'>]> = [
  ['Postfix', {}],
  ['Sendmail', { say: '421 4.3.2 Too many open connections.\r\n' }],
  ['Exchange', { say: '421 4.3.2 The maximum number of concurrent server connections has exceeded a limit\r\n' }],
  ['Exim', { say: '421 Too many concurrent SMTP connections; please try again later.\r\n' }],
  ['at EHLO', { at: 'EHLO' }],
];

test.each(TOLD)(
  'after two refusals (%s) a server that accepts all is asked in the open session alone',
  async (_who, how) => {
    const world = siteWorld();
    const { script, refused } = byTheMinute(world, { perMinute: 1, rcpt: () => TAKEN, ...how });
    const { addresses } = tenants(world, 24, script);
    expect(amiss(addresses, await world.probe(addresses), () => CATCH_ALL)).toEqual({});
    // Some were dialled together, before the first was refused.
    expect(refused.length).toBeLessThanOrEqual(8);
    expect(refused.filter((at) => at > (refused[1] ?? 0) + 100)).toEqual([]);
    expect(world.engine.cooling()).toBe(0);
    expect(world.clock.now()).toBeLessThan(10_000);
  },
);

test.each([1, 2, 5])(
  'of 60 domains, those whose turn comes in %i sessions a minute get verdicts, the others a time to wait',
  async (perMinute) => {
    const world = siteWorld();
    const { script, refused } = byTheMinute(world, { perMinute });
    const { addresses, server } = tenants(world, 60, script);
    const evidence = await world.probe(addresses, 30_000);
    const wrong = amiss(addresses, evidence);
    expect(Object.keys(wrong).filter((one) => !/^unknown (?:timeout|greylisting)/.test(one))).toEqual([]);
    // Each session has nine refusals, and each domain costs one.
    const verdicts = evidence.filter(
      ({ outcome }) => outcome.kind === 'no_such_mailbox' || outcome.kind === 'accepted',
    );
    expect(verdicts.length).toBeGreaterThanOrEqual(Math.min(60, 8 * perMinute));
    expect(evidence.every(({ outcome }) => outcome.kind !== 'timeout')).toBe(true);
    expect(refused.length).toBeLessThanOrEqual(12);
    expect(server.sessions.length).toBeLessThanOrEqual(12 + perMinute);
  },
);

test("an account's open session serves it on while others' connections are refused", async () => {
  const world = siteWorld();
  const { script, refused } = byTheMinute(world, { perMinute: 1, rcpt: () => TAKEN });
  const { addresses } = tenants(world, 48, script);
  const first = world.probe(addresses.slice(0, 12), 20_000, 1);
  await world.clock.advance(300);
  const later = [2, 3, 4].map((account) =>
    world.probe(addresses.slice(12 * account - 12, 12 * account), 20_000, account),
  );
  expect(amiss(addresses.slice(0, 12), await first, () => CATCH_ALL)).toEqual({});
  for (const one of await Promise.all(later))
    for (const { outcome } of one) expect(outcome.kind).toMatch(/^(?:accepted|unprobed)$/);
  expect(refused.length).toBeLessThanOrEqual(10);
});

test.each([
  [300, POSTFIX, 5_000],
  [300, '421 Too many concurrent SMTP connections; please try again later.\r\n', 5_000],
  [1_500, POSTFIX, 70_000],
  [0, '421 4.3.2 Service not available\r\n', 70_000],
])(
  'a server of one connection that counts an ended one %i ms longer (%j) serves three accounts in turn',
  async (lingersMs, refusal, withinMs) => {
    const world = siteWorld();
    const { clock } = world;
    let taken: SessionRecord | null = null;
    let freeAt = 0;
    const { addresses } = tenants(world, 21, {
      greeting: (session) => {
        if (taken?.closed === true) [taken, freeAt] = [null, clock.now() + lingersMs];
        if (taken !== null || clock.now() < freeAt) return [refusal, close];
        taken = session;
        return '220 mx.test ESMTP Postfix\r\n';
      },
      rcpt: byName,
    });
    const all = [0, 1, 2].map(async (account) => {
      await new Promise<void>((resolve) => void clock.after(500 * account, resolve));
      const own = addresses.slice(7 * account, 7 * account + 7);
      expect(amiss(own, await world.probe(own, 90_000, account))).toEqual({});
    });
    await clock.finish(Promise.all(all));
    expect(clock.now()).toBeLessThan(withinMs);
  },
);
