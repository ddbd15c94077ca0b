import { median } from '../table/table.ts';
import { connections, repeat, type Shot } from './caller.ts';

export type Comparison = {
  /** Middle of all times of each, in milliseconds. */
  readonly p50Ms: number;
  readonly floorMs: number;
  /** Middle of the rounds' own ratios: the machine's moods hit both halves of a round. */
  readonly ratio: number;
};

export type Rounds = { readonly parallel: number; readonly rounds: number; readonly perRound: number };

const WARM_UP = 1_500;
const WARM_UP_PARALLEL = 8;

/** Measures two requests in turns, once both have been sent often enough that their code is compiled. */
export async function compare(product: Shot, floor: Shot, { parallel, rounds, perRound }: Rounds): Promise<Comparison> {
  const agent = connections(parallel);
  const few = connections(WARM_UP_PARALLEL);
  try {
    for (const shot of [floor, product]) await repeat(shot, few, WARM_UP);
    const [all, allFloor, ratios]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      // Each goes first in every other round.
      const [first, second] = round % 2 === 0 ? [floor, product] : [product, floor];
      const times = [await repeat(first, agent, perRound), await repeat(second, agent, perRound)] as const;
      const [ofFloor, ofProduct] = round % 2 === 0 ? times : [times[1], times[0]];
      all.push(...ofProduct);
      allFloor.push(...ofFloor);
      ratios.push(median(ofProduct) / median(ofFloor));
    }
    return { p50Ms: median(all), floorMs: median(allFloor), ratio: median(ratios) };
  } finally {
    few.destroy();
    agent.destroy();
  }
}
