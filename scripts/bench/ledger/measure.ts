import { globSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { newCallId } from '../../../edge/call.ts';
import { bundleEdge, startLocalEdge } from '../../../edge/local/miniflare.ts';
import type { Order } from '../../../edge/testing/worker/ledger-bench.ts';
import { median } from '../edge/compare.ts';

// Fills D1 on disk, looks at it, has the cron close the books on it, and looks again.

const ENTRY = fileURLToPath(new URL('../../../edge/testing/worker/ledger-bench.ts', import.meta.url));
const YEAR_MS = 365 * 86_400_000;
const REQUESTS_PER_FILL = 10_000;
const HOLDS_PER_SAMPLE = 20;
const SAMPLES = 40;
/** Those that the bench itself makes, before and after. */
export const OWN_HOLDS = 2 * SAMPLES * HOLDS_PER_SAMPLE;
const TURNS = 20;
const MINUTE_CHUNKS = 3;
/** Three of ten requests return something. */
const isReturned = (number: number): boolean => number % 10 < 3;

export type Look = {
  readonly holds: number;
  readonly rows: number;
  /** Pages that hold something; those set free are used again. */
  readonly bytes: number;
  readonly sumAllMs: number;
  readonly holdMs: number;
  readonly statementMs: number;
};
type Spread = { readonly p50: number; readonly most: number };
export type Figures = {
  readonly requests: number;
  readonly before: Look;
  readonly closing: { readonly turns: number; readonly turnMs: Spread; readonly minuteMs: number };
  readonly after: Look & { readonly turnMs: Spread };
};

const timedSchema = z.object({ ms: z.number(), answer: z.unknown().optional() });
const countSchema = z.object({ holds: z.int(), rows: z.int() });

type Worker = { readonly ask: (order: Order) => Promise<unknown>; readonly folder: string };

/** @param folder for the database; `requests` are spread over a year that ends now */
export async function measure(folder: string, requests: number, accounts: number): Promise<Figures> {
  const script = await bundleEdge(ENTRY);
  const edge = await startLocalEdge({ script, port: 0, state: folder, vars: {}, onLog: complain });
  const worker: Worker = {
    folder,
    ask: async (order) => {
      const answer = await fetch(edge.url, { method: 'POST', body: JSON.stringify(order) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
  };
  try {
    const names = Array.from({ length: accounts }, (_, number) => `customer-${number}`);
    await fill(worker, requests, names);
    const before = await look(worker, names);
    const closing = await close(worker);
    const turns: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) turns.push(await time(worker, { do: 'turn' }));
    return { requests, before, closing, after: { ...(await look(worker, names)), turnMs: spread(turns) } };
  } finally {
    await edge.mf.dispose();
  }
}

function complain(level: string, line: string): void {
  if (level === 'error') process.stderr.write(`${line}\n`);
}

async function fill({ ask }: Worker, requests: number, names: readonly string[]): Promise<void> {
  await ask({ do: 'open', accounts: [...names] });
  const start = Date.now() - YEAR_MS;
  for (let first = 0; first < requests; first += REQUESTS_PER_FILL) {
    const count = Math.min(REQUESTS_PER_FILL, requests - first);
    const part = Array.from({ length: count }, (_, at): [string, string, number, number] => {
      const number = first + at;
      const openedAt = start + Math.floor((number / requests) * YEAR_MS);
      return [newCallId(openedAt), names[number % names.length] ?? '', openedAt, isReturned(number) ? 1 : 0];
    });
    await ask({ do: 'fill', requests: part });
  }
  await ask({ do: 'balance' });
}

async function look(worker: Worker, names: readonly string[]): Promise<Look> {
  const { holds, rows } = countSchema.parse(await worker.ask({ do: 'count' }));
  const sumAllMs = await time(worker, { do: 'sumAll' });
  const statementMs = await time(worker, { do: 'statement', account: names[0] ?? '' });
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const some = Array.from(
      { length: HOLDS_PER_SAMPLE },
      (_, at) => names[(sample * 7 + at * 13) % names.length] ?? '',
    );
    samples.push((await time(worker, { do: 'hold', accounts: some })) / HOLDS_PER_SAMPLE);
  }
  return { holds, rows, bytes: bytesInUse(worker.folder), sumAllMs, statementMs, holdMs: median(samples) };
}

/** Turns until nothing is due any more. */
async function close(worker: Worker): Promise<Figures['closing']> {
  const minuteMs = await time(worker, { do: 'close', chunks: MINUTE_CHUNKS });
  const turns: number[] = [];
  let left = Infinity;
  for (;;) {
    turns.push(await time(worker, { do: 'turn' }));
    const { holds } = countSchema.parse(await worker.ask({ do: 'count' }));
    if (holds === left) return { turns: turns.length, turnMs: spread(turns), minuteMs };
    left = holds;
  }
}

async function time({ ask }: Worker, order: Order): Promise<number> {
  return timedSchema.parse(await ask(order)).ms;
}

function spread(times: readonly number[]): Spread {
  return { p50: median(times), most: Math.max(...times) };
}

function bytesInUse(folder: string): number {
  const pragma = z.record(z.string(), z.number());
  const sizes = globSync(`${folder}/**/*.sqlite`).map((file) => {
    const db = new DatabaseSync(file, { readOnly: true });
    const read = (name: string): number => pragma.parse(db.prepare(`PRAGMA ${name}`).get())[name] ?? 0;
    const bytes = (read('page_count') - read('freelist_count')) * read('page_size');
    db.close();
    return bytes;
  });
  return Math.max(...sizes);
}
