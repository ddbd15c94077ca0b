import { ms, seconds } from '../engine/rows.ts';
import type { Crowd, Figures } from './crowd.ts';
import { bestOf, problemsOf, rightOf, type Best } from './judge.ts';
import { RUNS, type Starts } from './starts.ts';

// The tables that `bench peers` prints.

/** A peer that could not be built here. */
export type Absent = { readonly name: string; readonly why: string };

const HEAD = [
  'at once',
  'program',
  'wall, with its start',
  'CPU, with its start',
  'wall',
  'CPU',
  'most memory',
  'right',
  'connections at once',
  'others',
  'holds',
];

/** A line for each program and crowd; rcpt's has each figure by the best of the peers. */
export function crowdTable(crowds: readonly Crowd[], peers: readonly string[], absent: readonly Absent[]): string {
  const lines = crowds.flatMap((crowd) =>
    [...crowd.figures].map(([name, figures]) => crowdLine(crowd, peers, name, figures)),
  );
  return table([HEAD, HEAD.map(() => '---'), ...lines]) + absent.map(reason).join('');
}

function crowdLine(crowd: Crowd, peers: readonly string[], name: string, figures: Figures): readonly string[] {
  const isOurs = name === 'rcpt';
  const best = isOurs ? bestOf(peers.flatMap((peer) => crowd.figures.get(peer) ?? [])) : null;
  const { withStart, work, heldAtMost } = figures;
  const beside = (read: (one: Best) => number, value: number, shown: string): string =>
    best === null ? shown : `${shown}, ${(value / read(best)).toFixed(2)} x`;
  return [
    String(crowd.concurrency),
    name,
    beside((one) => one.startedWallMs, withStart.wallMs, seconds(withStart.wallMs)),
    beside((one) => one.startedCpuMs, withStart.cpuMs, seconds(withStart.cpuMs)),
    beside((one) => one.wallMs, work.wallMs, seconds(work.wallMs)),
    beside((one) => one.cpuMs, work.cpuMs, seconds(work.cpuMs)),
    beside((one) => one.rssMiB, withStart.rssMiB, `${withStart.rssMiB.toFixed(0)} MiB`),
    rightOf(figures),
    String(heldAtMost),
    share(crowd.othersPercent),
    isOurs ? problemsOf(crowd, peers).join('; ') || 'yes' : '',
  ];
}

const reason = ({ name, why }: Absent): string => `${name} is not installed: ${why}.\n`;
const share = (percent: number | null): string => (percent === null ? '?' : `${percent.toFixed(0)} %`);

/** One address with a process of its own. */
export function startTable({ starts, othersPercent }: Starts): string {
  const head = ['one address a process', 'wall', 'CPU', 'most memory', `right of ${RUNS}`, 'others'];
  const lines = starts.map(({ name, usage, right }) => [
    name === 'rcpt' ? 'rcpt (`npm run probe`)' : name,
    ms(usage.wallMs),
    ms(usage.cpuMs),
    `${usage.rssMiB.toFixed(0)} MiB`,
    String(right),
    share(othersPercent),
  ]);
  return table([head, head.map(() => '---'), ...lines]);
}

function table(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
