import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { hashKey } from '../../edge/access/key.ts';
import { mintKey } from '../../edge/access/mint.ts';
import { VARIABLES } from '../../edge/base/config.ts';
import { type LocalEdge, startLocalEdge } from '../../edge/local/miniflare.ts';
import { newKeyPair } from '../admin/keys/key-pair.ts';

// The entry of the package `@rcpt/testing`. Worker and migrations stand beside the built file.

const [WORKER, MIGRATIONS] = ['worker.js', 'migrations/'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const ACCOUNT = 'tests';

export type Rcpt = {
  /** Where the service listens: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** An API key that costs nothing: the sandbox's addresses have their results, all others are `unknown`. */
  readonly testKey: string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the service in memory, on a free port of 127.0.0.1, without probe hosts.
 * @param variables Worker variables. Unlike the live service this one has no limit of calls, unless RATE_LIMIT is given
 * @throws TypeError for a name that is no variable
 */
export async function startRcpt(variables: Readonly<Record<string, string>> = {}): Promise<Rcpt> {
  const unknown = Object.keys(variables).find((name) => !VARIABLES.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`startRcpt knows no variable ${unknown}. It takes ${VARIABLES.toSorted().join(', ')}.`);
  const secret = randomBytes(32).toString('base64url');
  const { mf, url, db } = await startLocalEdge({
    script: await readFile(WORKER ?? '', 'utf8'),
    ...(MIGRATIONS === undefined ? {} : { migrations: MIGRATIONS }),
    port: 0,
    state: null,
    vars: {
      KEY_SECRETS: secret,
      OPERATOR_KEYS: '{}',
      EDGE_SIGNING_KEY: JSON.stringify(await newKeyPair()),
      RATE_LIMIT: '0',
      ...variables,
    },
    onLog: (level, message) => {
      if (level === 'error') process.stderr.write(`${message}\n`);
    },
  });
  return { url: url.origin, testKey: await openAccount(db, secret), stop: () => mf.dispose() };
}

/** @returns the test key of a new account */
async function openAccount(db: LocalEdge['db'], secret: string): Promise<string> {
  const form = { KEY_PREFIX: 'svc_live_', TEST_KEY_PREFIX: 'svc_test_', KEY_SECRETS: [secret] };
  const key = await mintKey(form, { accountId: ACCOUNT, database: 0 }, 'test');
  await db.batch([
    db.prepare('INSERT INTO accounts (id, name, balance, created_at) VALUES (?1, ?1, 0, ?2)').bind(ACCOUNT, Date.now()),
    db
      .prepare('INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, ?, ?, ?)')
      .bind(await hashKey(key), 'key_tests', ACCOUNT, 'tests', key.slice(-4), Date.now()),
  ]);
  return key;
}
