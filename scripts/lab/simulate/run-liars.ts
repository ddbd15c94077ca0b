import { type Lied, runLiar } from './run-liar.ts';
import { LIES } from './lies.ts';

/** Runs these seeds, and prints for each lie the most that was wrong and charged. @returns the exit code */
export async function runLiars(seeds: readonly number[]): Promise<number> {
  const runs: Lied[] = [];
  for (const seed of seeds) {
    const run = await runLiar(seed);
    runs.push(run);
    for (const fault of run.faults) process.stdout.write(`FAULT in seed ${seed}: ${fault}\n`);
  }
  for (const { name } of LIES) {
    const those = runs.filter(({ lie }) => lie === name);
    if (those.length === 0) continue;
    const most = (of: (run: Lied) => number): number => Math.max(...those.map(of));
    const outS = most(({ outAfterS }) => outAfterS ?? Infinity);
    const out = outS === Infinity ? 'in at least one run never out' : `out after at most ${outS.toFixed(1)} s`;
    process.stdout.write(
      `${name}: ${those.length} runs, at most ${most(({ wrong }) => wrong)} wrong and charged, ${most(({ free }) => free)} free, ${out}\n`,
    );
  }
  const twice = runs.reduce((sum, { askedTwice }) => sum + askedTwice, 0) / runs.length;
  process.stdout.write(`${(100 * twice).toFixed(2)} % of the addresses were asked about twice before anybody lied\n`);
  return runs.every(({ faults }) => faults.length === 0) ? 0 : 1;
}
