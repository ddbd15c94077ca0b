import type { Ports, Resolve } from '../../engine/ports/ports.ts';
import { DEFAULTS, type Egress } from '../../engine/ports/settings.ts';
import { judgeIp, type Family } from '../../engine/targets/routable.ts';
import { dialTarget, type Gate, type Target, targetsOf as dialable } from '../../engine/targets/targets.ts';
import type { Reply } from '../../engine/smtp/wire/reply.ts';
import { type Talk, talk } from './talk.ts';

// Whether known mail servers talk to each address of this host. One of several may have no route, be filtered, or lead
// into a proxy: evidence from there would be wrong about every receiver.

const REPLY_MS = 10_000;

export type Ways = {
  readonly ports: Pick<Ports, 'dial' | 'clock' | 'random'> & { readonly resolve: Resolve };
  readonly gate: Gate;
  readonly egress: readonly Egress[];
  readonly mailFrom: string;
};
export type WayOut = Omit<Ways, 'egress'> & { readonly from: Egress; readonly families: readonly Family[] };

/** @returns the positions of the addresses that too few hosts greet */
export function whoIsGreeted(ways: Ways, hosts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
  return failingOf(ways, hosts, signal, async (way, host, ends) => {
    const targets = await targetsOf(way, host, ends);
    const said = await Promise.all(targets.map((target) => repliesOf(way, target, [], ends)));
    return countOf(
      way,
      targets,
      said.some(([greeting]) => greeting?.code === 220),
    );
  });
}

/** @returns the positions of the addresses from which less than half of the items that count pass */
export async function failingOf(
  ways: Ways,
  items: readonly string[],
  signal: AbortSignal,
  passes: (way: WayOut, item: string, ends: AbortSignal) => Promise<Passed>,
): Promise<readonly number[]> {
  const passed = await Promise.all(
    ways.egress.map((from) => {
      const way = { ...ways, from, families: familiesOf(from) };
      return half(items, (item, ends) => passes(way, item, ends), signal);
    }),
  );
  return passed.flatMap((isWell, place) => (isWell ? [] : [place]));
}

/** One per family that is used from there. */
export async function targetsOf(
  { ports, gate, families }: WayOut,
  host: string,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const { targets } = dialable(host, await ports.resolve.addresses(host, signal), gate, ports.random);
  return families.flatMap((family) => targets.find((target) => target.family === family) ?? []);
}

/** A server without IPv6 says nothing about an address of that family. */
export function countOf({ families }: WayOut, targets: readonly Target[], passes: boolean): Passed {
  return targets.length === 0 && !families.includes(4) ? null : passes;
}

/** The families of one of our addresses: both if the system chooses. */
export function familiesOf({ ip }: Egress): readonly Family[] {
  const family = ip === null ? null : (judgeIp(ip)?.family ?? null);
  return family === null ? [4, 6] : [family];
}

export function talkTo(
  { ports: { dial, clock }, from }: WayOut,
  target: Target,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<Talk> {
  const call = { dial, clock, target: dialTarget(target, from.ip), limits: DEFAULTS.timeouts, signal };
  return talk(call, commands, REPLY_MS);
}

export async function repliesOf(...call: Parameters<typeof talkTo>): Promise<readonly Reply[]> {
  const talked = await talkTo(...call);
  return talked.kind === 'undialled' ? [] : talked.replies;
}

/** Passes, does not pass, or cannot be asked this way and does not count. */
export type Passed = boolean | null;

/**
 * Whether at least half of the items that count pass; true if none counts. As soon as that is decided the others are no
 * longer waited for. An item that fails with an error does not pass.
 */
export async function half(
  items: readonly string[],
  passes: (item: string, ends: AbortSignal) => Promise<Passed>,
  signal: AbortSignal,
): Promise<boolean> {
  if (items.length === 0) return true;
  const decided = new AbortController();
  const ends = AbortSignal.any([signal, decided.signal]);
  let [passed, failed, counted] = [0, 0, items.length];
  return new Promise((resolve) => {
    const count = (one: Passed): void => {
      if (one === null) counted -= 1;
      else if (one) passed += 1;
      else failed += 1;
      if (passed * 2 < counted && failed * 2 <= counted) return;
      resolve(passed * 2 >= counted);
      decided.abort();
    };
    for (const item of items) passes(item, ends).then(count, () => count(false));
  });
}
