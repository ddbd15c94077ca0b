import { endWhenUnread, standardError } from '../../prober/base/closed-pipe.ts';
import { createEngine } from '../../prober/engine/batch.ts';
import type { DrawsFor } from '../../prober/engine/ports/ports.ts';
import { DEFAULTS } from '../../prober/engine/ports/settings.ts';
import { createNodePorts } from '../../prober/node/ports.ts';
import { signalsOf } from '../../prober/signals/signals.ts';
import { standardOutput } from '../base/standard-output.ts';
import type { Arguments } from './arguments.ts';
import { defaultOptions, type ProbeOptions } from './options.ts';
import { runProbe } from './run.ts';
import { createTrace } from './trace.ts';

// The engine alone, from arguments or standard input to JSON lines. `scripts/probe.ts` starts it.

async function probe(options: ProbeOptions): Promise<number> {
  const interruption = new AbortController();
  // A second interrupt meets no listener and ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  const silent = createNodePorts(options);
  const now = (): number => silent.clock.now();
  const trace = options.trace ? createTrace(silent.resolve, now, (line) => standardError().write(line)) : null;
  const ports = trace === null ? silent : { ...silent, resolveFor: () => trace.resolve };
  const settings = {
    ...DEFAULTS,
    egress: options.egress,
    mailFrom: options.mailFrom,
    routes: options.routes,
    // Each batch is one domain.
    lanes: 1,
    onBug: (error: unknown) => console.error('probe: a bug,', error),
    ...(trace === null ? {} : { trace: trace.event }),
  };
  if (options.addresses.length === 0 && process.stdin.isTTY)
    console.error('probe: reading addresses from the terminal, one per line; end with Ctrl-D');
  const engine = createEngine(ports, settings, signalsOf);
  const draws = options.seed === null ? null : await drawsOf(options.seed);
  const code = await runProbe(
    {
      engine,
      now,
      ...(draws !== null && { draws }),
      // Each stream is made when it is used: arguments need no input, and most runs say nothing.
      get input() {
        return process.stdin;
      },
      output: standardOutput(),
      get terminal() {
        return standardError();
      },
      interrupted: interruption.signal,
    },
    options,
  );
  engine.endIdle();
  return code;
}

/** The same with each run. `node:crypto`, which only they need, is a tenth of a start. */
async function drawsOf(seed: string): Promise<DrawsFor> {
  const { weeklyDraws } = await import('../../prober/base/weekly-draws.ts');
  return weeklyDraws({ nowS: 0, seeds: [seed, seed] });
}

/** The grammar of the options is loaded where there is one; the name servers and routes of a service, where one is named. */
async function read(words: readonly string[]): Promise<Arguments> {
  if (!words.some((word) => word.startsWith('-'))) return { kind: 'run', options: defaultOptions(words) };
  const { parseArguments } = await import('./arguments.ts');
  const args = parseArguments(words);
  if (args.kind !== 'run' || args.options.state === null) return args;
  const { state } = args.options;
  const { worldOptions } = await import('../base/world-file.ts');
  const world = await worldOptions(state);
  if (world === null) return { kind: 'refused', message: `--state: no service was started with the folder ${state}` };
  return parseArguments([...world, ...words]);
}

/** `npm run probe`. @param words what follows the program's name */
export async function main(words: readonly string[]): Promise<void> {
  const args = await read(words);
  // The engine's run has its own ways to end.
  if (args.kind !== 'run') endWhenUnread();
  switch (args.kind) {
    case 'help':
      process.stdout.write(args.text);
      break;
    case 'refused':
      console.error(`probe: ${args.message}`);
      process.exitCode = 2;
      break;
    case 'explain': {
      const { explain } = await import('./explain.ts');
      process.stdout.write(explain(args.options));
      break;
    }
    case 'run':
      // Abandoned lookups would keep the process alive for seconds.
      process.exit(await probe(args.options));
  }
}
