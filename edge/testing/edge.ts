import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Bindings } from '../local/database.ts';
import { bundleEdge } from '../local/bundle-edge.ts';
import { startLocalEdge } from '../local/miniflare.ts';
import type { OutboxMail } from '../local/outbox.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { accountPartOf, hashKey, tagOf } from '../access/key.ts';
import type { Faults } from './worker/watch.ts';

// The Worker on workerd, D1 and objects, with a scripted fleet.

const ENTRY = fileURLToPath(new URL('./worker/index.ts', import.meta.url));
export const SECRETS = [
  'new secret of the tests: 32 bytes or more',
  'old secret of the tests: 32 bytes or more',
] as const;
const MAIL_VARS = { SIGN_IN_FROM: 'sign-in@verify.test' };
/** All people in these tests share one domain. */
const WELCOME_VARS = { WELCOME_SECRET: 'secret of the welcome: 32 bytes or more', WELCOME_PER_DOMAIN: '0' };
const HOUR_MS = 3_600_000;

type Started = Awaited<ReturnType<typeof startLocalEdge>>;
type Database = Started['db'];
export type Money = { readonly balance: number; readonly rows: ReadonlyArray<readonly [kind: string, delta: number]> };
export type Customer = { readonly accountId: string; readonly key: string; readonly keyHash: string };

export type Edge = {
  readonly mf: Started['mf'];
  readonly url: URL;
  readonly logs: string[];
  /** Mails that went out. */
  readonly mails: OutboxMail[];
  db(): Promise<Database>;
  /** All databases, by number. */
  readonly dbs: readonly Database[];
  /** A new account with credits and one key. */
  customer(credits: number): Promise<Customer>;
  /** POST verify with a JSON body. */
  verify(key: string, emails: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  credits(key: string): Promise<number>;
  money(accountId: string): Promise<Money>;
  /** Waits for the settlement that follows an answer: until the account has no open batches. */
  settled(accountId: string): Promise<Money>;
  /** Calls of D1 and of objects since the last time. */
  calls(): Promise<unknown>;
  /** Waits until no batch is left to be settled, and forgets the calls so far. */
  quiet(): Promise<void>;
  /** Makes the next calls fail. */
  fail(faults: Partial<Faults>): Promise<void>;
  stop(): Promise<void>;
};

/** A header that changes Worker variables for one request. */
export function withVars(vars: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'x-testing-vars': JSON.stringify(vars) };
}

/** A header that has an isolate of this name serve the request: one without the memory of the others. */
export function inIsolate(name: string): Readonly<Record<string, string>> {
  return { 'x-testing-isolate': name };
}

/** A valid key with a random part of its own. */
export async function mintKey(
  secret: string = SECRETS[0],
  prefix = 'svc_live_',
  accountId: string = randomUUID(),
): Promise<string> {
  const stem = prefix + (await accountPartOf(accountId, 0)) + randomUUID().replaceAll('-', '').slice(0, 22);
  return stem + (await tagOf(stem, secret));
}

let shared: Promise<Edge> | undefined;

/**
 * Starts one. Files that need nothing special share one per vitest worker, which ends with it: they see each other's
 * accounts, but not each other's logs and mails.
 * @param vars replace or add Worker variables
 * @param databases what the Worker's are bound to, by default one each
 */
export async function startEdge(vars: Readonly<Record<string, string>> = {}, databases?: Bindings): Promise<Edge> {
  if (Object.keys(vars).length > 0 || databases !== undefined) return startOwnEdge(vars, databases);
  shared ??= startOwnEdge({});
  const edge = await shared;
  edge.logs.length = 0;
  edge.mails.length = 0;
  return { ...edge, stop: () => Promise.resolve() };
}

/** A private one: for tests about all accounts, or about the database itself. */
export async function startOwnEdge(vars: Readonly<Record<string, string>> = {}, databases?: Bindings): Promise<Edge> {
  const logs: string[] = [];
  const mails: OutboxMail[] = [];
  const { mf, url, db, dbs } = await startLocalEdge({
    script: await bundleEdge(ENTRY),
    port: 0,
    state: null,
    ...(databases === undefined ? {} : { databases }),
    vars: {
      // Most tests sign in from one network.
      MAILS_PER_DAY: '4000',
      KEY_SECRETS: SECRETS.join(','),
      OPERATOR_KEYS: '{}',
      EDGE_SIGNING_KEY: JSON.stringify(makeKey()),
      ...MAIL_VARS,
      ...WELCOME_VARS,
      ...vars,
    },
    onLog: (_level, message) => logs.push(message),
    onMail: (mail) => mails.push(mail),
  });
  return {
    mf,
    url,
    logs,
    mails,
    dbs,
    db: () => Promise.resolve(db),
    customer: async (credits) => addCustomer(db, credits),
    verify: (key, emails, headers = {}) =>
      fetch(new URL('/api/v1/verify', url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: JSON.stringify({ emails }),
      }),
    async credits(key) {
      const answer = await fetch(new URL('/api/v1/credits', url), { headers: { authorization: `Bearer ${key}` } });
      const body: unknown = await answer.json();
      if (typeof body === 'object' && body !== null && 'credits' in body) return Number(body.credits);
      throw new Error(`No credits in ${JSON.stringify(body)}`);
    },
    money: async (accountId) => readMoney(db, accountId),
    async settled(accountId) {
      await waitSettled(db, accountId);
      return readMoney(db, accountId);
    },
    calls: async () => (await fetch(new URL('/testing/calls', url))).json(),
    async quiet() {
      await waitSettled(db, null);
      await fetch(new URL('/testing/calls', url));
    },
    fail: async (faults) => {
      await fetch(new URL('/testing/faults', url), { method: 'POST', body: JSON.stringify(faults) });
    },
    stop: () => mf.dispose(),
  };
}

async function addCustomer(db: Database, credits: number): Promise<Customer> {
  const accountId = `account-${randomUUID()}`;
  const key = await mintKey(SECRETS[0], 'svc_live_', accountId);
  const keyHash = await hashKey(key);
  const now = Date.now();
  await db.batch([
    db
      .prepare('INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES (?, ?, ?, ?, ?)')
      .bind(accountId, 'test', credits, now + HOUR_MS, now),
    db
      .prepare('INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, ?, ?, ?)')
      .bind(keyHash, randomUUID(), accountId, 'test', key.slice(-4), now),
    ...(credits === 0
      ? []
      : [
          db
            .prepare("INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'first', 'purchase', ?, ?)")
            .bind(accountId, credits, now),
        ]),
  ]);
  return { accountId, key, keyHash };
}

async function readMoney(db: Database, accountId: string): Promise<Money> {
  const balance = await db
    .prepare('SELECT balance FROM accounts WHERE id = ?')
    .bind(accountId)
    .first<number>('balance');
  const rows = await db
    .prepare("SELECT kind, delta FROM ledger WHERE account_id = ? AND ref_id <> 'first' ORDER BY at, ref_id, kind")
    .bind(accountId)
    .all<{ kind: string; delta: number }>();
  return { balance: balance ?? Number.NaN, rows: rows.results.map((row) => [row.kind, row.delta] as const) };
}

/** Batches that hold credits, and those that cost nothing under an Idempotency-Key. */
const UNDER_WAY = `
  SELECT (SELECT count(*) FROM holds WHERE account_id = ifnull(?1, account_id) AND closed_by IS NULL)
       + (SELECT count(*) FROM idempotency_keys WHERE account_id = ifnull(?1, account_id) AND free_until > 0) AS n`;

/** @param accountId null for all of them */
async function waitSettled(db: Database, accountId: string | null): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const open = await db.prepare(UNDER_WAY).bind(accountId).first<number>('n');
    if (open === 0) return;
    await new Promise((wake) => setTimeout(wake, 10));
  }
  throw new Error('The batch was not settled in 5 s');
}
