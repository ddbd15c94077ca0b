import { fileURLToPath } from 'node:url';
import type { Load, LoadFigures } from '../engine/load.ts';

/** A process that does a load and prints what `LoadFigures` has of it, as its last argument says. */
export type Program = {
  readonly name: string;
  readonly command: (load: Load) => readonly string[];
  /** Of its outcomes the one that is right here. */
  readonly right: string;
  /** Asked first and not counted, by a process that is measured without its start. */
  readonly warmUpDomains: number;
};

/** As in `engine`: until Node's compiler has seen what it needs. */
const WARM_UP_DOMAINS = 12_000;
/** What is compiled ahead has its memory and its sockets to warm up. */
const COMPILED_WARM_UP_DOMAINS = 2_000;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function onNode(file: string): Program['command'] {
  return (load) => [process.execPath, path(file), JSON.stringify(load)];
}

/** The engine with its real ports, as a probe host has it. */
export const RCPT: Program = {
  name: 'rcpt',
  command: onNode('../engine/engine-client.ts'),
  right: 'accepted',
  warmUpDomains: WARM_UP_DOMAINS,
};

/** The floor: the same bytes over `node:net` and nothing else. */
export const BARE: Program = {
  name: 'bare client',
  command: onNode('../engine/bare-client.ts'),
  right: 'done',
  warmUpDomains: WARM_UP_DOMAINS,
};

/** Another engine, as one of `RECIPES` built it. */
export function peerProgram(name: string, program: string): Program {
  const command = (load: Load): readonly string[] => [program, JSON.stringify(load)];
  return { name, command, right: 'accepted', warmUpDomains: COMPILED_WARM_UP_DOMAINS };
}

/** `npm run probe` for one address, which takes arguments of its own and answers with a result. */
export function probeCommand({ ip, dnsPort, smtpPort }: Load): readonly string[] {
  const places = ['--dns', `${ip}:${dnsPort}`, '--route', `${ip}/32=${smtpPort}`];
  return [process.execPath, path('../../probe.ts'), ...places, 'u0@d0.test'];
}

/** What a program says about its work, its start left out. */
export type Work = Pick<LoadFigures, 'wallMs' | 'cpuMs' | 'outcomes'>;
