import { beforeAll, expect, test } from 'vitest';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { type Script, silence, wait } from '../../testing/script.ts';
import { classifyFor } from '../meaning/classify.ts';

// Waiting for a slot or a start at one mail host holds up nothing else: not the rest of its list, not other accounts.

const ONE_WAY_MS = 20;
const GONE = '550 5.1.1 no such user\r\n';
const POLICY = '550 5.7.1 message refused by policy\r\n';
const LATER = '451 4.3.0 try again later\r\n';

function worldOf(): MailWorld {
  return new MailWorld({}, ONE_WAY_MS, classifyFor('verify@probe.example.net'));
}

/** Domains `PREFIX0.test`, … all at these addresses, one MX host each. @returns an address in each */
function tenants(world: MailWorld, prefix: string, count: number, ips: readonly string[]): string[] {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}.test`);
  for (const name of names) {
    const hosts = ips.map((_, i) => `mx${i}.${name}`);
    world.mx(name, hosts);
    for (const [i, ip] of ips.entries()) world.host(`mx${i}.${name}`, [ip]);
  }
  return names.map((name) => `a@${name}`);
}

/** Domains with a fast server each. */
function fast(world: MailWorld, prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    world.domain(`${prefix}${i}.test`, { rcpt: () => GONE });
    return `a@${prefix}${i}.test`;
  });
}

type Told = { readonly address: string; readonly kind: string; readonly afterMs: number };

/** Starts a batch. @returns its results, filled in as they arrive, and its end */
function begin(world: MailWorld, account: number, addresses: readonly string[], waitMs = 90_000) {
  const began = world.clock.now();
  const told: Told[] = [];
  const done = world.engine.probe({
    account,
    recipients: addresses.map((address) => {
      const [local = '', domain = ''] = address.split('@');
      return { local, domain };
    }),
    signal: new AbortController().signal,
    deadlineMs: began + waitMs,
    report: (index, { outcome }) => {
      told.push({ address: addresses[index] ?? '', kind: outcome.kind, afterMs: world.clock.now() - began });
    },
  });
  return { told, done };
}

const ofFast = (told: readonly Told[]): Told[] => told.filter(({ address }) => address.includes('@fast'));
const lastMs = (told: readonly Told[]): number => Math.max(...told.map(({ afterMs }) => afterMs));
const p50 = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Infinity;

/** How long the 300 take alone. */
let aloneMs: number;
beforeAll(async () => {
  const world = worldOf();
  const { told, done } = begin(world, 1, fast(world, 'fast', 300));
  await world.clock.finish(done);
  aloneMs = lastMs(told);
});

/** Other accounts' lists at one mail host, each sent again once it is answered. */
async function crowdAt(world: MailWorld, ip: string, lists: number): Promise<void> {
  const send = async (account: number, addresses: readonly string[]): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await begin(world, account, addresses).done;
  };
  for (let n = 0; n < lists; n += 1) void send(100 + n, tenants(world, `crowd${n}x`, 100, [ip]));
  await world.clock.advance(20_000);
}

test('sixty domains refusing by policy at one mail host do not hold up the 300 behind them', async () => {
  const world = worldOf();
  const ip = nextIp();
  world.serve(ip, { rcpt: () => POLICY });
  const { told, done } = begin(world, 1, [...tenants(world, 'shut', 60, [ip]), ...fast(world, 'fast', 300)]);
  await world.clock.finish(done);
  expect(ofFast(told).filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
  expect(lastMs(ofFast(told))).toBeLessThanOrEqual(1.5 * aloneMs);
});

test('thirty domains at a mail host contested by 30 accounts do not hold up the 300 elsewhere', async () => {
  const world = worldOf();
  const ip = nextIp();
  world.serve(ip, { rcpt: () => GONE });
  await crowdAt(world, ip, 30);
  const { told, done } = begin(world, 1, [...tenants(world, 'there', 30, [ip]), ...fast(world, 'fast', 300)]);
  await world.clock.finish(done);
  expect(ofFast(told).filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
  expect(lastMs(ofFast(told))).toBeLessThanOrEqual(1.5 * aloneMs);
});

test.each([20, 60])('within ten seconds, %i domains at such a host cost none of the 300 elsewhere', async (there) => {
  const world = worldOf();
  const ip = nextIp();
  world.serve(ip, { rcpt: () => GONE });
  await crowdAt(world, ip, 30);
  const addresses = [...tenants(world, 'there', there, [ip]), ...fast(world, 'fast', 300)];
  const { told, done } = begin(world, 1, addresses, 10_000);
  await world.clock.finish(done);
  expect(ofFast(told).filter(({ kind }) => kind === 'no_such_mailbox')).toHaveLength(300);
  expect(lastMs(ofFast(told))).toBeLessThanOrEqual(1.5 * aloneMs);
});

test('mail hosts that hang hold up none of the domains behind them', async () => {
  const world = worldOf();
  const dead = Array.from({ length: 40 }, (_, i) => {
    const ip = nextIp();
    world.mx(`dead${i}.test`, [`mx.dead${i}.test`]).host(`mx.dead${i}.test`, [ip]);
    // Half of them take the connection, and never greet.
    if (i % 2 === 0) world.unserved(ip, 'hang');
    else world.serve(ip, { greeting: silence });
    return `a@dead${i}.test`;
  });
  const { told, done } = begin(world, 1, [...dead, ...fast(world, 'fast', 300)]);
  await world.clock.finish(done);
  expect(ofFast(told).filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
  expect(lastMs(ofFast(told))).toBeLessThanOrEqual(1.5 * aloneMs);
});

test('domains of slow greeters are asked twenty at a time all the same', async () => {
  const world = worldOf();
  const addresses = Array.from({ length: 120 }, (_, i) => {
    world.domain(`slow${i}.test`, {
      greeting: [wait(3_000), '220 mx.test ESMTP\r\n'],
      rcpt: () => [wait(300), GONE],
    });
    return `a@slow${i}.test`;
  });
  const { told, done } = begin(world, 1, addresses);
  await world.clock.finish(done);
  expect(told.filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
  // Six times twenty; one after the other with its greeting it would be six times as long.
  expect(lastMs(told)).toBeGreaterThan(3_000 + 6 * 300);
  expect(lastMs(told)).toBeLessThan(8_000);
});

const numberOf = (mailbox: string): number => Number(/@both(\d+)/.exec(mailbox)?.[1]);

/** Every seventh domain refuses by policy, every eleventh defers, every fifth accepts everything. */
const mixed: Script['rcpt'] = (mailbox) => {
  if (numberOf(mailbox) % 7 === 0) return POLICY;
  if (numberOf(mailbox) % 11 === 0) return LATER;
  return numberOf(mailbox) % 5 === 0 ? '250 2.1.5 ok\r\n' : GONE;
};

function kindOf(number: number): string {
  if (number % 7 === 0) return 'policy_rejected';
  if (number % 11 === 0) return 'rcpt_deferred';
  return number % 5 === 0 ? 'accepted' : 'no_such_mailbox';
}

test('500 addresses over two MX hosts take 31 s and 85 sessions, although the second only sees refusals', async () => {
  const world = worldOf();
  const ips = [nextIp(), nextIp()];
  const servers = ips.map((ip) => world.serve(ip, { greeting: '220 mx.test ESMTP Postfix\r\n', rcpt: mixed }));
  const names = tenants(world, 'both', 300, ips);
  const addresses = Array.from({ length: 500 }, (_, i) => `u${i}@${names[i % 300]?.slice(2)}`);
  const { told, done } = begin(world, 1, addresses);
  await world.clock.finish(done);
  for (const { address, kind } of told) expect([address, kind]).toEqual([address, kindOf(numberOf(address))]);
  expect(lastMs(told)).toBeLessThanOrEqual(31_000);
  expect(servers.reduce((sum, { sessions }) => sum + sessions.length, 0)).toBeLessThanOrEqual(85);
});

test.each([
  [30, 30, 90_000],
  [16, 25, 4_000],
])(
  'beside %i lists at one mail host, %i single addresses are all served, half within 2 s',
  async (lists, singles, waitMs) => {
    const world = worldOf();
    const ip = nextIp();
    world.serve(ip, { rcpt: () => GONE });
    await crowdAt(world, ip, lists);
    const told: Told[] = [];
    for (const address of tenants(world, 'single', singles, [ip])) {
      const one = begin(world, 1, [address], waitMs);
      await world.clock.finish(one.done);
      told.push(...one.told);
      await world.clock.advance(5_000);
    }
    expect(told.filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
    expect(p50(told.map(({ afterMs }) => afterMs))).toBeLessThan(2_000);
  },
);
