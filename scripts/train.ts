import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { SURE_OF } from '../prober/engine/meaning/model/second-opinion.ts';
import { readLabelled } from './replies/labelled.ts';
import { casesOfLabelled, ownCases } from './train/corpus.ts';
import { judgeAlone, judgeSureness, leaveFamiliesOut } from './train/left-out.ts';
import { train } from './train/regression.ts';

// `npm run -s train -- [FILE…]`: the second opinion's weights, from the replies in the tests and labelled ones in files.

const WEIGHTS = join(import.meta.dirname, '../prober/engine/meaning/model/weights.json');
const STEPS = [0.5, 0.8, 0.9, 0.95, 0.98] as const;

await new Command('npm run -s train --')
  .description('Trains the model that gives a second opinion on refusals, and says how far it can be trusted')
  .argument('[file...]', 'labelled replies, one JSON object a line, besides those of the tests')
  .option('--out <file>', 'where the weights go', WEIGHTS)
  .action(async (files: string[], { out }: { out: string }, command: Command) => {
    const labelled = await Promise.all(files.map(readLabelled)).catch((cause: unknown) =>
      command.error(`error: ${cause instanceof Error ? cause.message : String(cause)}`, { exitCode: 2 }),
    );
    const cases = [...ownCases(), ...casesOfLabelled(labelled.flat())];
    const leftOut = leaveFamiliesOut(cases, files.length === 0 ? [] : ['this project']);
    const sureness = judgeSureness(leftOut, STEPS);
    const alone = judgeAlone(leftOut);
    const chosen = judgeSureness(leftOut, [SURE_OF.no_such_mailbox])[0];
    const figures = {
      replies: cases.length,
      families: new Set(cases.map(({ family }) => family)).size,
      leftOutReplies: leftOut.length,
      leftOutLenient: round(alone.lenient),
      leftOutFalseDead: alone.falseDead,
      deadSureness: SURE_OF.no_such_mailbox,
      leftOutSaidDead: chosen?.said ?? 0,
      leftOutSaidDeadWrongly: chosen?.wrong ?? 0,
    };
    await writeFile(out, `${JSON.stringify({ ...train(cases), figures }, null, 2)}\n`);
    process.stdout.write(
      [
        `trained on ${figures.replies} replies of ${figures.families} families`,
        `alone, on ${figures.leftOutReplies} replies of families left out: ${(alone.lenient * 100).toFixed(1)} % lenient, ${alone.falseDead} wrongly dead`,
        ...sureness.map(
          ({ surerThan, said, wrong }) => `dead, surer than ${surerThan}: said ${said} times, ${wrong} times wrongly`,
        ),
        '',
      ].join('\n'),
    );
  })
  .parseAsync();

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
