import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Resident memory and open descriptors of a process; null if it is gone. */
export async function lookAt(pid: number): Promise<{ readonly bytes: number; readonly descriptors: number } | null> {
  try {
    const [status, open] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8'), readdir(`/proc/${pid}/fd`)]);
    return { bytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024, descriptors: open.length };
  } catch {
    return null;
  }
}

/** Bytes of all files below a folder; one that goes away meanwhile counts for nothing. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
