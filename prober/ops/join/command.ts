import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PrivateJwk, privateJwkSchema } from '../../../schema/jwk.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { join, JoinError } from './join.ts';

/**
 * `join URL TOKEN`: creates this host's key, enrols it with the edge, and writes the enrolment, mode 0600. The key is
 * kept beside it until the edge has answered: the command run again after a lost response enrols the same host.
 * @returns what to tell the operator. @throws JoinError
 */
export async function joinCommand(
  url: string,
  token: string,
  { out, replace }: { readonly out: string; readonly replace: boolean },
  nowMs = Date.now,
): Promise<string> {
  if (!replace && existsSync(out))
    throw new JoinError(
      `${out} already exists: add --replace to enrol this machine anew, or choose another path with --out`,
      true,
    );
  const waiting = `${out}.joining`;
  const key = waitingKey(waiting) ?? makeKey(waiting);
  try {
    const enrolment = await join(url, token, key, nowMs);
    save(out, `${JSON.stringify(enrolment, null, 2)}\n`);
    rmSync(waiting, { force: true });
    return `This machine is host ${enrolment.host} of ${enrolment.origin}. Its enrolment is ${out}; keep no copy of it.\n`;
  } catch (error) {
    if (error instanceof JoinError && error.isFinal) rmSync(waiting, { force: true });
    throw error;
  }
}

/** The key of an earlier join that got no response; null if there is none. */
function waitingKey(path: string): PrivateJwk | null {
  try {
    const key = privateJwkSchema.safeParse(parseJson(readFileSync(path, 'utf8')));
    return key.success ? key.data : null;
  } catch {
    return null;
  }
}

/** A new Ed25519 key, written to disk before it is used. */
function makeKey(path: string): PrivateJwk {
  const key = privateJwkSchema.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  save(path, JSON.stringify(key));
  return key;
}

/** Writes a file that only its owner may read, completely or not at all. @throws JoinError */
function save(path: string, text: string): void {
  const temp = `${path}.new`;
  try {
    makeFolder(dirname(path), 0o755);
    rmSync(temp, { force: true });
    writeFileSync(temp, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(temp, path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause';
    const todo =
      code === 'ENOSPC' ? 'make room and run the same command again' : 'run as root, or choose another path with --out';
    throw new JoinError(`${path} cannot be written (${code}); ${todo}`, false);
  }
}
