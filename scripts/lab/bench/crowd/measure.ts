import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { adminApi, type AdminApi } from '../../../admin/connection/api.ts';
import { readOperatorKey } from '../../../admin/connection/operator-key.ts';
import { newStateFolder, startRunningService } from '../../../testing/running-service.ts';
import type { Row } from './rows/row.ts';
import { startCrowdWorld } from './world.ts';

const CREDITS = 1_000_000;
const CALLS = 20;
/** Slower than a host may begin sessions with one address. */
const EVERY_MS = 1_000;
const CROWD_GATHERS_MS = 6_000;
const answerSchema = z.array(z.object({ result: z.string() }));

export type Times = { readonly p50: number; readonly p99: number; readonly served: number; readonly calls: number };
export type Measured = { readonly row: Row; readonly alone: Times; readonly beside: Times; readonly held: number };

/** One crowd on a service of its own: B alone, and beside it. */
export async function measure(row: Row): Promise<Measured> {
  const world = await startCrowdWorld(row.behaviour);
  const state = await newStateFolder();
  const quiet = ['RATE_LIMIT=0', 'MAX_IN_FLIGHT=0'].flatMap((one) => ['--var', one]);
  const service = await startRunningService(state, ['--hosts', '1', ...world.args, ...quiet]);
  const gone = new AbortController();
  try {
    const { url, operatorKey } = service.ready;
    const admin = adminApi({ origin: url, operator: await readOperatorKey(operatorKey) });
    const b = await openAccount(admin, 'b', 1_000);
    const alone = await askOften(url, b, () => 0);
    const crowd: Promise<unknown>[] = [];
    for (let account = 0; account < row.accounts; account += 1) {
      const key = await openAccount(admin, `c${account}`, account);
      for (let n = 0; n < row.requests; n += 1)
        crowd.push(verify(url, key, emailsOf(row, account * row.requests + n), gone.signal).catch(() => null));
    }
    await sleep(CROWD_GATHERS_MS);
    const beside = await askOften(url, b, world.held);
    gone.abort();
    await Promise.all(crowd);
    return { row, alone: alone.times, beside: beside.times, held: beside.held };
  } finally {
    gone.abort();
    await service.stop();
    await world.close();
    await rm(state, { recursive: true, force: true });
  }
}

async function openAccount(admin: AdminApi, id: string, n: number): Promise<string> {
  await admin.createAccount(`crowd-${id}`, id);
  await admin.grant(`crowd-${id}`, 'first', CREDITS);
  return (await admin.createKey(`key_${String(n).padStart(8, '0')}`, `crowd-${id}`, 'bench')).key;
}

function emailsOf({ addresses, domains }: Row, request: number): string[] {
  return Array.from({ length: addresses }, (_, i) => `x${i}@c-${request * domains + (i % domains)}.crowd.test`);
}

async function verify(url: string, key: string, emails: readonly string[], signal: AbortSignal): Promise<boolean> {
  const answer = await fetch(new URL('/api/v1/verify', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ emails }),
    signal,
  });
  const body = answerSchema.safeParse(await answer.json());
  return answer.ok && body.success && body.data[0]?.result === 'deliverable';
}

/** B asks for one address now and then. @returns its times, and the least that the crowd held meanwhile */
async function askOften(url: string, key: string, held: () => number): Promise<{ times: Times; held: number }> {
  let served = 0;
  const holds: number[] = [];
  const took: number[] = [];
  const ask = async (): Promise<void> => {
    const began = performance.now();
    if (await verify(url, key, [`u@b-0.crowd.test`], AbortSignal.timeout(95_000)).catch(() => false)) served += 1;
    took.push(performance.now() - began);
  };
  const calls: Promise<void>[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    holds.push(held());
    calls.push(ask());
    await sleep(EVERY_MS);
  }
  await Promise.all(calls);
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return {
    times: { p50: at(0.5), p99: at(0.99), served, calls: CALLS },
    held: holds.toSorted((x, y) => x - y)[CALLS >> 1] ?? 0,
  };
}
