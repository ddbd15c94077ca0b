import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a service wrote into its state folder, by file: databases and their journals included, and the pages left out, which
 * are made before its first request and show the sandbox's addresses.
 */
export async function readWritten(state: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(state, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const written = paths.filter((path) => !path.startsWith(join(state, 'pages/')));
  return new Map(await Promise.all(written.map(async (path) => [path, await readFile(path)] as const)));
}

/** Whether a text stands in the bytes, in any case or in any of the disguises in which it could be read again. */
export function holds(bytes: Buffer, text: string): boolean {
  const lower = bytes.toString('latin1').toLowerCase();
  return disguises(text).some((form) => lower.includes(form.toLowerCase()));
}

/** As it is, in hexadecimal, UTF-16 and base64 at each of its three offsets; and hashed, which a guess can undo. */
function disguises(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const digest = createHash('sha256').update(bytes).digest();
  const base64 = [0, 1, 2].map((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64url');
    // The first and last characters also depend on the neighbours.
    return coded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const readable = [bytes.toString('latin1'), bytes.toString('hex'), Buffer.from(text, 'utf16le').toString('latin1')];
  const hashed = [digest.toString('hex'), digest.toString('base64url'), digest.toString('latin1')];
  return [...readable, ...base64, ...base64.map((form) => form.replaceAll('-', '+').replaceAll('_', '/')), ...hashed];
}
