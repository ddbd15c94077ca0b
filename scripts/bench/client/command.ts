import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../command-line.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { callerOf, type Caller } from '../../testing/caller.ts';
import { newStateFolder, startRunningService } from '../../testing/running-service.ts';
import { runProbeProcess, type ProbeFigures } from '../bulk/probe-process.ts';
import { addresses, Ticks } from './addresses.ts';
import type { Who } from './callers.ts';
import { runCaller, type CallerFigures } from './run-caller.ts';

/** Of the bare caller's rate. */
const RATE_MIN = 0.8;
/** What is live at the end by what is at 20 % of the list. */
const GROWTH_MAX = 1.15;
/** Of the client's process. */
const RSS_MIB_MAX = 400;
/** At 20 % of a shorter list the client has not yet read as far ahead as it does. */
const TELLS_GROWTH = 50_000;
const WARM_UP = 2_000;
/** No limit may be what is measured: not the key's and not the account's. */
const VARIABLES = ['--var', 'RATE_LIMIT=1000000', '--var', 'MAX_IN_FLIGHT=0'];
const SETTLES_WITHIN_MS = 15_000;
const POLL_MS = 250;

type Options = { readonly addresses: number; readonly inFlight: number; readonly rounds: number };
const WHO = ['bare', 'bareInOrder', 'client'] as const;
/** One caller's run, with what the ledger says that it cost. */
type Run = CallerFigures & { readonly cost: number };
type Probed = ProbeFigures & { readonly ticks: Ticks };
type Figures = { readonly runs: Readonly<Record<Who, readonly Run[]>>; readonly probe: Probed };

/** `bench client`: a long list through the client, beside a bare caller and the engine alone. */
export function clientCommand(): Command {
  return new Command('client')
    .description('a long list of the sandbox world through the client, beside a bare caller and the engine alone')
    .option('--addresses <n>', 'how many', wholeNumber(1, 1_000_000), 100_000)
    .option('--in-flight <n>', 'requests at once, of both callers', wholeNumber(1, 32), 4)
    .option('--rounds <n>', 'how often, in turns', wholeNumber(1, 10), 2)
    .action(async (options: Options) => {
      const figures = await measure(options);
      const rows = rowsOf(options, figures);
      process.stdout.write(table(rows));
      if (rows.some(({ holds }) => holds === false)) process.exitCode = 1;
    });
}

async function measure({ addresses: count, inFlight, rounds }: Options): Promise<Figures> {
  const state = await newStateFolder();
  const service = await startRunningService(state, VARIABLES);
  try {
    const { url, apiKey, accountId } = service.ready;
    const caller = await callerOf(service.ready);
    await caller.operator.grant(accountId, 'grant_bench', 3 * rounds * count + WARM_UP);
    const run = (who: Who, asked: number): Promise<Run> =>
      withCost(caller, () => runCaller({ who, task: { url, apiKey, count: asked, inFlight } }));
    await run('bare', WARM_UP);
    const runs: Record<Who, Run[]> = { bare: [], bareInOrder: [], client: [] };
    for (let round = 0; round < rounds; round += 1) for (const who of WHO) runs[who].push(await run(who, count));
    return { runs, probe: await probe(count) };
  } finally {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  }
}

/** What a run took out of the account, once everything is settled. */
async function withCost(caller: Caller, run: () => Promise<CallerFigures>): Promise<Run> {
  const before = await caller.credits();
  const figures = await run();
  const untilMs = performance.now() + SETTLES_WITHIN_MS;
  for (;;) {
    const cost = before - (await caller.credits());
    if (cost === figures.charged || performance.now() > untilMs) return { ...figures, cost };
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}

/** The same list through the engine alone, in a sandbox of the same world. */
async function probe(count: number): Promise<Probed> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  const file = join(folder, 'addresses');
  const sandbox = await startSandbox();
  try {
    await writeFile(file, `${[...addresses(count)].join('\n')}\n`);
    const stubs = sandbox.stubs.flatMap((stub) => ['--stub', stub]);
    const routes = sandbox.routes.flatMap((route) => ['--route', route]);
    const ticks = new Ticks(count);
    return { ...(await runProbeProcess([...stubs, ...routes], file, ticks)), ticks };
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

type Row = { readonly what: string; readonly measured: string; readonly bound: string; readonly holds: boolean | null };

function rowsOf({ addresses: count, inFlight }: Options, { runs, probe: probed }: Figures): readonly Row[] {
  const { bare, bareInOrder, client } = runs;
  const all = [...bare, ...bareInOrder, ...client];
  const ratio = rateOf(client, count) / Math.max(rateOf(bare, count), rateOf(bareInOrder, count));
  const samples = client.at(-1)?.samples ?? [];
  const live = samples.map(({ liveMiB }) => liveMiB);
  const rss = samples.map(({ rssMiB }) => rssMiB);
  const growth = (live.at(-1) ?? Number.NaN) / (live[1] ?? Number.NaN);
  const isTold = count >= TELLS_GROWTH;
  return [
    {
      what: `bare caller, ${inFlight} requests at once, the list as it comes`,
      measured: told(bare, count),
      bound: '',
      holds: null,
    },
    { what: 'bare caller, the list in order of domains', measured: told(bareInOrder, count), bound: '', holds: null },
    { what: 'client, the list as it comes', measured: told(client, count), bound: '', holds: null },
    {
      what: 'client by the faster bare caller',
      measured: `${(ratio * 100).toFixed(0)} %`,
      bound: `at least ${RATE_MIN * 100} %`,
      holds: ratio >= RATE_MIN,
    },
    {
      what: 'the engine alone (probe)',
      measured: `${(count / (probed.wallMs / 1_000)).toFixed(0)} a second`,
      bound: 'each once',
      holds: isComplete(probed.ticks, count) && probed.code === 0,
    },
    {
      what: 'results of every run: once/again/strange',
      measured: all.map(({ once, repeated, strange }) => `${once}/${repeated}/${strange}`).join(', '),
      bound: 'each once',
      holds: all.every((run) => isComplete(run, count)),
    },
    {
      what: 'bills, and what the ledger took',
      measured: all.map(({ charged, cost }) => `${charged} = ${cost}`).join(', '),
      bound: 'the same, a credit for each address',
      holds: all.every(({ charged, returned, cost }) => cost === charged && charged + returned === count),
    },
    {
      what: 'resident memory of the client at each tenth of the list, MiB',
      measured: rss.map((mib) => mib.toFixed(0)).join(' '),
      bound: `at most ${RSS_MIB_MAX}`,
      holds: Math.max(...rss) <= RSS_MIB_MAX,
    },
    {
      what: 'of it live, after a full collection',
      measured: live.map((mib) => mib.toFixed(1)).join(' '),
      bound: '',
      holds: null,
    },
    {
      what: 'live, the end by 20 %',
      measured: growth.toFixed(2),
      bound: isTold ? `at most ${GROWTH_MAX}` : `not told by less than ${TELLS_GROWTH} addresses`,
      holds: isTold ? growth <= GROWTH_MAX : null,
    },
  ];
}

function isComplete({ once, repeated, strange }: Pick<Ticks, 'once' | 'repeated' | 'strange'>, count: number): boolean {
  return once === count && repeated === 0 && strange === 0;
}

/** Addresses a second over all rounds. */
function rateOf(runs: readonly Run[], count: number): number {
  return (runs.length * count) / (runs.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1_000);
}

function told(runs: readonly Run[], count: number): string {
  const each = runs.map(({ wallMs }) => `${(wallMs / 1_000).toFixed(1)} s`).join(', ');
  const cpuMs = runs.reduce((sum, run) => sum + run.cpuMs, 0) / runs.length;
  return `${rateOf(runs, count).toFixed(0)} a second (${each}); ${(cpuMs / 1_000).toFixed(1)} s of CPU`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, bound, holds }) => {
    return `| ${what} | ${measured} | ${bound} | ${holds === null ? '' : holds ? 'yes' : 'NO'} |`;
  });
  return ['| what | measured | bound | holds |', '|---|---|---|---|', ...lines, ''].join('\n');
}
