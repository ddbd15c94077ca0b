import { readFile } from 'node:fs/promises';
import { Rcpt } from '../../../schema/client/index.ts';
import { Failure } from '../failure/failure.ts';
import { systemCode } from '../failure/explain.ts';
import type { World } from '../world/world.ts';
import { keyRing } from './key-ring.ts';
import { proxiedFetch } from '../proxy/proxied-fetch.ts';
import { LOCAL, proxyFor } from '../proxy/proxy.ts';
import { readLogin } from './login-file.ts';

/** What the command line says of the service; null: nothing. */
export type ConnectionOptions = { readonly url: string | null; readonly keyFile: string | null };

const API_KEY = /^[\w.~+/=-]{8,512}$/;

/** Which service, and as whom. */
export type Connection = { readonly url: string; readonly apiKey: string };

/** A balance that someone waits for, what an assistant asks, and a list that outlives a restart of the service. */
const PATIENCE = {
  quick: { maxRetries: 1, timeoutMs: 20_000 },
  served: { maxRetries: 1 },
  patient: { maxRetries: 8 },
} as const;

/**
 * The service, from `--url`, RCPT_URL or the login; the key, from `--key-file`, RCPT_API_KEY or the login. A key from
 * the login goes to no service but the one that it was checked with.
 * @returns null if there is no service or no key
 * @throws Failure
 */
export async function connection(options: ConnectionOptions, world: World): Promise<Connection | null> {
  const url = await findUrl(options, world);
  const apiKey = url === null ? null : await findKey(options, url, world);
  return url === null || apiKey === null ? null : { url, apiKey };
}

/** The same where nothing can be done without a key. @throws Failure */
export async function connect(options: ConnectionOptions, world: World): Promise<Connection> {
  const found = await connection(options, world);
  if (found !== null) return found;
  if ((await findUrl(options, world)) === null)
    throw new Failure('usage', 'Which service? Name it with --url or RCPT_URL, or run rcpt login.');
  throw new Failure('key', 'There is no API key for this service: run rcpt login, or set RCPT_API_KEY.');
}

async function findUrl({ url }: ConnectionOptions, { env }: World): Promise<string | null> {
  const text = url ?? (env['RCPT_URL'] || (await readLogin(env))?.url);
  return text === undefined ? null : readUrl(text);
}

/** @throws Failure for a proxy that cannot be used */
export function clientOf({ url, apiKey }: Connection, world: World, patience: keyof typeof PATIENCE): Rcpt {
  const proxy = proxyFor(new URL(url), world.env);
  const through = proxy === null ? {} : { fetch: proxiedFetch(proxy) };
  return new Rcpt({ apiKey, baseURL: url, ...PATIENCE[patience], ...through, ...world.client });
}

/**
 * Plain HTTP only on this machine: each request carries the key.
 * @throws Failure; what was given is not repeated, for a key may be in it
 */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new Failure(
      'usage',
      "The service's address must be like https://verify.example.com, without a name or a key.",
    );
  if (url.protocol === 'http:' && !LOCAL.test(url.hostname))
    throw new Failure('usage', 'The service must be called over https: plain http is allowed on this machine only.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** What was typed, or stands in a file or a variable. @throws Failure; what was given is not repeated */
export function readKey(text: string, where: string): string {
  const key = text.trim();
  if (API_KEY.test(key)) return key;
  throw new Failure('key', `${where} contains no API key: a key looks like svc_live_… and has no spaces.`);
}

async function findKey({ keyFile }: ConnectionOptions, url: string, world: World): Promise<string | null> {
  if (keyFile !== null) return readKey(await readKeyFile(keyFile), keyFile);
  const given = world.env['RCPT_API_KEY'] ?? '';
  if (given !== '') return readKey(given, 'RCPT_API_KEY');
  const login = await readLogin(world.env);
  if (login?.url !== url) return null;
  return login.apiKey ?? (await keyRing(world).find(url));
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure('key', `${path} cannot be read (${systemCode(error) ?? String(error)}).`);
  }
}
