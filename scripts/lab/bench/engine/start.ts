import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildProber } from '../../../deploy/build-prober.ts';
import { undisturbed } from './machine.ts';
import { LOOPBACK, MAIL_NET, median, ms, peer, type Row, withPeer } from './rows.ts';

// What it takes to verify one address with a process of its own, and what a host has to fetch.

const PROBE = fileURLToPath(new URL('../../../probe.ts', import.meta.url));
const RUNS = 7;
const CPU_MS_MAX = 150;
const RSS_MIB_MAX = 60;
const ARTEFACT_BYTES_MAX = 20_000_000;

/** Has a process say at its end what it took: processor time with that of its threads, and the most memory it held (Linux). */
const TELL = `import { readFileSync } from 'node:fs';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const [, kiB] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'));
  process.stderr.write(JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMiB: kiB / 1024 }));
});`;

type Cost = { readonly cpuMs: number; readonly rssMiB: number };

/** Runs Node once. @returns what it took, and its standard output */
async function run(args: readonly string[], cache: string): Promise<Cost & { readonly output: string }> {
  const tell = `--import=data:text/javascript,${encodeURIComponent(TELL)}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [tell, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  const cost: Cost = JSON.parse(stderr.slice(stderr.lastIndexOf('{')));
  return { ...cost, output: stdout };
}

async function runs(args: readonly string[], cache: string): Promise<readonly (Cost & { readonly output: string })[]> {
  // The first one fills the compile cache, which `npm run probe` keeps.
  await run(args, cache);
  const all = [];
  for (let i = 0; i < RUNS; i += 1) all.push(await run(args, cache));
  return all;
}

/** One accepted address and its made-up mailbox, the process's own start included. */
export async function start(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rcpt-start-'));
  try {
    const options = peer(LOOPBACK, {});
    const dns = `${options.ip}:${options.dnsPort}`;
    const args = [PROBE, '--dns', dns, '--route', `${MAIL_NET}=${options.smtpPort}`, 'u1@d1.test'];
    const { result, othersPercent } = await withPeer(null, options, async () => ({
      probe: await runs(args, folder),
      node: await runs(['--eval', ''], folder),
    }));
    const cpuMs = median(result.probe.map((one) => one.cpuMs));
    const rssMiB = median(result.probe.map((one) => one.rssMiB));
    const deliverable = result.probe.filter(({ output }) => output.includes('"deliverable"')).length;
    return [
      {
        what: '`probe` for one address: CPU time and memory of the whole process',
        measured: `${ms(cpuMs)}, ${rssMiB.toFixed(0)} MiB, ${deliverable} of ${RUNS} right`,
        floor: `Node alone ${ms(median(result.node.map((one) => one.cpuMs)))}, ${median(result.node.map((one) => one.rssMiB)).toFixed(0)} MiB`,
        bound: `all right, ${ms(CPU_MS_MAX)}, ${RSS_MIB_MAX} MiB`,
        holds: deliverable === RUNS && cpuMs <= CPU_MS_MAX && rssMiB <= RSS_MIB_MAX,
        othersPercent,
      },
      await artefact(join(folder, 'artefact')),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const megabytes = (size: number): string => `${(size / 1e6).toFixed(1)} MB`;

async function artefact(folder: string): Promise<Row> {
  const { result: bundleBytes, othersPercent } = await undisturbed(() => buildProber(folder));
  const files = readdirSync(folder).filter((name) => name !== 'node');
  const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return {
    what: 'what a host is given, without Node',
    measured: `${megabytes(bytes)} in ${files.length} files`,
    floor: `its bundle ${megabytes(bundleBytes)}`,
    bound: megabytes(ARTEFACT_BYTES_MAX),
    holds: bundleBytes > 0 && bytes <= ARTEFACT_BYTES_MAX,
    othersPercent,
  };
}
