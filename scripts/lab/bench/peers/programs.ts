import { fileURLToPath } from 'node:url';
import type { Load, LoadFigures } from '../engine/load.ts';

/** A process that does a load, and how many of the domains came out right, from the lines that it prints. */
export type Run = {
  readonly command: (load: Load) => readonly string[];
  readonly right: (lines: readonly string[]) => number;
};

export type Program = Run & {
  readonly name: string;
  /** As a user starts it, if that is another one. */
  readonly started?: Run;
  /** Asked first and not counted, by a process that is measured without its start. */
  readonly warmUpDomains: number;
};

/** As in `engine`: until Node's compiler has seen what it needs. */
const WARM_UP_DOMAINS = 12_000;
/** What is compiled ahead has its memory and its sockets to warm up. */
const COMPILED_WARM_UP_DOMAINS = 2_000;

/** As `npm run probe` has it: the memory of a process of seconds is its own user's. A host collects less often. */
const YOUNG = '--max-semi-space-size=4';
/** As `npm run probe` has it: compilers in threads of their own took 16 to 25 MiB, and saved a run of seconds no time. */
const ONE_COMPILER = '--no-concurrent-recompilation';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Prints what `LoadFigures` has, as its last argument says. @param outcome which of its outcomes is the right one */
function runOf(program: readonly string[], outcome: string): Run {
  return {
    command: (load) => [...program, JSON.stringify(load)],
    right: ([line = '']) => workOf(line).outcomes[outcome] ?? 0,
  };
}

/** `npm run probe`, which takes arguments of its own and answers with a result a line. */
const PROBE: Run = {
  command: ({ ip, mailNet, dnsPort, smtpPort, domains, concurrency }) => {
    const places = ['--dns', `${ip}:${dnsPort}`, '--route', `${mailNet}=${smtpPort}`];
    const addresses = Array.from({ length: domains }, (_, i) => `u0@d${i}.test`);
    const probe = [process.execPath, YOUNG, ONE_COMPILER, path('../../../probe.ts'), ...places];
    return [...probe, '--concurrency', String(concurrency), ...addresses];
  },
  right: (lines) => lines.filter((line) => line.includes('"deliverable"')).length,
};

/** The engine with its real ports, as a probe host has it; started, `npm run probe`. */
export const RCPT: Program = {
  name: 'rcpt',
  ...runOf([process.execPath, path('../engine/engine-client.ts')], 'accepted'),
  started: PROBE,
  warmUpDomains: WARM_UP_DOMAINS,
};

/** The floor: the same bytes over `node:net` and nothing else. */
export const BARE: Program = {
  name: 'bare client',
  ...runOf([process.execPath, path('../engine/bare-client.ts')], 'done'),
  warmUpDomains: WARM_UP_DOMAINS,
};

/** Another engine, as one of `RECIPES` built it. */
export function peerProgram(name: string, program: string): Program {
  return { name, ...runOf([program], 'accepted'), warmUpDomains: COMPILED_WARM_UP_DOMAINS };
}

/** What a program says about its work, its start left out. */
export type Work = Pick<LoadFigures, 'wallMs' | 'cpuMs' | 'outcomes'>;

export function workOf(line: string): Work {
  const work: Work = JSON.parse(line);
  return work;
}
