import { undisturbed } from '../engine/machine.ts';
import { startPeer, type RunningPeer } from '../engine/processes.ts';
import { LOOPBACK, load, median, peer } from '../engine/rows.ts';
import { BARE, type Program, type Run, type Work, workOf } from './programs.ts';
import { runProcess, type Usage } from './run-process.ts';

// Many domains, a few to very many at once: each program in turn at the same servers, in processes with and without a past.

export const DOMAINS = 2_000;
/** Where other engines look: they cannot be told of other ports. */
export const PLACE = { smtpPort: 25, dnsPort: 53 } as const;

/** What one program did with the domains of a turn, or the medians of many turns. */
export type Figures = {
  readonly withStart: Usage;
  readonly work: Pick<Work, 'wallMs' | 'cpuMs'>;
  /** The least of both processes. */
  readonly right: number;
  readonly heldAtMost: number;
  /** Each domain was greeted, given a sender and two recipients, as the server says. */
  readonly conversed: boolean;
};

export type Crowd = {
  readonly concurrency: number;
  readonly figures: ReadonlyMap<string, Figures>;
  readonly othersPercent: number | null;
};

/** Medians of some rounds; in each another program begins. */
export async function measureCrowd(
  namespace: string,
  programs: readonly Program[],
  concurrency: number,
  rounds: number,
): Promise<Crowd> {
  const seen = new Map(programs.map(({ name }) => [name, new Array<Figures>()]));
  let othersPercent: number | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const first = round % programs.length;
    const order = [...programs.slice(first), ...programs.slice(0, first)];
    const turn = await undisturbed(() => takeTurn(namespace, order, concurrency));
    order.forEach(({ name }, at) => seen.get(name)?.push(...turn.result.slice(at, at + 1)));
    if (turn.othersPercent !== null) othersPercent = Math.max(othersPercent ?? 0, turn.othersPercent);
  }
  const figures = new Map([...seen].map(([name, all]) => [name, mediansOf(all)]));
  return { concurrency, figures, othersPercent };
}

async function takeTurn(
  namespace: string,
  programs: readonly Program[],
  concurrency: number,
): Promise<readonly Figures[]> {
  const server = await startPeer(namespace, peer(LOOPBACK, PLACE));
  try {
    // Its compiler has to see what it needs as well.
    await runProcess(namespace, BARE.command(load(LOOPBACK, { ...PLACE, domains: DOMAINS, concurrency })));
    await server.ask();
    const all: Figures[] = [];
    for (const program of programs) all.push(await measure(namespace, program, concurrency, server));
    return all;
  } finally {
    await server.stop();
  }
}

async function measure(
  namespace: string,
  program: Program,
  concurrency: number,
  server: RunningPeer,
): Promise<Figures> {
  const run = async ({ command, right }: Run, warmUpDomains: number) => {
    const asked = load(LOOPBACK, { ...PLACE, domains: DOMAINS, concurrency, warmUpDomains });
    const { lines, usage } = await runProcess(namespace, command(asked));
    const served = await server.ask();
    const { EHLO, MAIL, RCPT } = served.commands;
    const domains = DOMAINS + warmUpDomains;
    const conversed = EHLO >= domains && MAIL >= domains && RCPT >= 2 * domains;
    return { usage, lines, served, conversed, right: right(lines) };
  };
  const fresh = await run(program.started, 0);
  const warm = await run(program, program.warmUpDomains);
  return {
    withStart: fresh.usage,
    work: workOf(warm.lines[0] ?? ''),
    right: Math.min(fresh.right, warm.right),
    heldAtMost: fresh.served.heldAtMost,
    conversed: fresh.conversed && warm.conversed,
  };
}

function mediansOf(all: readonly Figures[]): Figures {
  const of = (read: (one: Figures) => number): number => median(all.map(read));
  return {
    withStart: {
      wallMs: of((one) => one.withStart.wallMs),
      cpuMs: of((one) => one.withStart.cpuMs),
      rssMiB: of((one) => one.withStart.rssMiB),
    },
    work: { wallMs: of((one) => one.work.wallMs), cpuMs: of((one) => one.work.cpuMs) },
    right: Math.min(...all.map((one) => one.right)),
    heldAtMost: of((one) => one.heldAtMost),
    conversed: all.every((one) => one.conversed),
  };
}
