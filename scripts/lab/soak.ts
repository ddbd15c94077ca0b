import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { wholeNumber } from '../base/command-line.ts';
import { adminApi } from '../admin/connection/api.ts';
import { readOperatorKey } from '../admin/connection/operator-key.ts';
import { parseArguments } from '../local/arguments.ts';
import { freePort } from '../local/port.ts';
import { startService } from '../local/service.ts';
import { childrenRunning } from '../local/child-processes.ts';
import { collectGarbage } from './soak/collect-garbage.ts';
import { startPacedLoad } from './soak/load.ts';
import { bytesBelow, lookAt } from './soak/processes.ts';
import { type Point, slopeOf } from './soak/slope.ts';

// npm run soak: whether anything grows under a steady load. Exit code 1 if memory, descriptors or latency do.

/** What caches and compilers fill at first is no leak. */
const WARM_UP_SHARE = 0.25;
/** What levels off grows less in its last third. */
const LATE_SHARE = 2 / 3;
const SAMPLES = 60;
const CREDITS = 100_000_000;

type Series = { readonly name: string; readonly unit: string; readonly mayGrow: boolean; readonly points: Point[] };

const { minutes, hosts, rate, out } = new Command('soak')
  .description('Runs the whole service under a steady load, and says of memory, descriptors, disk and p99 which grow.')
  .option('--minutes <count>', 'how long', wholeNumber(1, 10_080), 60)
  .option('--hosts <count>', 'probe hosts', wholeNumber(1, 8), 2)
  .option('--rate <calls>', 'calls a second', wholeNumber(1, 200), 10)
  .option('--out <file>', 'where every sample is written too, as JSON')
  .parse()
  .opts<{ readonly minutes: number; readonly hosts: number; readonly rate: number; readonly out?: string }>();

const all = new Map<string, Series>();
function note(name: string, unit: string, s: number, value: number, mayGrow = false): void {
  const series = all.get(name) ?? { name, unit, mayGrow, points: [] };
  all.set(name, series);
  series.points.push({ s, value });
}

const state = await mkdtemp(join(tmpdir(), 'rcpt-soak-'));
const options = parseArguments(['--port', '0', '--state', state, '--hosts', String(hosts), '--var', 'RATE_LIMIT=0']);
if ('help' in options) throw new Error('these are no options');
// Its log is a month's worth at this rate, and not what is looked at.
const inspectorPort = await freePort();
const service = await startService(options, { say: () => undefined, mail: () => undefined }, inspectorPort);
let failed = 0;
let answered = 0;
try {
  const operator = await readOperatorKey(service.operatorKeyFile);
  await adminApi({ origin: service.url, operator }).grant(service.demo.accountId, 'soak', CREDITS);
  const load = startPacedLoad(service.url, service.demo.apiKey, rate);
  const startedAt = performance.now();
  const everyMs = (minutes * 60_000) / SAMPLES;
  for (let n = 1; n <= SAMPLES; n += 1) {
    await sleep(Math.max(0, startedAt + n * everyMs - performance.now()));
    const s = (performance.now() - startedAt) / 1000;
    // What was not collected yet is not what grows, and workerd's small isolates may leave it for hours.
    gc?.();
    await collectGarbage(inspectorPort);
    const [workerd] = await childrenRunning('workerd');
    const processes = [
      ['npm start and the callers', process.pid],
      ['workerd', workerd ?? -1],
      ...service.hosts.map(({ id, pid }) => [id, pid] as const),
    ] as const;
    for (const [name, pid] of processes) {
      const seen = await lookAt(pid);
      if (seen === null) throw new Error(`${name} has ended`);
      note(`memory of ${name}`, 'MB', s, seen.bytes / 1e6);
      note(`descriptors of ${name}`, '', s, seen.descriptors);
    }
    note('disk', 'MB', s, (await bytesBelow(state)) / 1e6, true);
    const { tookMs, failed: lost } = load.take();
    failed += lost;
    answered += tookMs.length;
    note('p99', 'ms', s, tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0);
    process.stderr.write(`${n} of ${SAMPLES}: ${answered} answers, ${failed} failed\n`);
  }
  await load.stop();
} finally {
  await service.stop();
  await rm(state, { recursive: true, force: true });
}

const after = (share: number, points: readonly Point[]): readonly Point[] =>
  points.filter(({ s }) => s > minutes * 60 * share);
let leaks = 0;
process.stdout.write(
  `${minutes} min at ${rate} calls/s: ${answered} answers, ${failed} failed; the first quarter does not count\n`,
);
for (const { name, unit, mayGrow, points } of all.values()) {
  const { mean, perHour, error, grows } = slopeOf(after(WARM_UP_SHARE, points));
  if (grows && !mayGrow) leaks += 1;
  const late = slopeOf(after(LATE_SHARE, points));
  const verdict = grows ? (mayGrow ? 'grows, as it should' : 'GROWS') : 'stands still';
  const figures = `mean ${mean.toFixed(1)} ${unit}, ${perHour.toFixed(2)} ± ${error.toFixed(2)} ${unit} an hour`;
  const levelling = grows ? `, ${late.perHour.toFixed(2)} ± ${late.error.toFixed(2)} in the last third` : '';
  process.stdout.write(`${name.padEnd(42)}${figures.padEnd(56)}${verdict}${levelling}\n`);
}
if (out !== undefined) await writeFile(out, JSON.stringify([...all.values()]));
process.exitCode = leaks > 0 || failed > 0 ? 1 : 0;
