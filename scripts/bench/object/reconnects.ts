import type { Engine } from '../../../prober/engine/batch.ts';
import { cpuMs } from './isolate.ts';
import { letGo, Stage, until } from './stage.ts';

export type ReconnectFigures = {
  readonly hosts: number;
  readonly batches: number;
  /** CPU of workerd from the cut until every host was back, Worker and runtime included. */
  readonly cpuMs: number;
  readonly wallMs: number;
};

const ADDRESSES = 500;
const IDLE: Engine = {
  probe: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};

/** Cuts the links of all hosts at once while batches are open. */
export async function measureReconnects(hostCount: number, batchCount: number): Promise<ReconnectFigures> {
  const stage = await Stage.set();
  try {
    const identities = await stage.enrol(Array.from({ length: hostCount }, (_, n) => `host-${n}`));
    const hosts = identities.map((identity) => stage.dialIn(identity, IDLE));
    const isWhole = async (): Promise<boolean> => (await stage.hosts()).length === hostCount;
    await until(() => 'every host is connected', isWhole);
    const batches = Array.from({ length: batchCount }, (_, batch) =>
      stage.ask(Array.from({ length: ADDRESSES }, (__, n) => ['someone', `d${batch}-${n}.example`] as const)),
    );
    await until(
      () => 'every batch is with a host',
      async () => (await stage.hosts()).reduce((sum, { jobs }) => sum + jobs, 0) >= batchCount,
    );
    const before = { cpuMs: cpuMs(stage.pid), at: performance.now() };
    for (const { socket } of hosts) socket()?.terminate();
    // Asking for the roster costs the object too: rarely.
    await new Promise((wake) => setTimeout(wake, 1_000));
    await until(() => 'every host is back', isWhole);
    const figures = { cpuMs: cpuMs(stage.pid) - before.cpuMs, wallMs: performance.now() - before.at };
    if (batches.some(({ state }) => state !== 'open')) throw new Error('Not every batch was still open at the end');
    batches.forEach(letGo);
    return { hosts: hostCount, batches: batchCount, ...figures };
  } finally {
    await stage.stop();
  }
}
