import { explain } from '../failure/explain.ts';
import { Failure } from '../failure/failure.ts';
import type { World } from '../world/world.ts';
import { askSecret } from './ask.ts';
import { clientOf, readKey, readUrl } from './connection.ts';
import { keyRing } from './key-ring.ts';
import { loginPath, readLogin, removeLogin, writeLogin } from './login-file.ts';

/** A login that is done: for people and programs. */
export type LoggedIn = { readonly url: string; readonly credits: number; readonly keptIn: string };

/**
 * Asks for a key, checks it with the service, and keeps it: in the system's key ring, else in a file of mode 0600.
 * @param text the service's address; null: the one of RCPT_URL or the last login
 * @throws Failure
 */
export async function login(text: string | null, world: World): Promise<LoggedIn> {
  const before = await readLogin(world.env).catch(() => null);
  const wanted = text ?? (world.env['RCPT_URL'] || before?.url);
  if (wanted === undefined) throw new Failure('usage', 'Which service? Name it: rcpt login --url …');
  const url = readUrl(wanted);
  const apiKey = readKey(await askSecret(`API key for ${url} (not shown): `, world), 'The input');
  const credits = await clientOf({ url, apiKey }, world, 'quick')
    .credits({ signal: world.stop })
    .catch((error: unknown) => {
      throw explain(error);
    });
  const ring = keyRing(world);
  // One login at a time: nothing is left behind of the last one.
  if (before !== null && before.url !== url) await ring.remove(before.url);
  const isInRing = await ring.store(url, apiKey);
  await writeLogin(world.env, { url, apiKey: isInRing ? null : apiKey });
  return { url, credits, keptIn: isInRing ? "the system's key ring" : loginPath(world.env) };
}

/** Forgets the key. @returns the service that it was for; null if nobody was logged in. */
export async function logout(world: World): Promise<string | null> {
  const before = await readLogin(world.env).catch(() => null);
  if (before !== null) await keyRing(world).remove(before.url);
  await removeLogin(world.env);
  return before?.url ?? null;
}
