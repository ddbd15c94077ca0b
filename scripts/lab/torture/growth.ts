import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from './collect-garbage.ts';
import type { Host } from './host.ts';
import { isRefused } from './lists.ts';
import type { Load } from './load.ts';
import { bytesBelow, lookAt } from './processes.ts';
import { type Point, slopeOf } from './slope.ts';
import type { Stage } from './stage.ts';

// Whether anything grows under a steady load: memory and open descriptors of every process, the state folder, and the p99 of
// lists without a server that makes them wait.

/** What caches and compilers fill at first is no leak. */
const WARM_UP_SHARE = 0.25;
/** What levels off grows less in its last third. */
const LATE_SHARE = 2 / 3;
const SAMPLES = 60;
/** What Node needs to collect its garbage after the signal. */
const COLLECTS_MS = 200;

export type Series = {
  readonly name: string;
  readonly unit: string;
  readonly mayGrow: boolean;
  readonly points: Point[];
};

export type Watched = {
  readonly stage: Stage;
  readonly hosts: readonly Host[];
  readonly load: Load;
  readonly lastsMs: number;
  /** One line of progress. */
  readonly say: (line: string) => void;
};

/** Takes sixty samples of a service under load. @returns a series for each figure */
export async function watchGrowth({ stage, hosts, load, lastsMs, say }: Watched): Promise<readonly Series[]> {
  const all = new Map<string, Series>();
  const addPoint = (name: string, unit: string, point: Point, mayGrow = false): void => {
    const series = all.get(name) ?? { name, unit, mayGrow, points: [] };
    all.set(name, series);
    series.points.push(point);
  };
  const startedAt = performance.now();
  let seen = load.figures.asked.length;
  for (let n = 1; n <= SAMPLES; n += 1) {
    await sleep(Math.max(0, startedAt + (n * lastsMs) / SAMPLES - performance.now()));
    const s = (performance.now() - startedAt) / 1000;
    // Garbage is not what grows, and workerd's small isolates may leave it for hours.
    process.kill(stage.pid, 'SIGUSR2');
    await Promise.all([collectGarbage(stage.inspectorPort), sleep(COLLECTS_MS)]);
    const [workerd = -1] = await stage.workerd();
    const processes = [{ name: 'npm start', pid: stage.pid }, { name: 'workerd', pid: workerd }, ...hosts];
    for (const { name, pid } of processes) {
      const looked = await lookAt(pid);
      if (looked === null) throw new Error(`${name} has ended`);
      addPoint(`memory of ${name}`, 'MB', { s, value: looked.bytes / 1e6 });
      addPoint(`descriptors of ${name}`, '', { s, value: looked.descriptors });
    }
    addPoint('disk', 'MB', { s, value: (await bytesBelow(stage.folder)) / 1e6 }, true);
    const { asked } = load.figures;
    const tookMs = asked.slice(seen).flatMap((one) => (one.emails.some(isRefused) ? [] : one.tookMs));
    seen = asked.length;
    const p99 = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0;
    addPoint('p99', 'ms', { s, value: p99 });
    say(`${n} of ${SAMPLES}: ${asked.length} lists answered, p99 ${p99.toFixed(0)} ms`);
  }
  return [...all.values()];
}

/** A line for each series. @returns `faults`: what grows and must not */
export function describeGrowth(all: readonly Series[]): { readonly text: string; readonly faults: readonly string[] } {
  const lines: string[] = [];
  const faults: string[] = [];
  for (const { name, unit, mayGrow, points } of all) {
    const { mean, perHour, error, grows } = slopeOf(after(WARM_UP_SHARE, points));
    const late = slopeOf(after(LATE_SHARE, points));
    const rise = `${perHour.toFixed(2)} ± ${error.toFixed(2)} ${unit} an hour`;
    const levelling = grows ? `, ${late.perHour.toFixed(2)} ± ${late.error.toFixed(2)} in the last third` : '';
    const verdict = grows ? 'grows' : 'does not grow';
    lines.push(`${name.padEnd(28)}mean ${mean.toFixed(1)} ${unit}, ${rise}`.padEnd(76) + verdict + levelling);
    if (grows && !mayGrow) faults.push(`${name} grows by ${rise}`);
  }
  return { text: `${lines.join('\n')}\n`, faults };
}

function after(share: number, points: readonly Point[]): readonly Point[] {
  const end = points.at(-1)?.s ?? 0;
  return points.filter(({ s }) => s > end * share);
}
