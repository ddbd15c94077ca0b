import { median } from '../table/table.ts';
import { connections, repeat, type Shot } from './caller.ts';

export type Comparison = {
  /** Middle of all times of the floor, in milliseconds. */
  readonly floorMs: number;
  /** Middle of the rounds' own ratios: the machine's moods hit all of a round. */
  readonly ratio: number;
};

export type Rounds = { readonly parallel: number; readonly rounds: number; readonly perRound: number };

const WARM_UP = 500;
const WARM_UP_PARALLEL = 8;

/** Sends requests until the code that answers them is compiled. */
export async function warmUp(shots: readonly Shot[]): Promise<void> {
  const agent = connections(WARM_UP_PARALLEL);
  try {
    for (const shot of shots) await repeat(shot, agent, WARM_UP);
  } finally {
    agent.destroy();
  }
}

/** Measures a request and its floors in turns. @returns the middle of all its times, and how each floor compares */
export async function compare(
  product: Shot,
  floors: readonly Shot[],
  { parallel, rounds, perRound }: Rounds,
): Promise<{ readonly p50Ms: number; readonly floors: readonly Comparison[] }> {
  const agent = connections(parallel);
  const ofProduct = unmeasured(product);
  const ofFloors = floors.map(unmeasured);
  const all = [ofProduct, ...ofFloors];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Another one goes first in each round.
      const first = round % all.length;
      for (const measured of [...all.slice(first), ...all.slice(0, first)]) {
        const times = await repeat(measured.shot, agent, perRound);
        measured.times.push(...times);
        measured.middles.push(median(times));
      }
    }
  } finally {
    agent.destroy();
  }
  return {
    p50Ms: median(ofProduct.times),
    floors: ofFloors.map(({ times, middles }) => ({
      floorMs: median(times),
      ratio: median(middles.map((middle, round) => (ofProduct.middles[round] ?? 0) / middle)),
    })),
  };
}

type Measured = { readonly shot: Shot; readonly times: number[]; readonly middles: number[] };

const unmeasured = (shot: Shot): Measured => ({ shot, times: [], middles: [] });
