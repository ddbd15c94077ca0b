import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { RcptError } from '../base/errors.ts';

// A lock is a file that its owner writes again every second: a random name, and a count. Whoever wants it watches it: a
// file that has not changed for eight seconds by the watcher's own clock has lost its owner. Nothing else is asked: no
// process id, which means another process in another container, and no time of a file, which is another machine's clock.
//
// An owner that was put to sleep may find when it wakes that somebody has taken over. So it looks before it writes, if its
// last beat is old by either clock: the one that sleeps along, and the one that goes on.

const BEAT_MS = 1_000;
const STALE_MS = 8_000;
/** How often a watcher looks. */
const LOOK_MS = 250;
/** A beat older than this proves nothing. */
const FRESH_MS = 3_000;
/** How often a lock that others take and give back meanwhile is tried. */
const TRIES = 5;
/** To take over a lock one must hold the lock for that, which may be stale too. */
const DEPTH_MOST = 2;
const NAME_LENGTH = 36;

export type Lock = {
  /** To be called before each write. @throws RcptError JOURNAL_IN_USE if somebody has taken over meanwhile */
  readonly check: () => Promise<void>;
  readonly release: () => Promise<void>;
};

/** @throws RcptError JOURNAL_IN_USE; what the file system throws */
export function lock(path: string, clock: Clock): Promise<Lock> {
  return lockAt(path, clock, 0);
}

async function lockAt(path: string, clock: Clock, depth: number): Promise<Lock> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const own = await create(path);
    if (own !== null) return begun(path, own, clock);
    const seen = await read(path);
    if (seen === null) continue;
    if (depth > DEPTH_MOST || !(await isStale(path, seen, clock))) throw inUse(path);
    const taken = await takeOver(path, seen, clock, depth);
    if (taken !== null) return taken;
  }
  throw inUse(path);
}

/** Of those who find the same lock without an owner one removes it. @returns null if it has changed meanwhile */
async function takeOver(path: string, seen: string, clock: Clock, depth: number): Promise<Lock | null> {
  const turn = await lockAt(`${path}.next`, clock, depth + 1);
  try {
    if ((await read(path)) !== seen) return null;
    await rm(path, { force: true });
    const own = await create(path);
    if (own === null) return null;
    // An owner that wakes just now looks, finds us, and has written what it was writing.
    await pause(clock, BEAT_MS);
    return begun(path, own, clock);
  } finally {
    await turn.release();
  }
}

type Own = { readonly file: FileHandle; readonly name: string };

/** @returns null if somebody has it */
async function create(path: string): Promise<Own | null> {
  try {
    const file = await open(path, 'wx', 0o600);
    const name = randomUUID();
    await file.write(`${name} 0\n`, 0);
    return { file, name };
  } catch (error) {
    if (isCode(error, 'EEXIST')) return null;
    throw error;
  }
}

/** Beats until it is released. */
function begun(path: string, { file, name }: Own, clock: Clock): Lock {
  let beats = 0;
  let [freshMs, freshWallMs] = [clock.now(), clock.wallMs()];
  let callOff: (() => void) | null = null;
  let beating = Promise.resolve();
  const isOurs = async (): Promise<boolean> => (await read(path))?.slice(0, NAME_LENGTH) === name;
  const look = async (): Promise<boolean> => {
    // From before it was looked: what happens while it is looked is not seen.
    const [nowMs, wallMs] = [clock.now(), clock.wallMs()];
    if (!(await isOurs())) return false;
    [freshMs, freshWallMs] = [nowMs, wallMs];
    return true;
  };
  const beat = async (): Promise<void> => {
    try {
      // Into the file that we made, whatever stands under its name by now.
      await file.write(`${name} ${(beats += 1)}\n`, 0);
      if (!(await look())) return;
    } catch {
      // A file system that does not answer: the next beat, or the next write, finds out.
    }
    next();
  };
  const next = (): void => {
    callOff = clock.after(BEAT_MS, () => {
      beating = beat();
    });
  };
  next();
  return {
    check: async () => {
      const isFresh = clock.now() - freshMs < FRESH_MS && Math.abs(clock.wallMs() - freshWallMs) < FRESH_MS;
      if (!isFresh && !(await look())) throw inUse(path);
    },
    release: async () => {
      callOff?.();
      await beating;
      // The beat that was under way has set the next.
      callOff?.();
      if (await isOurs()) await rm(path, { force: true });
      await file.close();
    },
  };
}

/** Watches it for as long as a living owner never keeps still. */
async function isStale(path: string, seen: string, clock: Clock): Promise<boolean> {
  for (const fromMs = clock.now(); clock.now() - fromMs < STALE_MS;) {
    await pause(clock, LOOK_MS);
    if ((await read(path)) !== seen) return false;
  }
  return true;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((done) => {
    clock.after(ms, done);
  });
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function inUse(path: string): RcptError {
  return new RcptError('JOURNAL_IN_USE', `The journal is in use by another run, which keeps ${path}.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
