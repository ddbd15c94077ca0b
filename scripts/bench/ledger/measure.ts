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
/** Three requests of ten; with accounts in tens, all those of three accounts in ten. */
const isReturned = (number: number): boolean => number % 10 < 3;

export type Look = {
  readonly holds: number;
  readonly rows: number;
  /** Pages that hold something; those set free are used again. */
  readonly bytes: number;
  readonly sumAllMs: number;
  readonly holdMs: number;
  /** Beside a hold at the same time in a database that has nothing but the accounts. */
  readonly holdRatio: number;
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

type Worker = {
  readonly folder: string;
  readonly ask: (order: Order) => Promise<unknown>;
  readonly stop: () => Promise<void>;
};

/** @param folder for the databases; `requests` are spread over a year that ends now */
export async function measure(folder: string, requests: number, accounts: number): Promise<Figures> {
  const script = await bundleEdge(ENTRY);
  const [worker, floor] = [await startWorker(script, `${folder}/year`), await startWorker(script, `${folder}/empty`)];
  try {
    const names = Array.from({ length: accounts }, (_, number) => `customer-${number}`);
    await floor.ask({ do: 'open', accounts: names });
    await fill(worker, requests, names);
    const before = await look(worker, floor, names);
    const closing = await close(worker);
    const turns: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) turns.push(await time(worker, { do: 'turn' }));
    return { requests, before, closing, after: { ...(await look(worker, floor, names)), turnMs: spread(turns) } };
  } finally {
    await Promise.all([worker.stop(), floor.stop()]);
  }
}

async function startWorker(script: string, folder: string): Promise<Worker> {
  const { mf, url } = await startLocalEdge({ script, port: 0, state: folder, vars: {}, onLog: complain });
  return {
    folder,
    async ask(order) {
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(order) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    stop: () => mf.dispose(),
  };
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

async function look(worker: Worker, floor: Worker, names: readonly string[]): Promise<Look> {
  const { holds, rows } = countSchema.parse(await worker.ask({ do: 'count' }));
  const sumAllMs = await time(worker, { do: 'sumAll' });
  const statementMs = await time(worker, { do: 'statement', account: names[0] ?? '' });
  const times: number[] = [];
  const ratios: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const some = Array.from(
      { length: HOLDS_PER_SAMPLE },
      (_, at) => names[(sample * 7 + at * 13) % names.length] ?? '',
    );
    const order: Order = { do: 'hold', accounts: some };
    // Each goes first in every other sample: the machine's moods hit both.
    const first = sample % 2 === 0 ? await time(floor, order) : null;
    const own = await time(worker, order);
    const beside = first ?? (await time(floor, order));
    times.push(own / HOLDS_PER_SAMPLE);
    ratios.push(own / beside);
  }
  const bytes = bytesInUse(worker.folder);
  return { holds, rows, bytes, sumAllMs, statementMs, holdMs: median(times), holdRatio: median(ratios) };
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
