import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord } from '../../../schema/client/wire/read-line.ts';
import { loginPath } from '../account/login.ts';
import { writePrivateFile } from '../../base/private-file.ts';
import type { Environment } from '../environment/environment.ts';

// Which lists were verified to their end, and where their results are, so that nobody pays for one twice unawares. It stands
// beside the login, on this machine alone, and holds no address.

type Env = Environment['env'];

/** `fingerprint`: of the list; the sandbox of another service says nothing of this one. */
type Finished = {
  readonly fingerprint: string;
  readonly url: string;
  readonly atMs: number;
  readonly output: string;
};

const MOST = 1_000;

/** What is said, before the price, to who verifies the same list again; null: nothing is known of it. */
export async function hintAtLast(env: Env, url: string, fingerprint: string): Promise<string | null> {
  const all = await finishedIn(env);
  const last = all.findLast((each) => each.fingerprint === fingerprint && each.url === url);
  if (last === undefined) return null;
  const day = new Date(last.atMs).toISOString().slice(0, 10);
  return `These very addresses were verified on ${day}: the result was written to ${last.output}. Verifying them again costs again.`;
}

/** Its file has no other result any more. A disk that cannot keep it is no reason to fail: all is verified and written. */
export async function keepFinished(env: Env, finished: Finished): Promise<void> {
  const others = (await finishedIn(env)).filter(({ output }) => output !== finished.output);
  const kept = [...others, finished].slice(-MOST);
  await writePrivateFile(pathIn(env), `${JSON.stringify(kept)}\n`).catch(() => {});
}

function pathIn(env: Env): string {
  return join(dirname(loginPath(env)), 'verified.json');
}

async function finishedIn(env: Env): Promise<readonly Finished[]> {
  try {
    const kept: unknown = JSON.parse(await readFile(pathIn(env), 'utf8'));
    return Array.isArray(kept) ? kept.filter(isFinished) : [];
  } catch {
    return [];
  }
}

function isFinished(value: unknown): value is Finished {
  if (!isRecord(value)) return false;
  const { fingerprint, url, atMs, output } = value;
  return [fingerprint, url, output].every((text) => typeof text === 'string') && typeof atMs === 'number';
}
