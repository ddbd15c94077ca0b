import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { RcptError } from '../base/errors.ts';

// A lock is a file that says whose it is: process id, and a name that no other lock has. It appears by a link, with its
// contents or not at all. One whose owner has died may be removed by the process that has claimed that very lock, by a link
// again, under the lock's name: so nobody removes a lock that another has just taken.

const CONTENTS = /^(\d{1,10}) ([0-9a-f-]{36})\n$/;
/** How often one that others take and give back meanwhile is tried. */
const TRIES = 5;

/**
 * @returns how to give it back
 * @throws RcptError JOURNAL_IN_USE; what the file system throws
 */
export async function lock(path: string): Promise<() => Promise<void>> {
  const name = randomUUID();
  const own = `${path}.${name}`;
  await writeFile(own, `${process.pid} ${name}\n`, { flag: 'wx', mode: 0o600 });
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await linked(own, path)) return () => rm(path, { force: true });
      const found = await read(path);
      if (found === null) continue;
      const [, pid = '', dead] = CONTENTS.exec(found) ?? [];
      if (dead === undefined || isAlive(Number(pid))) throw inUse(path, dead === undefined ? null : pid);
      await removeDead(path, found, own, `${path}.${dead}.dead`);
    }
    throw inUse(path, null);
  } finally {
    await rm(own, { force: true });
  }
}

async function removeDead(path: string, found: string, own: string, claim: string): Promise<void> {
  if (!(await linked(own, claim))) return;
  try {
    // It may have been removed before it was claimed.
    if ((await read(path)) === found) await rm(path);
  } finally {
    await rm(claim, { force: true });
  }
}

/** Whether it was this call that made the link. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function inUse(path: string, pid: string | null): RcptError {
  const who = pid === null ? 'another process' : `process ${pid}`;
  return new RcptError(
    'JOURNAL_IN_USE',
    `The journal is in use by ${who}; if that is not a run of this client, delete ${path}*.`,
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
