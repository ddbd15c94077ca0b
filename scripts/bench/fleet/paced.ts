import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { callerOf, type Caller } from '../../testing/caller.ts';
import { newStateFolder, startRunningService } from '../../testing/running-service.ts';
import { DEFAULTS } from '../../../prober/engine/ports/settings.ts';
import { STEADY } from '../../../prober/engine/pace/spacing.ts';
import { startPeer } from '../engine/processes.ts';
import { cpuMs } from '../object/isolate.ts';

// The whole service with several hosts, each a process of its own, before mail servers that cost no time: what a batch
// waits for is the pace of each host, which lets so many connections begin at one dialled address in a minute. All of it
// is on one machine. So the same hosts then meet so many servers that no pace holds them back: what they do there is
// what the machine carries, and where that is little more than the pace allows, the first figure is the machine's.

/** Mail servers, each at an address of its own, in eight networks; host `d<number>.test` has that of its number. */
const MAIL_IPS = Array.from({ length: 64 }, (_, n) => `127.0.${40 + (n % 8)}.${1 + Math.floor(n / 8)}`);
const ROUTED = '127.0.40.0/21';
/** A batch asks for one mailbox at each of so many servers. */
export const CONNECTIONS_PER_BATCH = 4;
const DNS_IP = '127.0.40.1';
const SMTP_PORT = 2527;
const DNS_PORT = 5302;
/** Batches under way at once, so that no host is ever without one. */
const CALLERS = 60;
/** Until the bursts that the pace allows are used up. */
const WARM_UP_MS = 6_000;
const MEASURED_MS = 20_000;
/** The same where no pace holds. */
const FREE_WARM_UP_MS = 1_000;
const FREE_MEASURED_MS = 5_000;
const CREDITS = 1_000_000;

export type PacedFigures = {
  readonly hosts: number;
  readonly batchesPerS: number;
  /** What the pace of so many hosts allows. */
  readonly allowedPerS: number;
  /** With the bursts besides: where the machine carries little more than the pace allows, they last into the measuring. */
  readonly mostPerS: number;
  /** What they did, right after, where no pace held them back. */
  readonly carriedPerS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly batches: number;
  /** Processor time of each host while it was measured. */
  readonly hostCpuMs: readonly number[];
  /** Connections that the mail servers took in the whole run, and batches that were answered in it. */
  readonly connections: number;
  readonly answered: number;
  readonly load: number;
};

/** Keeps batches under way for half a minute. @throws Error if one is not answered with its results */
export async function measurePaced(hosts: number): Promise<PacedFigures> {
  const state = await newStateFolder();
  const peer = await startPeer(null, {
    ip: DNS_IP,
    mailIps: MAIL_IPS,
    smtpPort: SMTP_PORT,
    dnsPort: DNS_PORT,
    mode: 'exists',
    pipelining: true,
    software: 'Postfix',
  });
  const service = await startRunningService(state, [
    '--no-sandbox',
    `--hosts=${hosts}`,
    `--stub=test=${DNS_IP}:${DNS_PORT}`,
    `--route=${ROUTED}=${SMTP_PORT}`,
    '--var=RATE_LIMIT=1000000',
    '--var=MAX_IN_FLIGHT=0',
  ]);
  try {
    const caller = await callerOf(service.ready);
    await caller.operator.grant(service.ready.accountId, 'grant_bench', CREDITS);
    const pids = service.ready.hosts.map(({ pid }) => pid);
    if (pids.length !== hosts) throw new Error(`${pids.length} hosts instead of ${hosts}`);
    const names = new Names();
    const paced = await keepBusy(caller, pids, () => names.atFirst(), WARM_UP_MS, MEASURED_MS);
    const load = loadavg()[0] ?? Number.NaN;
    const free = await keepBusy(caller, pids, () => names.anywhere(), FREE_WARM_UP_MS, FREE_MEASURED_MS);
    const { connections } = await peer.stop();
    return {
      hosts,
      ...paced,
      allowedPerS: allowedPerS(hosts),
      mostPerS: allowedPerS(hosts) + (hosts * DEFAULTS.pace.connections.perAddress) / (MEASURED_MS / 1000),
      carriedPerS: free.batchesPerS,
      connections,
      answered: paced.answered + free.answered,
      load,
    };
  } finally {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  }
}

/** A batch begins one connection at each address. */
function allowedPerS(hosts: number): number {
  return (hosts * DEFAULTS.pace.connectionsPerMinute * STEADY) / 60;
}

/** Domains that nobody has asked for yet. */
class Names {
  #next = 0;

  /** A batch at the first servers: always the same. */
  atFirst(): readonly string[] {
    this.#next += MAIL_IPS.length;
    return this.#batch(this.#next);
  }

  /** A batch at those servers whose turn it is. */
  anywhere(): readonly string[] {
    this.#next += CONNECTIONS_PER_BATCH;
    return this.#batch(this.#next);
  }

  #batch(first: number): readonly string[] {
    return Array.from({ length: CONNECTIONS_PER_BATCH }, (_, n) => `u1@d${first + n}.test`);
  }
}

type Busy = Pick<PacedFigures, 'batchesPerS' | 'p50Ms' | 'p99Ms' | 'batches' | 'hostCpuMs' | 'answered'>;

async function keepBusy(
  caller: Caller,
  pids: readonly number[],
  batch: () => readonly string[],
  warmUpMs: number,
  measuredMs: number,
): Promise<Busy> {
  const ended: { readonly atMs: number; readonly tookMs: number }[] = [];
  const beginsAt = performance.now() + warmUpMs;
  const endsAt = beginsAt + measuredMs;
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      const results = await caller.verify(batch());
      if (results.some(({ status }) => status !== 'valid')) throw new Error(`Not valid: ${JSON.stringify(results)}`);
      ended.push({ atMs: performance.now(), tookMs: performance.now() - startedAt });
    }
  };
  const busy = Promise.all(Array.from({ length: CALLERS }, lane));
  const [before, after] = await Promise.all([cpuAt(pids, beginsAt), cpuAt(pids, endsAt), busy]);
  const measured = ended.filter(({ atMs }) => atMs >= beginsAt && atMs < endsAt);
  const times = measured.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  return {
    batches: times.length,
    batchesPerS: times.length / (measuredMs / 1000),
    p50Ms: times[times.length >> 1] ?? Number.NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    hostCpuMs: after.map((ms, at) => ms - (before[at] ?? 0)),
    answered: ended.length,
  };
}

async function cpuAt(pids: readonly number[], atMs: number): Promise<readonly number[]> {
  await new Promise((wake) => setTimeout(wake, atMs - performance.now()));
  return pids.map(cpuMs);
}
