import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { startPeer } from '../engine/processes.ts';
import { bulkLines, Tally, type Bulk } from './addresses.ts';
import { runProbeProcess, type MemorySample, type ProbeFigures } from './probe-process.ts';

const IP = '127.0.31.1';
/** Enough addresses, in enough networks, that the pace of any of them holds up nobody. */
const MAIL_NET = '127.0.32.0/21';
const MAIL_IPS = Array.from({ length: 8 * 60 }, (_, i) => `127.0.${32 + (i % 8)}.${1 + Math.floor(i / 8)}`);
const SMTP_PORT = 2527;
const DNS_PORT = 5302;
/**
 * Memory may not grow with the list. V8 takes what it likes before its first full collections, so the first part says
 * nothing: what is compared is the second half, and the whole has a ceiling.
 */
const GROWTH_MAX = 1.15;
const RSS_MIB_MAX = 400;

type Figures = ProbeFigures & { readonly tally: Tally };
type Options = { readonly addresses: number; readonly domains: number; readonly concurrency: number };

/** `bench bulk`: a long list through `npm run probe`, as a process of its own, against servers in another. */
export function bulkCommand(): Command {
  return new Command('bulk')
    .description('a long list from standard input through probe: time, rate, memory over time, nothing lost')
    .option('--addresses <n>', 'how many', whole, 100_000)
    .option('--domains <n>', 'in how many domains', whole, 10_000)
    .option('--concurrency <n>', 'domains at once', whole, 100)
    .action(async (options: Options) => {
      const figures = await measure(options);
      process.stdout.write(table(options, figures));
      if (!holds(options, figures)) process.exitCode = 1;
    });
}

async function measure({ addresses, domains, concurrency }: Options): Promise<Figures> {
  const bulk: Bulk = { addresses, domains };
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-bulk-'));
  const file = join(folder, 'addresses');
  const peer = await startPeer(null, {
    ip: IP,
    mailIps: MAIL_IPS,
    smtpPort: SMTP_PORT,
    dnsPort: DNS_PORT,
    mode: 'exists',
    pipelining: true,
    software: 'Postfix',
  });
  try {
    await writeFile(file, `${bulkLines(bulk).join('\n')}\n`);
    const world = ['--dns', `${IP}:${DNS_PORT}`, '--route', `${MAIL_NET}=${SMTP_PORT}`];
    const self = ['--egress', 'default=probe.bench.test', '--mail-from', 'probe@bench.test'];
    const tally = new Tally(bulk);
    const args = [...world, ...self, '--concurrency', String(concurrency)];
    return { ...(await runProbeProcess(args, file, tally)), tally };
  } finally {
    await peer.stop();
    await rm(folder, { recursive: true });
  }
}

/** Median of the samples between two shares of the list. */
function memoryAt(samples: readonly MemorySample[], total: number, from: number, to: number): number {
  const within = samples
    .filter(({ done, rssMiB }) => rssMiB > 0 && done >= from * total && done <= to * total)
    .map(({ rssMiB }) => rssMiB)
    .toSorted((a, b) => a - b);
  return within[within.length >> 1] ?? Number.NaN;
}

/** Resident memory in the last tenth by that around an earlier share of the list. */
function growthFrom(share: number, { samples }: ProbeFigures, total: number): number {
  return memoryAt(samples, total, 0.9, 1) / memoryAt(samples, total, share - 0.05, share + 0.05);
}

function peakOf({ samples }: ProbeFigures): number {
  return Math.max(...samples.map(({ rssMiB }) => rssMiB));
}

function holds({ addresses }: Options, figures: Figures): boolean {
  const { code, tally } = figures;
  const complete = tally.done === addresses && tally.repeated === 0 && tally.strange === 0;
  const flat = growthFrom(0.5, figures, addresses) <= GROWTH_MAX && peakOf(figures) <= RSS_MIB_MAX;
  return code === 0 && complete && flat;
}

function table(options: Options, figures: Figures): string {
  const { addresses, domains, concurrency } = options;
  const { wallMs, cpuMs, samples, tally, statuses, code } = figures;
  const perSecond = addresses / (wallMs / 1_000);
  const memory = [0.1, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    return `${share * 100} %: ${memoryAt(samples, addresses, share - 0.05, share).toFixed(0)}`;
  });
  const rows: ReadonlyArray<readonly [string, string]> = [
    [`${addresses} addresses in ${domains} domains, ${concurrency} at once`, `${(wallMs / 1_000).toFixed(1)} s`],
    ['addresses a second', perSecond.toFixed(0)],
    [
      'CPU time of probe',
      `${(cpuMs / 1_000).toFixed(1)} s, ${((addresses / cpuMs) * 1_000).toFixed(0)} a second of it`,
    ],
    ['memory, MiB', `${memory.join(', ')}; at most ${peakOf(figures).toFixed(0)} (bound ${RSS_MIB_MAX})`],
    ['memory at the end / at 20 %', growthFrom(0.2, figures, addresses).toFixed(2)],
    ['memory at the end / at 50 %', `${growthFrom(0.5, figures, addresses).toFixed(2)} (bound ${GROWTH_MAX})`],
    ['results', `${tally.done} once, ${tally.repeated} again, ${tally.strange} strange, exit code ${code}`],
    ['statuses', JSON.stringify(statuses)],
    ['holds', holds(options, figures) ? 'yes' : 'NO'],
  ];
  return ['| what | measured |', '|---|---|', ...rows.map(([what, value]) => `| ${what} | ${value} |`), ''].join('\n');
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1.');
  return Number(text);
}
