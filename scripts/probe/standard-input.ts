import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';

const STDIN = 0;

/** Standard input as it comes. Node reads a folder as if it were empty; here that is an error. */
export function standardInput(): Readable {
  try {
    if (fstatSync(STDIN).isDirectory()) return failing(new Error('EISDIR: it is a folder'));
    return process.stdin;
  } catch (error) {
    return failing(error instanceof Error ? error : new Error(String(error)));
  }
}

function failing(error: Error): Readable {
  return new Readable({
    read() {
      this.destroy(error);
    },
  });
}
