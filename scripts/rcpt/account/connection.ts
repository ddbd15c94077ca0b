import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutEndSlashes } from '../../../schema/client/base/end-slashes.ts';
import { type Attempt, Rcpt } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import { Failure, systemCode } from '../failure/failure.ts';
import { isThisMachine } from '../../base/this-machine.ts';
import { CLEAR_LINE, type Environment, type Terminal } from '../environment/environment.ts';
import { askSecret } from './ask.ts';
import { useProxy } from './proxy.ts';
import { loginPath, parseLogin, readLogin, writeLogin } from './login.ts';

/** What the command line says of the service. */
export type ConnectionOptions = { readonly url?: string; readonly keyFile?: string; readonly verbose?: true };

const API_KEY = /^[\w.~+/=-]{8,512}$/;
/** As it stands in a header, or in a file of variables. */
const AROUND_KEY = /^(?:Bearer +)?(["']?)([^"']*)\1$/i;

/** Where `npm start` serves by default. */
const LOCAL_SERVICE = 'http://127.0.0.1:8787';

/** Which service, and as whom. */
export type Connection = { readonly url: string; readonly apiKey: string; readonly isVerbose: boolean };

/** A balance that someone waits for, what an assistant asks, and a list that outlives a restart of the service. */
const PATIENCE = {
  quick: { maxRetries: 1, timeoutMs: 20_000 },
  served: { maxRetries: 1 },
  patient: { maxRetries: 8 },
} as const;

/**
 * The service, from `--url`, RCPT_URL or the login; the key, from `--key-file`, RCPT_API_KEY or the login. A key from
 * the login goes to no service but the one that it was checked with. Where nothing names a service, a clone of the
 * repository has its own, with the key of its demo account.
 * @returns null if there is no service or no key
 * @throws Failure
 */
export async function connection(options: ConnectionOptions, environment: Environment): Promise<Connection | null> {
  const url = await findUrl(options, environment);
  if (url === null) return localDemo(options, environment);
  const apiKey = await findKey(options, url, environment);
  return apiKey === null ? null : { url, apiKey, isVerbose: options.verbose === true };
}

/** The same where nothing can be done without a key. @throws Failure */
export async function connect(options: ConnectionOptions, environment: Environment): Promise<Connection> {
  const found = await connection(options, environment);
  if (found !== null) return found;
  if ((await findUrl(options, environment)) === null)
    throw new Failure('usage', 'Which service? Name it with --url or RCPT_URL, or run rcpt login.');
  throw new Failure('key', 'There is no API key for this service: run rcpt login, or set RCPT_API_KEY.');
}

async function findUrl({ url }: ConnectionOptions, { env }: Environment): Promise<string | null> {
  const text = url ?? (env['RCPT_URL'] || (await readLogin(env))?.url);
  return text === undefined ? null : readUrl(text);
}

async function localDemo(options: ConnectionOptions, environment: Environment): Promise<Connection | null> {
  if (environment.localState === null) return null;
  const text = await readFile(join(environment.localState, 'demo.json'), 'utf8').catch(() => '{}');
  const demo = parseLogin(text.replace(/^\s*\{/, `{"url":"${LOCAL_SERVICE}",`));
  if (demo === null) return null;
  const apiKey = await givenKey(options, environment.env);
  environment.messages.write(
    `Using the local service at ${LOCAL_SERVICE} with ${apiKey === null ? 'its demo key' : 'your key'}.\n`,
  );
  return { ...demo, ...(apiKey === null ? {} : { apiKey }), isVerbose: options.verbose === true };
}

/** @throws Failure for a proxy that cannot be used */
export function clientOf(
  { url, apiKey, isVerbose }: Connection,
  environment: Environment,
  patience: keyof typeof PATIENCE,
): Rcpt {
  useProxy(new URL(url), environment.env);
  const onAttempt = isVerbose ? (attempt: Attempt) => tellAttempt(attempt, environment.messages) : undefined;
  return new Rcpt({ apiKey, baseURL: url, onAttempt, ...PATIENCE[patience], ...environment.client });
}

/** One line for `--verbose`, above the line that a terminal redraws. */
function tellAttempt({ path, attempt, status, requestId, ms }: Attempt, messages: Terminal): void {
  const how = status === null ? 'no response' : String(status);
  const id = requestId === null ? '' : `, request ${requestId}`;
  const again = attempt === 1 ? '' : `, attempt ${attempt}`;
  messages.write(`${messages.isTTY === true ? CLEAR_LINE : ''}${path}: ${how} in ${ms} ms${id}${again}\n`);
}

/** A login that is done: for people and programs. */
export type LoggedIn = { readonly url: string; readonly credits: number; readonly keptIn: string };

/**
 * Asks for a key, checks it with the service, and keeps it in a file of mode 0600.
 * @param text the service's address; null: the one of RCPT_URL or the last login
 * @throws Failure
 */
export async function login(text: string | undefined, environment: Environment): Promise<LoggedIn> {
  const before = await readLogin(environment.env).catch(() => null);
  const wanted = text ?? (environment.env['RCPT_URL'] || before?.url);
  if (wanted === undefined) throw new Failure('usage', 'Which service? Name it: rcpt login --url …');
  const url = readUrl(wanted);
  const apiKey = readKey(await askSecret(`API key for ${url} (not shown): `, environment), 'The input');
  const credits = await clientOf({ url, apiKey, isVerbose: false }, environment, 'quick')
    .credits({ signal: environment.stop })
    .catch((error: unknown) => {
      throw explain(error);
    });
  await writeLogin(environment.env, { url, apiKey });
  return { url, credits, keptIn: loginPath(environment.env) };
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
  if (url.protocol === 'http:' && !isThisMachine(url))
    throw new Failure('usage', 'The service must be called over https: plain http is allowed on this machine only.');
  return `${url.origin}${withoutEndSlashes(url.pathname)}`;
}

/** What was typed, or stands in a file or a variable. @throws Failure; what was given is not repeated */
export function readKey(text: string, where: string): string {
  const key = AROUND_KEY.exec(text.trim())?.[2] ?? '';
  if (API_KEY.test(key)) return key;
  throw new Failure('key', `${where} contains no API key: a key looks like svc_live_… and has no spaces.`);
}

async function findKey(options: ConnectionOptions, url: string, { env }: Environment): Promise<string | null> {
  const given = await givenKey(options, env);
  if (given !== null) return given;
  const kept = await readLogin(env);
  return kept?.url === url ? kept.apiKey : null;
}

async function givenKey({ keyFile }: ConnectionOptions, env: Environment['env']): Promise<string | null> {
  if (keyFile !== undefined) return readKey(await readKeyFile(keyFile), keyFile);
  const given = env['RCPT_API_KEY'] ?? '';
  return given === '' ? null : readKey(given, 'RCPT_API_KEY');
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure('key', `${path} cannot be read (${systemCode(error) ?? String(error)}).`);
  }
}
