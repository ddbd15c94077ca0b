import { bareClient } from './bare-client.ts';
import { cAresClient } from './c-ares-client.ts';
import { rcptClient } from './rcpt-client.ts';

// One client of the look-up bench, alone in its process: the MX of each domain, then the A and AAAA of its MX host, all
// domains at once.
//
// Usage: node client.ts JSON, see LookUpLoad. Prints LookUpFigures as JSON.

export type LookUpLoad = {
  readonly client: 'bare' | 'rcpt' | 'c-ares';
  readonly port: number;
  readonly domains: number;
  /** Domains of a second account, one after another, while the others are under way. */
  readonly beside: number;
};

export type LookUpFigures = {
  readonly answered: number;
  readonly lost: number;
  /** Milliseconds from the question on the wire to its answer; without the waiting for a turn. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The longest that a look-up waited for its turn. */
  readonly waitedMs: number;
  /** Most look-ups on the wire at one moment. */
  readonly heldMax: number;
  /** The slowest look-up of the second account, its waiting included; 0 without one. */
  readonly besideMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
};

/** Asks one question. @returns whether there was an answer */
export type Ask = (name: string, type: 'MX' | 'A' | 'AAAA', account: number) => Promise<boolean>;

export type Client = {
  readonly ask: Ask;
  /** Of each look-up: milliseconds on the wire and, before, waiting. */
  readonly wireMs: number[];
  readonly waitedMs: number[];
  heldMax: number;
};

const CLIENTS = { bare: bareClient, rcpt: rcptClient, 'c-ares': cAresClient } as const;

const load: LookUpLoad = JSON.parse(process.argv[2] ?? '');
const client = await CLIENTS[load.client](load.port);
let answered = 0;
let lost = 0;
let besideMs = 0;

async function lookUpDomain(domain: string, account: number): Promise<void> {
  count(await client.ask(domain, 'MX', account));
  const [a, aaaa] = await Promise.all([
    client.ask(`mx.${domain}`, 'A', account),
    client.ask(`mx.${domain}`, 'AAAA', account),
  ]);
  count(a);
  count(aaaa);
}

function count(wasAnswered: boolean): void {
  if (wasAnswered) answered += 1;
  else lost += 1;
}

async function besideThem(): Promise<void> {
  for (let i = 0; i < load.beside; i += 1) {
    const startedMs = performance.now();
    count(await client.ask(`beside${i}.test`, 'MX', 1));
    besideMs = Math.max(besideMs, performance.now() - startedMs);
  }
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;

const cpu = process.cpuUsage();
const startedMs = performance.now();
await Promise.all([
  ...Array.from({ length: load.domains }, (_, i) => lookUpDomain(`d${i}.test`, 0)),
  // After the crowd: that is who it must not wait for.
  besideThem(),
]);
const wallMs = performance.now() - startedMs;
const used = process.cpuUsage(cpu);
const wire = client.wireMs.toSorted((x, y) => x - y);
const figures: LookUpFigures = {
  answered,
  lost,
  p50Ms: at(wire, 0.5),
  p99Ms: at(wire, 0.99),
  waitedMs: client.waitedMs.reduce((longest, ms) => Math.max(longest, ms), 0),
  heldMax: client.heldMax,
  besideMs,
  wallMs,
  cpuMs: (used.user + used.system) / 1000,
};
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
