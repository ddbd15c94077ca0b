import { gather } from '../../../edge/verify/dispatch.ts';
import type { Engine, ProbeBatch } from '../../../prober/engine/batch.ts';
import { Machine } from './machine.ts';
import { MailWorld, truthOf } from './mail-world.ts';
import { enrolmentOf, ENV } from './run-seed.ts';
import { Seeded } from './seeded.ts';
import { loadFleet, SimObject } from './sim-object.ts';
import { SimTime } from './sim-time.ts';

// How often a call finds a session that an earlier one of its account left open, by the number of hosts: the real choice of
// hosts, and engines that know of a session only that it is open for a while.

const ACCOUNTS = 10;
const LASTS_MS = 12_000;
const DEADLINE_MS = 90_000;
/** Of hosts: what a session costs that is not open yet, and what each address costs. */
const [OPENING_MS, ADDRESS_MS] = [150, 50];
const IDLE_MS = { listed: 5_000, other: 2_000 };
const LANES = 20;

type Load = {
  readonly name: string;
  readonly addresses: number;
  /** Domains that an account asks about again and again. */
  readonly domains: number;
  /** One address in this many is at one listed provider. */
  readonly everyListed: number;
};
const LOADS: readonly Load[] = [
  { name: 'one address after another at 5 domains', addresses: 1, domains: 5, everyListed: 5 },
  { name: 'lists in batches of 500 at 400 domains', addresses: 500, domains: 400, everyListed: 4 },
];

/** What one run counted. */
type Warmth = {
  /** Of the domains of all batches, those that found a session open. */
  readonly warm: number;
  /** The most that a host was given, by its fair share. */
  readonly mostByFairShare: number;
  /** Jobs, and what hosts sent, for each batch. */
  readonly framesPerBatch: number;
  readonly jobsPerBatch: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** @param hosts how many @param load what each account asks, one batch after the other */
async function runWarm(hosts: number, load: Load): Promise<Warmth> {
  const time = new SimTime();
  time.install();
  const random = new Seeded(hosts);
  Math.random = random.next;
  console.info = console.warn = console.error = () => {};
  const object = new SimObject(time, await loadFleet(), { ...ENV });
  const given = new Map<string, number>();
  const counts = { visits: 0, warm: 0, jobs: 0 };
  const engineOf = (machine: Machine): Engine => engineWith(time, counts, given, machine.name);
  const around = { time, random, world: new MailWorld<Machine>(() => time.now()), object, record: () => {}, engineOf };
  for (let n = 0; n < hosts; n += 1) new Machine(`h${n}-0`, enrolmentOf(`h${n}`), around).open();
  const tookMs: number[] = [];
  const beganAt = time.now() + 2_000;
  const ask = async (account: number): Promise<void> => {
    for (let n = 0; time.now() < beganAt + LASTS_MS; n += 1) {
      const begunAt = time.now();
      const asked = { ...newBatch(account, n, load, random), deadlineMs: time.wallClock() + DEADLINE_MS };
      for await (const found of gather((job) => object.dispatch(job), asked)) void found;
      tookMs.push(time.now() - begunAt);
    }
  };
  for (let account = 0; account < ACCOUNTS; account += 1) time.after(2_000 + account * 37, () => void ask(account));
  await time.runUntil(beganAt + LASTS_MS + DEADLINE_MS);
  const sorted = tookMs.toSorted((a, b) => a - b);
  const all = [...given.values()].reduce((sum, one) => sum + one, 0);
  return {
    warm: counts.warm / counts.visits,
    mostByFairShare: (Math.max(...given.values()) * hosts) / all,
    framesPerBatch: (counts.jobs + object.frames) / tookMs.length,
    jobsPerBatch: counts.jobs / tookMs.length,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}

/** A host that probes as many domains of a job at once as it may, and leaves the session of each open. */
function engineWith(
  time: SimTime,
  counts: { visits: number; warm: number; jobs: number },
  given: Map<string, number>,
  name: string,
): Engine {
  const openUntil = new Map<string, number>();
  const probe = async ({ recipients, account, report }: ProbeBatch): Promise<void> => {
    counts.jobs += 1;
    given.set(name, (given.get(name) ?? 0) + recipients.length);
    const byDomain = Map.groupBy([...recipients.entries()], ([, { domain }]) => domain);
    const left = [...byDomain];
    const lane = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [domain, own] = next;
        const isListed = domain.startsWith('google');
        const server = `${account} ${isListed ? 'google' : domain}`;
        const isWarm = (openUntil.get(server) ?? 0) >= time.now();
        counts.visits += 1;
        if (isWarm) counts.warm += 1;
        await sleep(time, (isWarm ? 0 : OPENING_MS) + own.length * ADDRESS_MS);
        openUntil.set(server, time.now() + (isListed ? IDLE_MS.listed : IDLE_MS.other));
        for (const [index, recipient] of own) report(index, truthOf(recipient));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  };
  return { probe };
}

function sleep(time: SimTime, ms: number): Promise<void> {
  return new Promise((resolve) => void time.after(ms, resolve));
}

function newBatch(account: number, n: number, load: Load, random: Seeded) {
  const addresses = Array.from({ length: load.addresses }, (_, a) => {
    const isListed = a % load.everyListed === 0 && load.addresses > 1;
    const domain = isListed ? `google${random.whole(0, 9)}` : `d${random.whole(0, load.domains - 1)}`;
    return [`y${(a + n).toString(36)}`, `${domain}-a${account}.test`] as const;
  });
  const batchId = `00000000-0000-7000-8000-${String(n).padStart(9, '0')}${String(account).padStart(3, '0')}`;
  const whose = { batchId, account: `account${account}`, accountClass: 'bought' } as const;
  return { ...whose, addresses, gone: new AbortController().signal };
}

/** Runs each load with 1, 3 and 20 hosts and prints what came of it. */
export async function runWarms(): Promise<void> {
  for (const load of LOADS) {
    process.stdout.write(`${load.name}\n`);
    for (const hosts of [1, 3, 20]) {
      const { warm, mostByFairShare, framesPerBatch, jobsPerBatch, p50Ms, p99Ms } = await runWarm(hosts, load);
      process.stdout.write(
        `  ${hosts} hosts: ${(100 * warm).toFixed(0)} % warm, a host at most ${mostByFairShare.toFixed(2)} x its fair share, ` +
          `${jobsPerBatch.toFixed(1)} jobs and ${framesPerBatch.toFixed(1)} frames a batch, p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms\n`,
      );
    }
  }
}
