import { readdirSync, readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import * as z from 'zod';

// What workerd says of itself. Worker and objects share one isolate here, so the heap is that of both.

const usageSchema = z.object({
  result: z.object({
    usedSize: z.number(),
    embedderHeapUsedSize: z.number().default(0),
    backingStorageSize: z.number().default(0),
  }),
});
const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const TICKS_PER_S = 100;
const COLLECTIONS = 2;
const QUESTIONS_MAX = 600;
const QUIET_MS = 500;

/** Bytes that live in the isolate after a full collection: V8's heap, buffers and the runtime's own objects. `url`: any of the Worker's. */
export async function liveBytes(inspector: URL, url: URL): Promise<number> {
  const [target] = targetsSchema.parse(await (await fetch(new URL('/json', inspector))).json());
  if (target === undefined) throw new Error('workerd shows no isolate');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const answers = new Map<number, unknown>();
  socket.on('message', (data) => {
    const answer: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : 'null');
    const { data: known } = z.object({ id: z.number() }).safeParse(answer);
    if (known !== undefined) answers.set(known.id, answer);
  });
  const ask = (id: number, method: string): void => socket.send(JSON.stringify({ id, method }));
  try {
    ask(0, 'HeapProfiler.enable');
    for (let id = 1; id <= COLLECTIONS; id += 1) ask(id, 'HeapProfiler.collectGarbage');
    // An answer may lie there until the isolate has something to do.
    for (let id = COLLECTIONS + 1; id < QUESTIONS_MAX; id += 1) {
      const isClean = answers.has(COLLECTIONS);
      ask(id, 'Runtime.getHeapUsage');
      await (await fetch(url)).arrayBuffer();
      await new Promise((wake) => setTimeout(wake, 100));
      if (!isClean || !answers.has(id)) continue;
      const { result } = usageSchema.parse(answers.get(id));
      return result.usedSize + result.embedderHeapUsedSize + result.backingStorageSize;
    }
    throw new Error('workerd does not say what it holds');
  } finally {
    socket.terminate();
  }
}

/** The workerd that this process started, its only one. */
export function workerdPid(): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
      if (name === 'workerd' && Number(parent) === process.pid) return Number(entry);
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error('No workerd was started');
}

/** CPU time that a process has used, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_S;
}

/** Waits until a process has worked off what it was given. */
export async function quiet(pid: number): Promise<void> {
  for (let last = -1; last !== cpuMs(pid);) {
    last = cpuMs(pid);
    await new Promise((wake) => setTimeout(wake, QUIET_MS));
  }
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
}
