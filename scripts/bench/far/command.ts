import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { median } from '../edge/compare.ts';
import { setStage, type Stage } from '../edge/stage.ts';

const WORKER = fileURLToPath(new URL('../../../edge/testing/worker/far-live.ts', import.meta.url));
const ROUNDS = 5;
/** Calls a minute and key: what one row sends with a key of its own. */
const RATE_LIMIT = ROUNDS;
/** From a Worker in Frankfurt to D1 and the objects, there and back. */
const NEAR_MS = 2;
/** To Frankfurt, there and back. */
const PLACES = [
  { city: 'Paris', ms: 20 },
  { city: 'New York', ms: 90 },
  { city: 'Sydney', ms: 280 },
] as const;
/** A timer of the Worker's may be a little early. */
const EARLY_MS = 2;
const ONE = JSON.stringify({ emails: ['someone@bench.test'] });

type Case = {
  readonly name: string;
  readonly status: number;
  /** Trips of which each waits for the one before it. */
  readonly trips: number;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly key: 'fresh' | 'none' | 'at its limit' | 'past its limit';
};

const CASES: readonly Case[] = [
  { name: 'POST verify, one address', status: 200, trips: 3, method: 'POST', body: ONE, key: 'fresh' },
  { name: 'POST verify, 400', status: 400, trips: 2, method: 'POST', body: '{}', key: 'fresh' },
  { name: 'GET credits', status: 200, trips: 2, method: 'GET', key: 'fresh' },
  { name: '429, the first in a window', status: 429, trips: 1, method: 'GET', key: 'at its limit' },
  { name: '429, the next', status: 429, trips: 0, method: 'GET', key: 'past its limit' },
  { name: '401', status: 401, trips: 0, method: 'GET', key: 'none' },
];

type Places = { readonly callerMs: number; readonly bindingsMs: number };
type Measured = { readonly ms: number; readonly trips: number };
type Row = { readonly what: string; readonly cells: readonly string[]; readonly holds: boolean };

/** `bench far`: what callers in three cities wait for, with the Worker beside them and beside the database. */
export function farCommand(): Command {
  return new Command('far')
    .description('crossings and time of a call from far away: the Worker beside its caller, and beside the database')
    .action(async () => {
      // Each row, and each call of the first 429, has keys of its own.
      const stage = await setStage(PLACES.length * 2 * (CASES.length + ROUNDS), RATE_LIMIT, WORKER);
      try {
        const keys = stage.keys.values();
        const rows: Row[] = [];
        for (const one of CASES) rows.push(await measureCase(stage, keys, one));
        process.stdout.write(table(rows));
        if (rows.some(({ holds }) => !holds)) process.exitCode = 1;
      } finally {
        await stage.stop();
      }
    });
}

async function measureCase(stage: Stage, keys: Iterator<string>, one: Case): Promise<Row> {
  const cells: string[] = [];
  let [trips, holds] = [one.trips, true];
  for (const { ms } of PLACES)
    for (const isPlaced of [false, true]) {
      const places = isPlaced ? { callerMs: ms, bindingsMs: NEAR_MS } : { callerMs: 0, bindingsMs: ms };
      const measured = await measure(stage, keys, one, places);
      trips = Math.max(trips, ...measured.map((call) => call.trips));
      holds &&= measured.every((call) => call.trips === one.trips);
      const least = Math.min(...measured.map((call) => call.ms));
      if (least < places.callerMs + one.trips * places.bindingsMs - EARLY_MS)
        throw new Error(`The way was not gone: ${one.name} in ${least.toFixed(0)} ms at ${ms} ms`);
      cells.push(`${median(measured.map((call) => call.ms)).toFixed(0)} ms`);
    }
  return { what: `${one.name} | ${trips} | 1`, cells, holds };
}

async function measure(stage: Stage, keys: Iterator<string>, one: Case, places: Places): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  let key = one.key === 'none' ? null : next(keys);
  if (key !== null && one.key === 'past its limit') await spend(stage, key, RATE_LIMIT + 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (one.key === 'at its limit') {
      key = next(keys);
      await spend(stage, key, RATE_LIMIT);
    }
    measured.push(await send(stage, one, key, places));
    // What follows an answer would be counted with the next call.
    await stage.settled();
  }
  return measured;
}

/** Calls from here, so that the key has so many fewer left. */
async function spend(stage: Stage, key: string, calls: number): Promise<void> {
  const url = new URL('/api/v1/credits', stage.edge);
  for (let n = 0; n < calls; n += 1)
    await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer();
}

async function send({ edge }: Stage, one: Case, key: string | null, places: Places): Promise<Measured> {
  const startedAt = performance.now();
  const answer = await fetch(new URL(one.method === 'GET' ? '/api/v1/credits' : '/api/v1/verify', edge), {
    method: one.method,
    headers: {
      'x-bench-places': JSON.stringify(places),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(one.body === undefined ? {} : { body: one.body }),
  });
  await answer.arrayBuffer();
  const ms = performance.now() - startedAt;
  if (answer.status !== one.status) throw new Error(`${one.name}: status ${answer.status} instead of ${one.status}`);
  return { ms, trips: Number(answer.headers.get('x-bench-trips') ?? Number.NaN) };
}

function next(keys: Iterator<string>): string {
  const { value, done } = keys.next();
  if (done === true) throw new Error('Too few keys');
  return value;
}

function table(rows: readonly Row[]): string {
  const heads = PLACES.flatMap(({ city, ms }) => [`${city}, ${ms} ms away`, 'placed']);
  const lines = rows.map(({ what, cells, holds }) => `| ${what} | ${cells.join(' | ')} | ${holds ? 'yes' : 'NO'} |`);
  return [
    `| call | crossings beside the caller | placed | ${heads.join(' | ')} | holds |`,
    `|${'---|'.repeat(heads.length + 4)}`,
    ...lines,
    '',
  ].join('\n');
}
