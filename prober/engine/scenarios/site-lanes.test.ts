import { beforeAll, expect, test } from 'vitest';
import { type MailWorld, nextIp } from '../../testing/mail-world.ts';
import { silence, wait } from '../../testing/script.ts';
import { byName, siteWorld, told } from '../../testing/site.ts';

// A lane is a domain in conversation: who waits for a connection or a greeting holds up nobody else.

type Told = { readonly address: string; readonly told: string; readonly afterMs: number };

/** Asks about all of them, and when each was told. */
async function ask(world: MailWorld, addresses: readonly string[], account = 1): Promise<Told[]> {
  const began = world.clock.now();
  const all: Told[] = [];
  const done = world.engine.probe({
    account,
    recipients: addresses.map((address) => {
      const [local = '', domain = ''] = address.split('@');
      return { local, domain };
    }),
    signal: new AbortController().signal,
    deadlineMs: began + 90_000,
    report: (index, evidence) =>
      all.push({ address: addresses[index] ?? '', told: told(evidence), afterMs: world.clock.now() - began }),
  });
  await world.clock.finish(done);
  return all;
}

/** Domains with a fast server each. */
function fast(world: MailWorld, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    world.domain(`fast${i}.test`, { rcpt: byName });
    return `x${i}@fast${i}.test`;
  });
}

const lastMs = (all: readonly Told[]): number => Math.max(...all.map(({ afterMs }) => afterMs));

let aloneMs: number;
beforeAll(async () => {
  const world = siteWorld();
  aloneMs = lastMs(await ask(world, fast(world, 300)));
});

/** Puts one of them behind every nth of the others. */
function spread(few: readonly string[], many: readonly string[]): string[] {
  const every = Math.floor(many.length / few.length);
  return many.flatMap((one, i) => [...(i % every === 0 ? few.slice(i / every, i / every + 1) : []), one]);
}

const HANGS: ReadonlyArray<readonly [string, (world: MailWorld, ip: string) => unknown]> = [
  ['connections hang', (world, ip) => world.unserved(ip, 'hang')],
  ['servers never greet', (world, ip) => world.serve(ip, { greeting: silence })],
  [
    'servers greet after 20 s',
    (world, ip) => world.serve(ip, { greeting: [wait(20_000), '220 mx.test\r\n'], rcpt: byName }),
  ],
];
const PLACES: ReadonlyArray<readonly [string, (few: readonly string[], many: readonly string[]) => string[]]> = [
  ['first', (few, many) => [...few, ...many]],
  ['among them', spread],
];
const CASES = HANGS.flatMap(([how, serve]) => PLACES.map(([where, place]) => [how, where, serve, place] as const));

test.each(CASES)('60 domains whose %s (%s) hold up none of 300 fast ones', async (_how, _where, serve, place) => {
  const world = siteWorld();
  const dead = Array.from({ length: 60 }, (_, d) => {
    const ip = nextIp();
    world.mx(`dead${d}.test`, [`mx.dead${d}.test`]).host(`mx.dead${d}.test`, [ip]);
    serve(world, ip);
    return `x@dead${d}.test`;
  });
  const all = await ask(world, place(dead, fast(world, 300)));
  const quick = all.filter(({ address }) => address.includes('@fast'));
  expect(new Set(quick.map((one) => one.told))).toEqual(new Set(['invalid null']));
  expect(lastMs(quick)).toBeLessThanOrEqual(1.5 * aloneMs);
});

test('domains with two dead hosts and a third that answers get their verdicts, and hold up nobody', async () => {
  const world = siteWorld();
  const slow = Array.from({ length: 25 }, (_, d) => {
    const names = [0, 1, 2].map((i) => `mx${i}.slow${d}.test`);
    world.mx(`slow${d}.test`, names);
    for (const [i, name] of names.entries()) {
      const ip = nextIp();
      world.host(name, [ip]);
      if (i < 2) world.unserved(ip, 'hang');
      else world.serve(ip, { rcpt: byName });
    }
    return `x@slow${d}.test`;
  });
  const all = await ask(world, [...slow, ...fast(world, 300)]);
  expect(new Set(all.map((one) => one.told))).toEqual(new Set(['invalid null']));
  expect(lastMs(all.filter(({ address }) => address.includes('@fast')))).toBeLessThanOrEqual(1.5 * aloneMs);
  expect(lastMs(all)).toBeLessThan(25_000);
});
