/** One line of a bench's table: what was measured, its floor, and what it has to stay under. */
export type Row = {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  readonly bound: string;
  /** It happened as the row says, within its bound. */
  readonly holds: boolean;
};

/** Prints rows as Markdown. The process ends with 1 if one does not hold. */
export function printTable(rows: readonly Row[]): void {
  const lines = rows.map(
    ({ what, measured, floor, bound, holds }) =>
      `| ${what} | ${measured} | ${floor} | ${bound} | ${holds ? 'yes' : 'NO'} |`,
  );
  const head = ['| what | measured | floor | bound | holds |', '|---|---|---|---|---|'];
  process.stdout.write([...head, ...lines, ''].join('\n'));
  if (rows.some((row) => !row.holds)) process.exitCode = 1;
}

export const ms = (value: number): string => `${value.toFixed(0)} ms`;
export const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`;
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
