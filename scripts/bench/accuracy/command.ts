import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { readLabelled } from '../../replies/labelled.ts';
import { judgeAll } from './judgements.ts';
import { accuracyReport } from './report.ts';

/** `bench accuracy FILE…`: how well replies are read, as a document. Exit code 2 on bad input. */
export function accuracyCommand(): Command {
  return new Command('accuracy')
    .description(
      'Judges labelled replies by the rules, by the model and by both, families left out, and writes a report',
    )
    .argument('<file...>', 'JSON lines with raw, stage, expected, also, source and lang')
    .option('--out <file>', 'where the report goes; standard output where nothing is said')
    .option('--date <date>', 'the date it bears', new Date().toISOString().slice(0, 10))
    .action(async (files: string[], { out, date }: { out?: string; date: string }, command: Command) => {
      const labelled = await Promise.all(files.map(readLabelled)).catch((cause: unknown) =>
        command.error(`error: ${cause instanceof Error ? cause.message : String(cause)}`, { exitCode: 2 }),
      );
      const report = accuracyReport(judgeAll(labelled.flat()), date);
      if (out === undefined) process.stdout.write(report);
      else await writeFile(out, report);
    });
}
