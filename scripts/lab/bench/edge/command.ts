import { Command } from 'commander';
import { printTable, type Row } from '../table/table.ts';
import type { Shot } from './caller.ts';
import { compare, type Rounds, warmUp } from './compare.ts';
import { setStage } from './stage.ts';

const LANES = 32;
const ONE: Rounds = { parallel: 1, rounds: 12, perRound: 30 };
const MANY: Rounds = { parallel: LANES, rounds: 12, perRound: 96 };
const RATIO_MAX = 1.5;
const BODY = JSON.stringify({ emails: ['someone@bench.test'] });

/** `bench edge`: the Worker beside a floor that makes the same trips, in the same run. */
export function edgeCommand(): Command {
  return new Command('edge')
    .description('the time of an answer, beside a Worker that makes the same trips and does nothing else')
    .action(async () => printTable(await verification()));
}

async function verification(): Promise<readonly Row[]> {
  const stage = await setStage(LANES);
  const product: Shot = {
    url: stage.edge,
    headers: (lane) => ({ authorization: `Bearer ${stage.keys[lane]}` }),
    path: () => '/api/v1/verify',
    body: BODY,
  };
  const floor = (path: string): Shot => ({ ...product, url: stage.floor, path: (lane) => `${path}?lane=${lane}` });
  const floors = [floor('/verify'), floor('/verify-and-settle')];
  try {
    await warmUp([product, ...floors]);
    const rows: Row[] = [];
    for (const rounds of [ONE, MANY]) rows.push(...(await measure(product, floors, rounds)));
    return rows;
  } finally {
    await stage.stop();
  }
}

async function measure(product: Shot, floors: readonly Shot[], rounds: Rounds): Promise<readonly Row[]> {
  const compared = await compare(product, floors, rounds);
  return compared.floors.map(({ floorMs, ratio }, at) => ({
    what: `verify, ${rounds.parallel} at once (p50)${at === 0 ? '' : '; the floor settles too'}`,
    measured: `${compared.p50Ms.toFixed(2)} ms, ${ratio.toFixed(2)} x`,
    floor: `${floorMs.toFixed(2)} ms`,
    bound: `${RATIO_MAX} x`,
    holds: ratio <= RATIO_MAX,
  }));
}
