import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { RcptError } from '../base/errors.ts';

// A lock is a file created with O_EXCL. It holds a random name, and the process and machine of its owner: the lock of a process
// that is gone is taken over on the same machine. If two take it over at once, `check` tells one of them.

const TRIES = 3;

/** The locks that this process holds: an earlier process may have had the same pid. */
const held = new Set<string>();

export type Lock = {
  /** To be called before each write. @throws RcptError JOURNAL_IN_USE if another run has taken over */
  readonly check: () => Promise<void>;
  readonly release: () => Promise<void>;
};

/** @throws RcptError JOURNAL_IN_USE; what the file system throws */
export async function lock(path: string): Promise<Lock> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const name = randomUUID();
    // Before the file exists, so that no other run of this process takes it for an earlier process's.
    held.add(name);
    if (await create(path, `${name} ${process.pid} ${hostname()}\n`)) return begun(path, name);
    held.delete(name);
    const seen = await read(path);
    if (seen === null) continue;
    if (isAlive(ownerOf(seen))) throw inUse(path, seen);
    await rm(path, { force: true });
  }
  throw inUse(path, '');
}

function begun(path: string, name: string): Lock {
  return {
    check: async () => {
      const seen = (await read(path)) ?? '';
      if (!seen.startsWith(name)) throw inUse(path, seen);
    },
    release: async () => {
      if ((await read(path))?.startsWith(name) === true) await rm(path, { force: true });
      held.delete(name);
    },
  };
}

type Owner = { readonly name: string; readonly pid: string; readonly host: string };

/** Null for a half-written file. */
function ownerOf(seen: string): Owner | null {
  const [, name, pid, host] = /^(\S+) (\d{1,10}) (\S+)\n$/.exec(seen) ?? [];
  return name === undefined || pid === undefined || host === undefined ? null : { name, pid, host };
}

/** Whether the owner may still run: assumed for another machine and for a half-written file. */
function isAlive(owner: Owner | null): boolean {
  if (owner === null || owner.host !== hostname()) return true;
  const { name, pid } = owner;
  if (Number(pid) === process.pid) return held.has(name);
  try {
    // Signal 0 only tests.
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

/** @returns false if another run has it */
async function create(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    await rm(path, { force: true });
    throw error;
  }
}

/** Null for a lock that is not there. */
async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

/** Says who has it, and what to do: of another machine's processes nothing can be known from here. */
function inUse(path: string, seen: string): RcptError {
  const owner = ownerOf(seen);
  const who = owner === null ? '' : `, process ${owner.pid} on ${owner.host}`;
  const what = `If that run has ended, delete ${path}.`;
  return new RcptError('JOURNAL_IN_USE', `The journal is in use by another run${who}. ${what}`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
