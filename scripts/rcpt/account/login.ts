import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseRecord } from '../../../schema/client/wire/read-line.ts';
import { writePrivateFile } from '../../base/private-file.ts';
import { Failure, systemCode } from '../failure/failure.ts';
import type { Environment } from '../environment/environment.ts';

/** Who is logged in where, in a file of mode 0600. */
export type Login = { readonly url: string; readonly apiKey: string };

export function loginPath(env: Environment['env']): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(config === '' ? join(env['HOME'] || homedir() || '/', '.config') : config, 'rcpt', 'login.json');
}

/** @returns null if nobody is logged in. @throws Failure */
export async function readLogin(env: Environment['env']): Promise<Login | null> {
  const path = loginPath(env);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new Failure('key', `${path} cannot be read (${systemCode(error) ?? String(error)}).`);
  }
  const login = parseLogin(text);
  if (login === null) throw new Failure('key', `${path} is damaged: run rcpt login again.`);
  return login;
}

/** @throws Failure */
export async function writeLogin(env: Environment['env'], login: Login): Promise<void> {
  const path = loginPath(env);
  await writePrivateFile(path, `${JSON.stringify(login)}\n`).catch((error: unknown) => {
    throw new Failure('output', `${path} cannot be written (${systemCode(error) ?? String(error)}).`);
  });
}

/** @returns the service that the key was for; null if nobody was logged in */
export async function logout({ env }: Environment): Promise<string | null> {
  const before = await readLogin(env).catch(() => null);
  await rm(loginPath(env), { force: true });
  return before?.url ?? null;
}

/** @returns null for what no login has written */
export function parseLogin(text: string): Login | null {
  const { url, apiKey } = parseRecord(text) ?? {};
  return typeof url === 'string' && typeof apiKey === 'string' ? { url, apiKey } : null;
}
