import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { RcptError } from '../base/errors.ts';

// A lock is a file created with O_EXCL. It holds a random name, and the process, its start and the machine of its owner, who
// renews it every few seconds. It is taken over if its process is gone, as can be seen on the same machine, or if nobody has
// renewed it for a while: a container that was killed leaves a machine that nobody can ask. If two take it over at once,
// `check` tells one of them.

const TRIES = 3;
const BEAT_MS = 5_000;
/** Not renewed for so long, a lock has no owner any more. */
const STALE_MS = 30_000;

/** The locks that this process holds: an earlier process may have had the same pid. */
const held = new Set<string>();

export type Lock = {
  /** To be called before each write. @throws RcptError JOURNAL_IN_USE if another run has taken over */
  readonly check: () => Promise<void>;
  readonly release: () => Promise<void>;
  /** The owner of a lock that was taken over since nobody had renewed it; null: there was none. */
  readonly takenFrom: string | null;
};

/** @param what is locked, as users call it. @throws RcptError JOURNAL_IN_USE; what the file system throws */
export async function lock(path: string, what: string = 'The journal'): Promise<Lock> {
  let takenFrom: string | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const name = randomUUID();
    // Before the file exists, so that no other run of this process takes it for an earlier process's.
    held.add(name);
    const content = `${name} ${process.pid} ${await startOf(process.pid)} ${hostname()}\n`;
    if (await create(path, content)) return begun(path, what, name, content, takenFrom);
    held.delete(name);
    const seen = await read(path);
    if (seen === null) continue;
    const owner = ownerOf(seen);
    const state = await stateOf(owner);
    if (state === 'runs' || (state === 'unknown' && (await ageOf(path)) < STALE_MS)) throw inUse(what, owner);
    if (state === 'unknown') takenFrom = nameOf(owner);
    await rm(path, { force: true });
  }
  throw inUse(what, null);
}

function begun(path: string, what: string, name: string, content: string, takenFrom: string | null): Lock {
  // Whoever cannot renew it any more learns why with the next write.
  const beats = setInterval(() => void renew(path, name, content).catch(() => {}), BEAT_MS);
  beats.unref();
  return {
    takenFrom,
    check: async () => {
      const seen = (await read(path)) ?? '';
      if (!seen.startsWith(name)) throw inUse(what, ownerOf(seen));
    },
    release: async () => {
      clearInterval(beats);
      if ((await read(path))?.startsWith(name) === true) await rm(path, { force: true });
      held.delete(name);
    },
  };
}

/** Writes into the file that it has read: one that was taken over meanwhile is another file. */
async function renew(path: string, name: string, content: string): Promise<void> {
  const file: FileHandle = await open(path, 'r+');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(name.length), 0, name.length, 0);
    if (buffer.toString('utf8', 0, bytesRead) === name) await file.write(content, 0);
  } finally {
    await file.close();
  }
}

type Owner = { readonly name: string; readonly pid: number; readonly start: string; readonly host: string };

/** Null for a half-written file. */
function ownerOf(seen: string): Owner | null {
  const [, name, pid, start, host] = /^(\S+) (\d{1,10}) (\d{1,20}|-) (\S+)\n$/.exec(seen) ?? [];
  if (name === undefined || pid === undefined || start === undefined || host === undefined) return null;
  return { name, pid: Number(pid), start, host };
}

/** Whether the owner still runs; unknown of another machine's processes, and where the system does not tell a process's start. */
async function stateOf(owner: Owner | null): Promise<'runs' | 'gone' | 'unknown'> {
  if (owner === null || owner.host !== hostname()) return 'unknown';
  const { name, pid, start } = owner;
  if (pid === process.pid) return held.has(name) ? 'runs' : 'gone';
  try {
    // Signal 0 only tests.
    process.kill(pid, 0);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return 'gone';
  }
  const found = await startOf(pid);
  if (found === '-' || start === '-') return 'unknown';
  return found === start ? 'runs' : 'gone';
}

/** When a process began, in ticks since the machine did; '-' where the system does not say: only Linux does. */
async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, the program's name in parentheses, may hold anything.
  const start = line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return /^\d{1,20}$/.test(start) ? start : '-';
}

/** How long ago a lock was renewed, both by the clock of the file system: another machine's may differ. */
async function ageOf(path: string): Promise<number> {
  const probe = `${path}.${randomUUID()}`;
  try {
    await writeFile(probe, '', { flag: 'wx', mode: 0o600 });
    return (await stat(probe)).mtimeMs - (await stat(path)).mtimeMs;
  } catch (error) {
    // Released meanwhile.
    if (isCode(error, 'ENOENT')) return STALE_MS;
    throw error;
  } finally {
    await rm(probe, { force: true });
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

/** Says who has it, and what to do. */
function inUse(what: string, owner: Owner | null): RcptError {
  const toDo = `If that run has ended, try again in ${STALE_MS / 1_000} seconds.`;
  return new RcptError('JOURNAL_IN_USE', `${what} is in use by ${nameOf(owner)}. ${toDo}`);
}

function nameOf(owner: Owner | null): string {
  return owner === null ? 'another run' : `another run, process ${owner.pid} on ${owner.host}`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
