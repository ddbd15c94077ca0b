import { readArguments } from './mutants/arguments.ts';
import { JUDGED } from './mutants/judged.ts';
import { describeReport, reportOn } from './mutants/report.ts';
import { sample } from './mutants/sample.ts';
import { tasksFor, tryMutants } from './mutants/try-mutants.ts';
import { readTree } from './mutants/work-copy.ts';

// `npm run -s mutants`: which small bugs in a folder would no test see?

const root = process.cwd();
const tree = await readTree(root);
const args = readArguments(process.argv.slice(2), tree.files);
if (args.kind === 'refused') {
  console.error(`mutants: ${args.message}`);
  process.exitCode = 2;
} else if (args.kind === 'help') {
  process.stdout.write(args.text);
} else {
  const { files, max, seed, json, atLeast, workers } = args.options;
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interruption.abort(new Error(`ended by ${signal}`)));
  const all = tasksFor(tree, files);
  const tasks = sample(all, max, seed);
  if (tasks.length < all.length) console.error(`mutants: ${tasks.length} of ${all.length}, seed ${seed}`);
  const tried = await tryMutants(tree, tasks, {
    workers,
    tell: (line) => console.error(`mutants: ${line}`),
    signal: interruption.signal,
  });
  const report = reportOn(tried, JUDGED, tasks.length === all.length);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : describeReport(report));
  process.exitCode = report.total.percent < atLeast ? 1 : 0;
}
