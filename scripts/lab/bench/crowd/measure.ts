import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleEdge, startLocalEdge } from '../../../../edge/local/miniflare.ts';
import { buildPages } from '../../../../edge/local/pages.ts';
import { newStateFolder, type RunningService, startRunningService } from '../../../testing/running-service.ts';
import type { Row } from './rows/row.ts';
import { Stage } from './scene/stage.ts';
import { type CrowdWorld, startCrowdWorld } from './scene/world.ts';

/** Anything that it does not know it refuses at once. */
const FLOOR = fileURLToPath(new URL('../../../../edge/testing/worker/floor.ts', import.meta.url));
const CALLS = 20;
/** Slower than a host may begin sessions with one address. */
const EVERY_MS = 1_000;

export type Times = {
  readonly p50: number;
  readonly p99: number;
  readonly calls: number;
  readonly served: number;
  /** Answered without the address being asked, where the row allows that. */
  readonly unprobed: number;
  /** Credits that B paid for calls that were not served. */
  readonly paidForNothing: number;
};
/** `floor`: beside the same calls to a Worker that answers at once, if the row has that. */
export type Measured = Readonly<Record<'alone' | 'beside', Times>> & {
  readonly row: Row;
  readonly floor: { readonly times: Times; readonly held: number } | null;
  readonly held: number;
};

/**
 * One crowd on a service of its own: B alone, and beside it.
 * @param folder the checkout whose service is measured; undefined: this one
 */
export async function measure(row: Row, folder?: string): Promise<Measured> {
  const world = await startCrowdWorld(row.behaviour);
  const state = await newStateFolder();
  let service = await start(state, world, folder);
  try {
    if (row.seed !== undefined) {
      await (await Stage.open(service, world.counts)).openBought(row.seed.account);
      await service.stop();
      await row.seed.into(state);
      service = await start(state, world, folder);
    }
    const stage = await Stage.open(service, world.counts);
    const b = await stage.keyOf(await stage.openBought('b'));
    const alone = await askOften(stage, b, row, () => 0);
    const floor =
      row.floor === undefined
        ? null
        : await besideFloor(stage, b, row, { begin: row.floor, pages: join(state, 'floor-pages') });
    const crowd = await row.begin(stage);
    await sleep(row.gathersMs);
    const beside = await askOften(stage, b, row, crowd.held);
    await crowd.leave();
    return { row, alone: alone.times, floor, beside: beside.times, held: beside.held };
  } finally {
    await service.stop();
    await world.close();
    await rm(state, { recursive: true, force: true });
  }
}

function start(state: string, world: CrowdWorld, folder: string | undefined): Promise<RunningService> {
  const args = ['--hosts', '1', ...world.args, '--var', 'WELCOME_CREDITS=1000000'];
  const how = folder === undefined ? 'node' : ([process.execPath, join(folder, 'scripts/start.ts')] as const);
  return startRunningService(state, args, how);
}

async function besideFloor(
  stage: Stage,
  key: string,
  row: Row,
  { begin, pages }: { readonly begin: NonNullable<Row['floor']>; readonly pages: string },
): Promise<{ times: Times; held: number }> {
  // Pages stand in front of the service too, and locally a request's way past them costs as much as all else of a refusal.
  await buildPages(pages);
  const { mf, url } = await startLocalEdge({
    script: await bundleEdge(FLOOR),
    port: 0,
    state: null,
    vars: {},
    pages,
    onLog: () => undefined,
  });
  try {
    const crowd = begin(stage.at(url));
    const beside = await askOften(stage, key, row, crowd.held);
    await crowd.leave();
    return beside;
  } finally {
    await mf.dispose();
  }
}

/** B asks for one address now and then. @returns its times, and what the crowd held meanwhile, in the middle */
async function askOften(
  stage: Stage,
  key: string,
  { bWaitsS }: Row,
  held: () => number,
): Promise<{ times: Times; held: number }> {
  const headers = bWaitsS === undefined ? {} : { prefer: `wait=${bWaitsS}` };
  const before = await stage.credits(key);
  let served = 0;
  let unprobed = 0;
  const holds: number[] = [];
  const took: number[] = [];
  const ask = async (): Promise<void> => {
    const began = performance.now();
    const signal = AbortSignal.timeout(95_000);
    const answer = await stage.verify(key, [`u@b-0.crowd.test`], signal, headers).catch(() => null);
    took.push(performance.now() - began);
    if (answer?.first?.result === 'deliverable') served += 1;
    else if (bWaitsS !== undefined && answer?.status === 200) unprobed += 1;
  };
  const calls: Promise<void>[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    holds.push(held());
    calls.push(ask());
    await sleep(EVERY_MS);
  }
  await Promise.all(calls);
  const paidForNothing = before - (await stage.credits(key)) - served;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return {
    times: { p50: at(0.5), p99: at(0.99), served, unprobed, calls: CALLS, paidForNothing },
    held: holds.toSorted((x, y) => x - y)[CALLS >> 1] ?? 0,
  };
}
