import { createWriteStream, fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Standard output, written whole or failing. To a file Node's own stream writes what fits on the disk, and takes that for all. */
export function standardOutput(): Writable & { readonly isTTY?: boolean; readonly columns?: number } {
  const { stdout } = process;
  const found = fstatSync(stdout.fd);
  // Not what is neither pipe nor socket: Windows' pipes are nothing at all.
  const isFile = !stdout.isTTY && (found.isFile() || found.isCharacterDevice());
  return isFile ? createWriteStream('', { fd: stdout.fd, autoClose: false }) : stdout;
}
