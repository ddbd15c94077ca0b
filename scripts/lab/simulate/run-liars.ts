import { runLiar } from './run-liar.ts';
import { LIES } from './lies.ts';

/** Runs these seeds, and prints for each lie the most that was wrong and charged. @returns the exit code */
export async function runLiars(seeds: readonly number[]): Promise<number> {
  const most = new Map(LIES.map(({ name }) => [name, { runs: 0, wrong: 0, lastedS: 0 }]));
  let faults = 0;
  for (const seed of seeds) {
    const { lie, wrong, lastedS, faults: found } = await runLiar(seed);
    const so = most.get(lie);
    if (so !== undefined)
      most.set(lie, {
        runs: so.runs + 1,
        wrong: Math.max(so.wrong, wrong),
        lastedS: Math.max(so.lastedS, lastedS),
      });
    for (const fault of found) process.stdout.write(`FAULT in seed ${seed}: ${fault}\n`);
    faults += found.length;
  }
  for (const [lie, { runs, wrong, lastedS }] of most)
    process.stdout.write(
      `${lie}: ${runs} runs, at most ${wrong} wrong and charged, for at most ${lastedS.toFixed(1)} s\n`,
    );
  return faults === 0 ? 0 : 1;
}
