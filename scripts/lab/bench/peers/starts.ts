import { undisturbed } from '../engine/machine.ts';
import { startPeer } from '../engine/processes.ts';
import { LOOPBACK, load, median, peer } from '../engine/rows.ts';
import { PLACE } from './crowd.ts';
import { type Program, RCPT, type Run } from './programs.ts';
import { runProcess, type Usage } from './run-process.ts';

// One address with a process of its own: what is paid for starting.

export const RUNS = 9;

/** Medians of the runs of one program. */
export type Start = { readonly name: string; readonly usage: Usage; readonly right: number };
export type Starts = { readonly starts: readonly Start[]; readonly othersPercent: number | null };

type Starter = { readonly name: string; readonly run: Run };

export async function measureStarts(namespace: string, programs: readonly Program[]): Promise<Starts> {
  const starters = programs.map(({ name, started }) => ({ name, run: started }));
  const { result, othersPercent } = await undisturbed(async () => {
    const server = await startPeer(namespace, peer(LOOPBACK, PLACE));
    try {
      return await takeTurns(namespace, starters);
    } finally {
      await server.stop();
    }
  });
  return { starts: result, othersPercent };
}

/** Whether rcpt was right each time, whatever others were. */
export function startsAreRight({ starts }: Starts): boolean {
  return starts.find(({ name }) => name === RCPT.name)?.right === RUNS;
}

async function takeTurns(namespace: string, starters: readonly Starter[]): Promise<readonly Start[]> {
  const all = starters.map(({ name }) => ({ name, usages: new Array<Usage>(), right: 0 }));
  // The first turn fills caches, of compiled code too.
  for (let turn = 0; turn <= RUNS; turn += 1) {
    for (const [at, { run }] of starters.entries()) {
      const { lines, usage } = await runProcess(namespace, run.command(load(LOOPBACK, PLACE)));
      const one = all[at];
      if (one === undefined || turn === 0) continue;
      one.usages.push(usage);
      one.right += run.right(lines);
    }
  }
  return all.map(({ name, usages, right }) => ({ name, right, usage: mediansOf(usages) }));
}

function mediansOf(usages: readonly Usage[]): Usage {
  return {
    wallMs: median(usages.map(({ wallMs }) => wallMs)),
    cpuMs: median(usages.map(({ cpuMs }) => cpuMs)),
    rssMiB: median(usages.map(({ rssMiB }) => rssMiB)),
  };
}
