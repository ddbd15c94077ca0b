import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { callerOf, type Caller } from '../../testing/caller.ts';
import { newStateFolder, startRunningService } from '../../testing/running-service.ts';
import { DEFAULTS } from '../../../prober/engine/ports/settings.ts';
import { STEADY } from '../../../prober/engine/pace/spacing.ts';
import { startPeer } from '../engine/processes.ts';
import { cpuMs } from '../object/isolate.ts';

// The whole service with several hosts, each a process of its own, before mail servers that cost no time: what a batch
// waits for is the pace of each host, which lets so many connections begin at one dialled address in a minute.

/** Mail servers, each at an address of its own. A batch asks for one mailbox at each. */
const MAIL_IPS = ['127.0.40.1', '127.0.40.2', '127.0.40.3', '127.0.40.4'] as const;
const [DNS_IP] = MAIL_IPS;
const SMTP_PORT = 2527;
const DNS_PORT = 5302;
/** Batches under way at once, so that no host is ever without one. */
const CALLERS = 60;
/** Until the bursts that the pace allows are used up. */
const WARM_UP_MS = 6_000;
const MEASURED_MS = 20_000;
const CREDITS = 1_000_000;

export type PacedFigures = {
  readonly hosts: number;
  readonly batchesPerS: number;
  /** What the pace of so many hosts allows. */
  readonly allowedPerS: number;
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
    `--route=127.0.40.0/24=${SMTP_PORT}`,
    '--var=RATE_LIMIT=1000000',
    '--var=MAX_IN_FLIGHT=0',
  ]);
  try {
    const caller = await callerOf(service.ready);
    await caller.operator.grant(service.ready.accountId, 'grant_bench', CREDITS);
    const pids = service.ready.hosts.map(({ pid }) => pid);
    if (pids.length !== hosts) throw new Error(`${pids.length} hosts instead of ${hosts}`);
    const measured = await keepBusy(caller, pids);
    const { connections } = await peer.stop();
    return { hosts, ...measured, allowedPerS: allowedPerS(hosts), connections, load: loadavg()[0] ?? Number.NaN };
  } finally {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  }
}

/** A batch begins one connection at each address. */
function allowedPerS(hosts: number): number {
  return (hosts * DEFAULTS.pace.connectionsPerMinute * STEADY) / 60;
}

type Busy = Pick<PacedFigures, 'batchesPerS' | 'p50Ms' | 'p99Ms' | 'batches' | 'hostCpuMs' | 'answered'>;

async function keepBusy(caller: Caller, pids: readonly number[]): Promise<Busy> {
  const ended: { readonly atMs: number; readonly tookMs: number }[] = [];
  const beginsAt = performance.now() + WARM_UP_MS;
  const endsAt = beginsAt + MEASURED_MS;
  let next = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const first = next * MAIL_IPS.length;
      next += 1;
      const startedAt = performance.now();
      const results = await caller.verify(MAIL_IPS.map((_, n) => `u1@d${first + n}.test`));
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
    batchesPerS: times.length / (MEASURED_MS / 1000),
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

/** Connections that a batch has to make. */
export const CONNECTIONS_PER_BATCH = MAIL_IPS.length;
