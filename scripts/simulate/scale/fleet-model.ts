import { LIMITS } from '../../../edge/fleet/limits.ts';
import { Peers } from '../../../edge/fleet/peers.ts';
import { type Member, pick } from '../../../edge/fleet/roster.ts';
import { makeMember } from '../../../edge/testing/member.ts';
import { Pace } from '../../../prober/engine/pace/pace.ts';
import { DEFAULTS } from '../../../prober/engine/ports/settings.ts';
import { Seeded } from '../seeded.ts';
import { CoarseClock } from './coarse-clock.ts';
import { ADDRESSES_PER_BATCH, type Asked, type Errand, errandsOf, SHARES } from './demand.ts';

// Hosts that are nothing but their pace, the real one, under batches that the real roster gives them.

export type Plan = {
  readonly hosts: number;
  /** Addresses that each of them asks from. */
  readonly egress: number;
  readonly addressesPerS: number;
};

export type Scaled = Plan & {
  /** Share of the addresses to be asked about that were, before their batch's deadline. */
  readonly asked: number;
  readonly askedOf: Readonly<Record<Asked, number>>;
  /** From the request to the session that asked, in seconds, of those that were. */
  readonly waitP50S: number;
  readonly waitP99S: number;
  /** Until the whole batch was answered. */
  readonly batchP50S: number;
  readonly batches: number;
  /** The busiest host's batches by the mean: 1 if the roster is even. */
  readonly unevenness: number;
};

const DEADLINE_MS = 90_000;
/** Batches that begin between these are looked at; more come until the last of them is over. */
const [FROM_MS, TO_MS] = [40_000, 60_000];
const ACCOUNTS = 50;
/** Greeting and EHLO, and what a recipient takes: assumed, for servers a few milliseconds away that look mailboxes up. */
const SESSION_MS = 500;
const RECIPIENT_MS = 60;
const NO_LOG = (): void => {};

type HostModel = { readonly pace: Pace; readonly member: Member & { jobs: number }; given: number };
type Found = { readonly provider: Asked; readonly addresses: number; readonly waitMs: number | null };

/** Runs one plan to its end. The same plan is the same run. */
export async function runPlan(plan: Plan): Promise<Scaled> {
  const clock = new CoarseClock();
  const random = new Seeded(plan.hosts * 100 + plan.egress);
  const peers = new Peers(() => clock.now(), NO_LOG, NO_LOG);
  const hosts = Array.from({ length: plan.hosts }, (_, n) => newHost(clock, n, plan.egress));
  peers.look(hosts.map(({ member }) => member));
  const byInstance = new Map(hosts.map((host) => [host.member.instance, host]));
  const found: Found[] = [];
  const batchMs: number[] = [];
  const begin = (n: number): void => {
    const members = hosts.map(({ member }) => member);
    const chosen = pick(members, (instance) => peers.rate(instance), random.next);
    const host = chosen === null ? undefined : byInstance.get(chosen.instance);
    if (host === undefined) throw new Error('Nobody takes the batch');
    peers.given(host.member);
    const startedAt = clock.now();
    const isCounted = startedAt >= FROM_MS && startedAt < TO_MS;
    if (isCounted) host.given += 1;
    void runBatch(clock, host, n % ACCOUNTS, errandsOf(random), (said) => {
      if (!isCounted) return;
      found.push(...said);
      batchMs.push(clock.now() - startedAt);
    });
  };
  const everyMs = (1_000 * ADDRESSES_PER_BATCH) / plan.addressesPerS;
  for (let n = 0; n * everyMs < TO_MS + DEADLINE_MS; n += 1) clock.after(n * everyMs, () => begin(n));
  await clock.run(TO_MS + DEADLINE_MS + 1_000);
  return { ...plan, ...figures(found, batchMs, hosts) };
}

function newHost(clock: CoarseClock, n: number, egress: number): HostModel {
  const addresses = Array.from({ length: egress }, (_, at) => ({ ip: `192.0.2.${at}`, heloName: `e${at}.example` }));
  const name = `h${n}`;
  const member = { ...makeMember({ host: name, instance: name, egress: [name] }, { reachedAtMs: 0 }), jobs: 0 };
  return { pace: new Pace(clock, addresses, DEFAULTS.pace), member, given: 0 };
}

/** As many lanes as a batch has go through its errands, one session after the other, until the deadline. */
async function runBatch(
  clock: CoarseClock,
  { pace, member }: HostModel,
  account: number,
  errands: readonly Errand[],
  onEnd: (found: readonly Found[]) => void,
): Promise<void> {
  const startedAt = clock.now();
  const deadlineMs = startedAt + DEADLINE_MS;
  const stop = new AbortController();
  const cancel = clock.after(DEADLINE_MS, () => stop.abort());
  const found: Found[] = [];
  const queue = errands.values();
  member.jobs += 1;
  const lane = async (): Promise<void> => {
    for (const { provider, host, ip, sessions } of queue)
      for (const addresses of sessions) {
        const visitor = { account, domain: host, host, ip, family: 4, deadlineMs, signal: stop.signal } as const;
        const entry = await pace.enter(visitor);
        found.push({ provider, addresses, waitMs: entry.kind === 'go' ? clock.now() - startedAt : null });
        if (entry.kind !== 'go') continue;
        await new Promise<void>((resolve) => clock.after(SESSION_MS + addresses * RECIPIENT_MS, resolve));
        entry.leave('served');
      }
  };
  await Promise.all(Array.from({ length: LIMITS.lanes }, lane));
  cancel();
  member.jobs -= 1;
  onEnd(found);
}

function figures(
  found: readonly Found[],
  batchMs: readonly number[],
  hosts: readonly HostModel[],
): Omit<Scaled, keyof Plan> {
  const went = found.filter(({ waitMs }) => waitMs !== null);
  const waits = went
    .flatMap(({ waitMs, addresses }) => Array.from({ length: addresses }, () => (waitMs ?? 0) / 1_000))
    .toSorted((a, b) => a - b);
  const expected = batchMs.length * (ADDRESSES_PER_BATCH - SHARES.notDialled);
  if (count(found) !== expected) throw new Error(`${count(found)} addresses were dealt with instead of ${expected}`);
  const shareOf = (provider: Asked): number =>
    count(went.filter((one) => one.provider === provider)) /
    Math.max(1, count(found.filter((one) => one.provider === provider)));
  const given = hosts.map((host) => host.given);
  const all = given.reduce((sum, one) => sum + one, 0);
  return {
    asked: count(went) / expected,
    askedOf: {
      google: shareOf('google'),
      microsoft: shareOf('microsoft'),
      yahoo: shareOf('yahoo'),
      others: shareOf('others'),
    },
    waitP50S: waits[waits.length >> 1] ?? Number.NaN,
    waitP99S: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
    batchP50S: (batchMs.toSorted((a, b) => a - b)[batchMs.length >> 1] ?? Number.NaN) / 1_000,
    batches: batchMs.length,
    unevenness: Math.max(...given) / (all / hosts.length),
  };
}

function count(found: readonly Found[]): number {
  return found.reduce((sum, { addresses }) => sum + addresses, 0);
}
