import { type Options, readArguments } from './mutants/arguments.ts';
import { readJudged } from './mutants/judged.ts';
import { describeReport, reportOn } from './mutants/report.ts';
import { sample } from './mutants/sample.ts';
import { tasksFor, tryMutants } from './mutants/try-mutants.ts';
import { readTree, type Tree } from './mutants/work-copy.ts';

// `npm run -s mutants`: which small bugs in a folder would no test see?

function tell(line: string): void {
  console.error(`mutants: ${line}`);
}

async function run({ files, max, seed, json, atLeast, workers, projects }: Options, tree: Tree): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interruption.abort(new Error(`ended by ${signal}`)));
  const all = tasksFor(tree, files);
  const tasks = sample(all, max, seed);
  if (tasks.length < all.length) tell(`${tasks.length} of ${all.length}, --seed ${seed}`);
  const tried = await tryMutants(tree, tasks, { workers, projects, tell, signal: interruption.signal });
  const report = reportOn(tried, await readJudged(), tasks.length === all.length);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : describeReport(report));
  return report.total.percent < atLeast ? 1 : 0;
}

const tree = await readTree(process.cwd());
const args = readArguments(process.argv.slice(2), tree.files);
switch (args.kind) {
  case 'help':
    process.stdout.write(args.text);
    break;
  case 'refused':
    tell(args.message);
    process.exitCode = 2;
    break;
  case 'run':
    process.exitCode = await run(args.options, tree).catch((error: unknown) => {
      tell(error instanceof Error ? error.message : String(error));
      return 1;
    });
}
