import { Ticks } from './addresses.ts';
import { CALLERS, type Bill, type Task, type Who } from './callers.ts';

// A caller in a process of its own, so that memory and CPU time are its own: `node --expose-gc`, this file and an order. Lines on standard output: what it holds at each tenth of the list, and at the end what it came to.

const MIB = 1_048_576;
const SAMPLES = 10;

export type Sample = {
  readonly rssMiB: number;
  /** What is left of the heap after a full collection: V8 takes more than it needs before it collects. */
  readonly liveMiB: number;
};
export type Ended = Bill & {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly once: number;
  readonly repeated: number;
  readonly strange: number;
};
export type Said = { readonly sample: Sample } | { readonly ended: Ended };

export type Order = { readonly who: Who; readonly task: Task };

const { who, task }: Order = JSON.parse(process.argv[2] ?? '');
const ticks = new Ticks(task.count);
const tenth = Math.ceil(task.count / SAMPLES);

function say(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

function take(email: string): void {
  ticks.take(email);
  if (ticks.done % tenth !== 0 && ticks.done !== task.count) return;
  const rssMiB = process.memoryUsage.rss() / MIB;
  globalThis.gc?.();
  say({ sample: { rssMiB, liveMiB: process.memoryUsage().heapUsed / MIB } });
}

const startedMs = performance.now();
const before = process.cpuUsage();
const bill = await CALLERS[who](task, take);
const wallMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(before);
const { once, repeated, strange } = ticks;
say({ ended: { ...bill, wallMs, cpuMs: (user + system) / 1_000, once, repeated, strange } });
