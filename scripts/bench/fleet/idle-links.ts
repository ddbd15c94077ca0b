import type { Engine } from '../../../prober/engine/batch.ts';
import { cpuMs, liveBytes, quiet } from '../object/isolate.ts';
import { Stage, until } from '../object/stage.ts';

export type IdleFigures = {
  readonly links: number;
  /** Hosts that the object said were there at the end. */
  readonly connected: number;
  /** Processor time of workerd for a minute in which nothing was asked. */
  readonly cpuMsPerMinute: number;
  /** What lives in its isolate, Worker and object together. */
  readonly liveBytes: number;
};

/** Three pings of each host. */
const IDLE_MS = 30_000;
const NEVER_ASKED: Engine = { probe: () => Promise.reject(new Error('An idle host was given a job')) };

/** Lets so many hosts dial in to one Fleet object and leaves it alone. */
export async function measureIdle(links: number): Promise<IdleFigures> {
  const stage = await Stage.set();
  try {
    const names = Array.from({ length: links }, (_, n) => `host-${n}`);
    const hosts = links === 0 ? [] : (await stage.enrol(names)).map((identity) => stage.dialIn(identity, NEVER_ASKED));
    await until(
      () => 'every host is connected',
      async () => (await stage.hosts()).length === links,
    );
    const live = await liveBytes(stage.inspector, stage.url);
    await quiet(stage.pid);
    const before = cpuMs(stage.pid);
    await new Promise((wake) => setTimeout(wake, IDLE_MS));
    const used = cpuMs(stage.pid) - before;
    const connected = (await stage.hosts()).length;
    for (const { socket } of hosts) socket()?.terminate();
    return { links, connected, cpuMsPerMinute: (used * 60_000) / IDLE_MS, liveBytes: live };
  } finally {
    await stage.stop();
  }
}
