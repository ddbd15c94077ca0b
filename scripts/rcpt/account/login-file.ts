import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { systemCode } from '../failure/explain.ts';
import type { World } from '../world/world.ts';

/** Who is logged in where. The key is here only if there is no key ring. */
export type Login = { readonly url: string; readonly apiKey: string | null };

export function loginPath(env: World['env']): string {
  const config = env['XDG_CONFIG_HOME'] ?? '';
  return join(config === '' ? join(env['HOME'] ?? homedir(), '.config') : config, 'rcpt', 'login.json');
}

/** @returns null if nobody is logged in. @throws Failure */
export async function readLogin(env: World['env']): Promise<Login | null> {
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

/** Only its owner may read it, from its first byte on. @throws Failure */
export async function writeLogin(env: World['env'], login: Login): Promise<void> {
  const path = loginPath(env);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(`${path}.part`, { force: true });
    const file = await open(`${path}.part`, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(login)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  } catch (error) {
    throw new Failure('output', `${path} cannot be written (${systemCode(error) ?? String(error)}).`);
  }
}

export async function removeLogin(env: World['env']): Promise<void> {
  await rm(loginPath(env), { force: true });
}

function parseLogin(text: string): Login | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return null;
    const apiKey = 'apiKey' in value && typeof value.apiKey === 'string' ? value.apiKey : null;
    return { url: value.url, apiKey };
  } catch {
    return null;
  }
}
