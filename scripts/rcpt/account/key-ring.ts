import { execFile } from 'node:child_process';
import type { World } from '../world/world.ts';

// The system's key ring by the tool that the system has for it: libsecret's `secret-tool`, or `security` on macOS. The
// key goes to it over standard input, so that it stands in no list of processes.

const SERVICE = 'rcpt';
/** A key ring may ask its owner for a password first. */
const WAIT_MS = 120_000;

type Call = { readonly command: string; readonly args: readonly string[]; readonly input: string };
type Calls = { readonly [Doing in 'store' | 'find' | 'remove']: (url: string, key: string) => Call };

const LINUX: Calls = {
  store: (url, key) => ({
    command: 'secret-tool',
    args: ['store', '--label', `rcpt: API key for ${url}`, 'service', SERVICE, 'url', url],
    input: key,
  }),
  find: (url) => ({ command: 'secret-tool', args: ['lookup', 'service', SERVICE, 'url', url], input: '' }),
  remove: (url) => ({ command: 'secret-tool', args: ['clear', 'service', SERVICE, 'url', url], input: '' }),
};

const MACOS: Calls = {
  store: (url, key) => ({
    command: 'security',
    args: ['-i'],
    input: `add-generic-password -U -s ${SERVICE} -a "${url}" -w "${key}"\n`,
  }),
  find: (url) => ({ command: 'security', args: ['find-generic-password', '-s', SERVICE, '-a', url, '-w'], input: '' }),
  remove: (url) => ({ command: 'security', args: ['delete-generic-password', '-s', SERVICE, '-a', url], input: '' }),
};

/** Keys by the service that they are for. Nothing here throws: a system without a key ring keeps and finds nothing. */
export type KeyRing = {
  /** Whether the key can be found again. */
  readonly store: (url: string, key: string) => Promise<boolean>;
  readonly find: (url: string) => Promise<string | null>;
  readonly remove: (url: string) => Promise<void>;
};

export function keyRing({ env, platform }: Pick<World, 'env' | 'platform'>): KeyRing {
  const calls = platform === 'darwin' ? MACOS : LINUX;
  const find = async (url: string): Promise<string | null> => {
    const said = await call(calls.find(url, ''), env);
    return said === null || said.trim() === '' ? null : said.trim();
  };
  return {
    find,
    store: async (url, key) => (await call(calls.store(url, key), env)) !== null && (await find(url)) === key,
    remove: async (url) => void (await call(calls.remove(url, ''), env)),
  };
}

/** What the tool says; null if it is not there, or fails. */
function call({ command, args, input }: Call, env: World['env']): Promise<string | null> {
  return new Promise((done) => {
    const child = execFile(command, args, { env: { ...env }, timeout: WAIT_MS }, (error, out) =>
      done(error === null ? out : null),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
