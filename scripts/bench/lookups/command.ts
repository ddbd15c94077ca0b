import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { LookUpFigures, LookUpLoad } from './client.ts';
import type { NameServerFigures } from './name-server.ts';

const DOMAINS = [100, 1_000, 5_000];
const DELAYS_MS = [0, 20, 100];
const LOOK_UPS_A_DOMAIN = 3;
/** What a look-up may take on top of the server's own time, at the 99th percentile. */
const OVER_SERVER_MS = 10;
const BESIDE = 50;
/** What a row is about: a crowd. A server that answers at once keeps fewer of ours on the wire than may be. */
const HELD_MIN = 60;
/** The bare client never asks again: if an answer of its own is lost it waits for ever. */
const CLIENT_MS_MAX = 60_000;

/** `bench lookups`: many domains looked up at once, beside a bare socket and beside node:dns without a bound. */
export function lookUpsCommand(): Command {
  return new Command('lookups')
    .description(
      `MX and addresses of ${DOMAINS.join(', ')} domains at once: what is lost, and how long each look-up takes`,
    )
    .action(async () => {
      const rows: Row[] = [];
      for (const delayMs of DELAYS_MS)
        for (const domains of DOMAINS)
          for (const client of ['bare', 'rcpt', 'c-ares'] as const)
            rows.push(await measure({ client, domains, beside: client === 'rcpt' ? BESIDE : 0 }, delayMs));
      const [busy = 0] = loadavg();
      process.stdout.write(table(rows));
      process.stdout.write(
        `\nLoad of the machine, last minute: ${busy.toFixed(1)} on ${availableParallelism()} cores.\n`,
      );
      if (rows.some(({ problem }) => problem !== null)) process.exitCode = 1;
    });
}

type Row = {
  readonly load: Omit<LookUpLoad, 'port'>;
  readonly delayMs: number;
  readonly figures: LookUpFigures;
  readonly server: NameServerFigures;
  /** Why the row does not hold; the peer's rows hold whatever they show. */
  readonly problem: string | null;
};

async function measure(load: Omit<LookUpLoad, 'port'>, delayMs: number): Promise<Row> {
  const nameServer = start('name-server.ts', String(delayMs));
  const { port } = /^ready (?<port>\d+)$/.exec(await nameServer.line())?.groups ?? {};
  const client = start('client.ts', JSON.stringify({ ...load, port: Number(port) }));
  const figures: LookUpFigures = JSON.parse(await client.line());
  nameServer.child.stdin?.end();
  const server: NameServerFigures = JSON.parse(await nameServer.line());
  await once(nameServer.child, 'exit');
  return {
    load,
    delayMs,
    figures,
    server,
    problem: load.client === 'c-ares' ? null : problemOf(load, delayMs, figures, server),
  };
}

/** Also fails if the bench did not do what it is about: ask all of it, and as much at once as it may. */
function problemOf(
  { client, domains, beside }: Omit<LookUpLoad, 'port'>,
  delayMs: number,
  { answered, lost, p99Ms, heldMax, besideMs }: LookUpFigures,
  { asked }: NameServerFigures,
): string | null {
  const expected = domains * LOOK_UPS_A_DOMAIN + beside;
  if (answered + lost !== expected || asked < expected) return `only ${asked} of ${expected} were asked`;
  if (heldMax < Math.min(domains, HELD_MIN)) return `only ${heldMax} at once`;
  if (lost > 0) return `${lost} lost`;
  if (client !== 'rcpt') return null;
  if (p99Ms > delayMs + OVER_SERVER_MS) return `p99 over ${delayMs + OVER_SERVER_MS} ms`;
  if (besideMs > 2 * (delayMs + OVER_SERVER_MS)) return 'the other account waited';
  return null;
}

function start(file: string, argument: string): { readonly child: ChildProcess; line(): Promise<string> } {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, argument], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: CLIENT_MS_MAX,
  });
  const lines: Interface = createInterface({ input: child.stdout });
  const iterator = lines[Symbol.asyncIterator]();
  return {
    child,
    line: async () => {
      const { value, done } = await iterator.next();
      if (done === true) throw new Error(`${file} ended without a word`);
      return value;
    },
  };
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

function table(rows: readonly Row[]): string {
  const head = [
    'server answers after, domains',
    'client',
    'lost',
    'p50, p99 on the wire',
    'longest wait for a turn',
    'held at once, seen by the server',
    "another account's slowest",
    'wall, CPU',
    'holds',
  ];
  const lines = rows.map(({ load, delayMs, figures: f, server, problem }) => [
    `${delayMs} ms, ${load.domains}`,
    load.client,
    `${f.lost} of ${f.answered + f.lost}`,
    `${ms(f.p50Ms)}, ${ms(f.p99Ms)}`,
    ms(f.waitedMs),
    `${f.heldMax}, ${server.waitingMax}`,
    load.beside > 0 ? ms(f.besideMs) : '-',
    `${(f.wallMs / 1000).toFixed(2)} s, ${(f.cpuMs / 1000).toFixed(2)} s`,
    load.client === 'c-ares' ? '-' : (problem ?? 'yes'),
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
