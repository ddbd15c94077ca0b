import { fstatSync, type Stats } from 'node:fs';

const STDIN = 0;

/** Size of standard input in bytes if it is a file, else null: then the remaining time is unknown. */
export function standardInputBytes(): number | null {
  const stats = standardInputStats();
  return stats !== null && stats.isFile() ? stats.size : null;
}

/** Standard input as it comes. Node reads a folder as if it were empty; here that is an error. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  if (standardInputStats()?.isDirectory() === true) throw new Error('EISDIR: it is a folder');
  const chunks: AsyncIterable<Uint8Array> = process.stdin;
  yield* chunks;
}

function standardInputStats(): Stats | null {
  try {
    return fstatSync(STDIN);
  } catch {
    return null;
  }
}
