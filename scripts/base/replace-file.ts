import { rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** What Windows says as long as another program has a file open. */
const BUSY: ReadonlySet<unknown> = new Set(['EBUSY', 'EPERM']);
/** For a virus scanner, or an index of files, which soon lets go of it: some three seconds in all. */
const WAITS_MS = [50, 100, 200, 400, 800, 1_600];

/** Puts a file in another's place. @throws the system's error */
export async function replaceFile(from: string, to: string): Promise<void> {
  for (const waitMs of WAITS_MS) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isBusy(error)) throw error;
      await setTimeout(waitMs);
    }
  }
  await rename(from, to);
}

/** Whether an error says that another program has the file open. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && BUSY.has(error.code);
}
