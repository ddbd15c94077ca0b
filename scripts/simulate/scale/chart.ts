import type { Scaled } from './fleet-model.ts';

// The chart of scripts/bench/SCALE.md: how many of the addresses are asked in time, and how long they wait, by the number of hosts.

const WIDTH = 760;
const LEFT = 64;
const RIGHT = 24;
const PANEL = { height: 190, gap: 64, top: 56 } as const;
const WAIT_MAX_S = 90;
const FONT = 'font-family="system-ui, sans-serif" font-size="12" fill="#333"';
const COLOURS = ['#b45309', '#1d4ed8', '#047857', '#7e22ce'] as const;

type Point = readonly [x: number, y: number];
/** @param values from 0 to 1, the best at the top */
type Panel = {
  readonly title: string;
  readonly ticks: ReadonlyArray<readonly [at: number, text: string]>;
  readonly values: (run: Scaled) => number;
};

const PANELS: readonly Panel[] = [
  {
    title: 'addresses that are asked about before their batch’s deadline',
    ticks: [0, 0.5, 1].map((at) => [at, `${at * 100} %`] as const),
    values: ({ asked }) => asked,
  },
  {
    title: 'how long 99 of 100 of them wait at most',
    ticks: [0, 30, 60, 90].map((s) => [s / WAIT_MAX_S, `${s} s`] as const),
    values: ({ waitP99S }) => waitP99S / WAIT_MAX_S,
  },
];

/** An SVG of its own: no script, no font, no link. */
export function chartOf(runs: readonly Scaled[]): string {
  const hosts = [...new Set(runs.map((run) => run.hosts))].toSorted((a, b) => a - b);
  const x = scaleOf(hosts);
  const height = PANEL.top + PANELS.length * (PANEL.height + PANEL.gap);
  const egress = [...new Set(runs.map((run) => run.egress))].toSorted((a, b) => a - b);
  const [first] = runs;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${first?.addressesPerS ?? 0} addresses a second: what so many hosts ask in time, and how long it waits</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...egress.map((count, n) => legend(count, n)),
    ...PANELS.flatMap((panel, n) => panelOf(panel, PANEL.top + n * (PANEL.height + PANEL.gap), runs, egress, hosts, x)),
    '</svg>',
    '',
  ].join('\n');
}

/** From the fewest hosts to the most, each doubling as wide as the next. */
function scaleOf(hosts: readonly number[]): (count: number) => number {
  const [least, most] = [Math.log(hosts[0] ?? 1), Math.log(hosts.at(-1) ?? 2)];
  return (count) => LEFT + ((Math.log(count) - least) / Math.max(1e-9, most - least)) * (WIDTH - LEFT - RIGHT);
}

function panelOf(
  { title, ticks, values }: Panel,
  top: number,
  runs: readonly Scaled[],
  egress: readonly number[],
  hosts: readonly number[],
  x: (count: number) => number,
): readonly string[] {
  const y = (value: number): number => top + PANEL.height * (1 - value);
  return [
    `<text x="${LEFT}" y="${top - 10}" ${FONT} font-weight="600">${title}</text>`,
    ...ticks.flatMap(([at, text]) => [
      `<path d="M${LEFT} ${round(y(at))}H${WIDTH - RIGHT}" stroke="#ddd"/>`,
      `<text x="${LEFT - 8}" y="${round(y(at) + 4)}" ${FONT} text-anchor="end">${text}</text>`,
    ]),
    ...hosts.map(
      (count) =>
        `<text x="${round(x(count))}" y="${top + PANEL.height + 18}" ${FONT} text-anchor="middle">${count}</text>`,
    ),
    `<text x="${WIDTH - RIGHT}" y="${top + PANEL.height + 34}" ${FONT} text-anchor="end">hosts</text>`,
    ...egress.map((count, n) =>
      line(
        runs
          .filter((run) => run.egress === count)
          .toSorted((a, b) => a.hosts - b.hosts)
          .map((run) => [x(run.hosts), y(values(run))] as const),
        colour(n),
      ),
    ),
  ];
}

function line(points: readonly Point[], stroke: string): string {
  const path = points.map(([x, y], n) => `${n === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  const dots = points.map(([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${stroke}"/>`).join('');
  return `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="2"/>${dots}`;
}

function legend(egress: number, n: number): string {
  const x = LEFT + n * 170;
  return (
    `<rect x="${x}" y="12" width="12" height="12" fill="${colour(n)}"/>` +
    `<text x="${x + 18}" y="22" ${FONT}>${egress} ${egress === 1 ? 'address' : 'addresses'} a host</text>`
  );
}

function colour(n: number): string {
  return COLOURS[n % COLOURS.length] ?? '#000';
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
