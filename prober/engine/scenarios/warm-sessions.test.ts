import { describe, expect, test } from 'vitest';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { type Script, type SessionRecord, wait } from '../../testing/script.ts';
import { DEFAULTS } from '../ports/settings.ts';
import { PROVIDER_LIMITS } from '../providers/provider-limits.ts';

// Sessions belong to an account: its next batch finds those that the last one left open.

const IP = '11.79.0.1';
const ONE_WAY_MS = 10;
const TAKEN = '250 2.1.5 ok\r\n';
const GONE = '550 5.1.1 no such user here\r\n';
const POLICY = '550 5.7.1 not welcome\r\n';

const exists = (mailbox: string): string => (mailbox.startsWith('u') ? TAKEN : GONE);
const list = (count: number, from = 0): string[] => Array.from({ length: count }, (_, d) => `u@d${from + d}.test`);
const quits = ({ lines }: SessionRecord): boolean => lines.at(-1) === 'QUIT';

/** Domains d0.test, d1.test, …, each with its own MX host name, all at one address. */
function tenants(count: number, script: Script, world = new MailWorld({}, ONE_WAY_MS)) {
  for (let d = 0; d < count; d += 1) world.mx(`d${d}.test`, [`mx.d${d}.test`]).host(`mx.d${d}.test`, [IP]);
  return { world: world.warm(), server: world.serve(IP, { rcpt: exists, ...script }) };
}

const limitsOf = (connections: Partial<typeof DEFAULTS.limits.connections>) => ({
  limits: { ...DEFAULTS.limits, connections: { ...DEFAULTS.limits.connections, ...connections } },
});

const kindsOf = async (world: MailWorld, batches: readonly (readonly string[])[]): Promise<ReadonlySet<string>> => {
  const found = await Promise.all(batches.map((batch) => world.probe(batch, 88_000, 1)));
  return new Set(found.flat().map(({ outcome }) => outcome.kind));
};

describe('the next address at the same server', () => {
  test.each([
    ['refused', 'x', 4, 1],
    ['accepted', 'u', 5, 2],
  ])('is %s (%s@) in %i round trips, and in %i two seconds later', async (_what, local, cold, warm) => {
    const { world, server } = tenants(2, {});
    await world.probe([`${local}@d0.test`], 90_000, 1);
    expect(world.clock.now()).toBe(cold * 2 * ONE_WAY_MS);
    await world.clock.advance(1_990);
    const began = world.clock.now();
    await world.probe([`${local}@d1.test`], 90_000, 1);
    expect(world.clock.now() - began).toBe(warm * 2 * ONE_WAY_MS);
    expect(server.sessions).toHaveLength(1);
    // RSET, MAIL and RCPT are one write.
    expect(server.sessions[0]?.writes.filter((write) => /^RSET\r\nMAIL .*\r\nRCPT /.test(write))).toHaveLength(1);
  });

  test('gets a session of its own for another account', async () => {
    const { world, server } = tenants(2, {});
    await world.probe(['u@d0.test'], 90_000, 1);
    await world.probe(['u@d1.test'], 90_000, 2);
    expect(server.sessions).toHaveLength(2);
  });

  test('costs three round trips without PIPELINING', async () => {
    const { world, server } = tenants(2, { offers: [] });
    await world.probe(['x@d0.test'], 90_000, 1);
    const began = world.clock.now();
    await world.probe(['x@d1.test'], 90_000, 1);
    expect(world.clock.now() - began).toBe(3 * 2 * ONE_WAY_MS);
    expect(server.sessions).toHaveLength(1);
  });
});

test('an idle session ends after two seconds with QUIT, and leaves no timer or memory', async () => {
  const { world, server } = tenants(1, {});
  await world.probe(['u@d0.test'], 90_000, 1);
  await world.clock.advance(1_999);
  expect(server.sessions.filter(quits)).toHaveLength(0);
  await world.clock.advance(1);
  await world.clock.advance(2 * ONE_WAY_MS);
  expect(server.sessions.filter(quits)).toHaveLength(1);
  expect([world.clock.pending, world.bugs]).toEqual([0, []]);
});

test('an idle session at a listed provider ends after five seconds', async () => {
  const orange = PROVIDER_LIMITS.find(({ provider }) => provider === 'orange');
  if (orange === undefined) throw new Error('the table has no such provider');
  const providers = [{ ...orange, suffixes: ['d0.test'] }];
  const { world, server } = tenants(1, {}, new MailWorld({ limits: { ...DEFAULTS.limits, providers } }, ONE_WAY_MS));
  await world.probe(['u@d0.test'], 90_000, 1);
  await world.clock.advance(4_999);
  expect(server.sessions.filter(quits)).toHaveLength(0);
  await world.clock.advance(1 + ONE_WAY_MS);
  expect(server.sessions.filter(quits)).toHaveLength(1);
});

test('a session lasts at most five minutes, however often it is used', async () => {
  const { world, server } = tenants(300, { rcpt: () => TAKEN });
  for (let d = 0; world.clock.now() < 299_000; d += 1) {
    await world.probe([`u@d${d % 300}.test`], 90_000, 1);
    await world.clock.advance(1_500);
  }
  const before = server.sessions.length;
  await world.clock.advance(2_000);
  await world.probe(['u@d0.test'], 90_000, 1);
  expect(server.sessions.length).toBe(before + 1);
});

test('the budget of a session covers all batches together', async () => {
  const { world, server } = tenants(12, { greeting: '220 mx.test ESMTP Postfix\r\n' });
  for (const address of list(12)) await world.probe([`x${address}`], 90_000, 1);
  const rcpts = server.sessions.map(({ lines }) => lines.filter((line) => line.startsWith('RCPT')).length);
  expect(rcpts).toEqual([9, 3]);
});

test('a draining host ends its idle sessions at once, with QUIT', async () => {
  const { world, server } = tenants(1, {}, new MailWorld());
  await world.probe(['u@d0.test'], 90_000, 1);
  world.engine.endIdle();
  expect(server.sessions.every((session) => session.closed && quits(session))).toBe(true);
  expect(world.clock.now()).toBe(0);
});

describe('an idle session gives way at once', () => {
  test.each([
    ['address', limitsOf({ perAddress: 1 }), IP],
    ['process', limitsOf({ inAll: 1 }), nextIp()],
  ])('at the limit of the %s, for another account and for its own', async (_what, settings, ip) => {
    for (const account of [1, 2]) {
      const { world } = tenants(1, {}, new MailWorld(settings, ONE_WAY_MS));
      world.mx('other.test', ['mx.other.test']).host('mx.other.test', [ip]);
      if (ip !== IP) world.serve(ip, { rcpt: exists });
      await world.probe(['u@d0.test'], 90_000, 1);
      const began = world.clock.now();
      const [evidence] = await world.probe(['u@other.test'], 90_000, account);
      expect(evidence?.outcome.kind).toBe('accepted');
      // Five round trips, as if nothing had been idle.
      expect(world.clock.now() - began).toBeLessThanOrEqual(5 * 2 * ONE_WAY_MS);
      expect(world.bugs).toEqual([]);
    }
  });
});

describe("one account's domains at one address of 20 ms", () => {
  test.each<[string, number, string[][], number, number]>([
    ['200 domains in one batch', 200, [list(200)], 8_000, 30],
    ['200 calls of one address each, at once', 200, list(200).map((one) => [one]), 20_000, 58],
    ['500 domains in 25 batches at once', 500, Array.from({ length: 25 }, (_, b) => list(20, b * 20)), 45_000, 94],
  ])('%s', async (_what, count, batches, withinMs, sessionsMax) => {
    const { world, server } = tenants(count, {});
    expect(await kindsOf(world, batches)).toEqual(new Set(['accepted']));
    expect(world.clock.now()).toBeLessThanOrEqual(withinMs);
    expect(server.sessions.length).toBeLessThanOrEqual(sessionsMax);
  });
});

test("a batch uses another's session while no new one may start", async () => {
  const limits = { ...DEFAULTS.limits, connectionsPerMinute: 1 };
  const { world, server } = tenants(3, { rcpt: () => [wait(100), GONE] }, new MailWorld({ limits }, ONE_WAY_MS));
  const found = await Promise.all(list(3).map((address) => world.probe([address], 10_000, 1)));
  expect(found.flat().map(({ outcome }) => outcome.kind)).toEqual(list(3).map(() => 'no_such_mailbox'));
  expect(server.sessions).toHaveLength(1);
});

test('a refusal between domains of one session is asked for again in a session of its own', async () => {
  const limits = { ...DEFAULTS.limits, connections: { ...DEFAULTS.limits.connections, perAddress: 1 } };
  const { world, server } = tenants(
    4,
    { rcpt: (mailbox) => (mailbox.endsWith('@d1.test') ? POLICY : [wait(100), GONE]) },
    new MailWorld({ limits }, ONE_WAY_MS),
  );
  const found = await world.probe(list(4), 90_000, 1);
  const [d0, d1, ...others] = found.map(({ outcome }) => outcome.kind);
  expect([d0, d1, ...others]).toEqual(['no_such_mailbox', 'policy_rejected', 'no_such_mailbox', 'no_such_mailbox']);
  expect(server.sessions).toHaveLength(2);
});

test('a refusal in a session that served others is no evidence', async () => {
  // The third recipient of a session is refused.
  const { world } = tenants(40, {
    rcpt: (mailbox, { lines }) =>
      lines.filter((line) => line === 'RSET').length >= 2 ? POLICY : mailbox.startsWith('u') ? TAKEN : GONE,
  });
  const found = await world.probe(list(40), 88_000, 1);
  expect(new Set(found.map(({ outcome }) => outcome.kind))).toEqual(new Set(['accepted']));
});

test("a batch that ends while using another's session ends on time, and so does the session", async () => {
  const { world, server } = tenants(2, { rcpt: (mailbox) => (mailbox === 'x@d1.test' ? null : exists(mailbox)) });
  await world.probe(['x@d0.test'], 90_000, 1);
  const began = world.clock.now();
  const [evidence] = await world.probe(['x@d1.test'], 500, 1);
  expect(evidence?.outcome).toEqual({ kind: 'timeout', greeted: true });
  expect(world.clock.now() - began).toBe(500);
  expect(server.sessions).toMatchObject([{ closed: true }]);
  expect([world.clock.pending, world.bugs]).toEqual([0, []]);
});
