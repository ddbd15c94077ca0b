import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { RcptError } from '../errors.ts';

/** How often a lock that its owner left behind is taken away before somebody else is faster for good. */
const TRIES = 5;

/**
 * Takes a lock that is a file with the process id of its owner in it. One whose owner has died is taken over.
 * @returns how to give it back
 * @throws RcptError JOURNAL_IN_USE; what the file system throws
 */
export async function lock(path: string): Promise<() => Promise<void>> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      // A link is there with its contents or not at all.
      if (await succeeds(link(own, path), 'EEXIST')) return () => rm(path, { force: true });
      const holder = await readHolder(path);
      if (holder !== null && isAlive(holder)) throw inUse(path, holder);
      if (holder !== null) await takeAway(path, `${own}.old`, holder);
    }
    throw inUse(path, null);
  } finally {
    await rm(own, { force: true });
  }
}

/** Two may find the same dead owner: who moves away what the other has just made puts it back. */
async function takeAway(path: string, aside: string, dead: number): Promise<void> {
  if (!(await succeeds(rename(path, aside), 'ENOENT'))) return;
  if ((await readHolder(aside)) !== dead) await succeeds(link(aside, path), 'EEXIST');
  await rm(aside, { force: true });
}

/** Null: the file is gone. Zero: it does not say. */
async function readHolder(path: string): Promise<number | null> {
  try {
    const text = await readFile(path, 'utf8');
    return /^\d{1,10}\n$/.test(text) ? Number(text) : 0;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function inUse(path: string, holder: number | null): RcptError {
  const who = holder === null ? 'another process' : `process ${holder}`;
  return new RcptError(
    'JOURNAL_IN_USE',
    `The journal is used by ${who}; if that is no run of this client, delete ${path}.`,
  );
}

async function succeeds(work: Promise<void>, unless: string): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isCode(error, unless)) return false;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
