import { Command } from 'commander';
import { printTable, type Row } from '../table/table.ts';
import type { Shot } from './caller.ts';
import { compare, type Rounds } from './compare.ts';
import { setStage } from './stage.ts';

const LANES = 32;
const ONE: Rounds = { parallel: 1, rounds: 20, perRound: 60 };
const MANY: Rounds = { parallel: LANES, rounds: 16, perRound: 384 };
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
  try {
    const rows: Row[] = [];
    for (const rounds of [ONE, MANY]) {
      const what = `verify, ${rounds.parallel} at once (p50)`;
      rows.push(await measure(what, product, floor('/verify'), rounds));
      rows.push(await measure(`${what}; the floor settles too`, product, floor('/verify-and-settle'), rounds));
    }
    return rows;
  } finally {
    await stage.stop();
  }
}

async function measure(what: string, product: Shot, floor: Shot, rounds: Rounds): Promise<Row> {
  const { p50Ms, floorMs, ratio } = await compare(product, floor, rounds);
  return {
    what,
    measured: `${p50Ms.toFixed(2)} ms, ${ratio.toFixed(2)} x`,
    floor: `${floorMs.toFixed(2)} ms`,
    bound: `${RATIO_MAX} x`,
    holds: ratio <= RATIO_MAX,
  };
}
