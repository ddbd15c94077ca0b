import type { Command } from 'commander';
import { checked } from '../../base/usage-error.ts';
import { globalOptionsSchema } from '../connection/connection.ts';

type Write = (text: string) => void;

/** One JSON document if `--json` was given, lines for people otherwise. */
export function print(command: Command, write: Write, document: object, lines: readonly string[]): void {
  const { json } = checked(globalOptionsSchema, command.optsWithGlobals(), 'options');
  write(json ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''));
}

/** Cells in columns as wide as their widest. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** 1234567 as `1,234,567`. */
export function amount(credits: number): string {
  return credits.toLocaleString('en-US');
}

/** How long ago a time was, in its largest unit: `5 s`, `12 min`, `3 h`, `9 d`. */
export function since(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(time)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** A time to the minute, a day as it is. */
export function when(time: string | null, never: string): string {
  return time === null ? never : time.length > 10 ? `${time.slice(0, 16).replace('T', ' ')} UTC` : time;
}
