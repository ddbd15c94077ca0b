import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hashKey, tagOf } from '../../../../edge/access/key.ts';
import type { Enrolment } from '../../../../schema/enrolment.ts';
import { publicHalf } from '../../../../schema/jwk.ts';
import { newKeyPair } from '../../../admin/keys/key-pair.ts';
import { bundleEdge } from '../../../../edge/local/bundle-edge.ts';
import { startLocalEdge } from '../../../../edge/local/miniflare.ts';

// What the bench runs on: the Worker and its floor, each in a workerd of its own, and the process of both hosts.

const EDGE = fileURLToPath(new URL('../../../../edge/testing/worker/live-shield.ts', import.meta.url));
const FLOOR = fileURLToPath(new URL('../../../../edge/testing/worker/floor.ts', import.meta.url));
const HOST = fileURLToPath(new URL('./instant-host.ts', import.meta.url));
const CREDITS = 1_000_000_000;
const YEAR_MS = 365 * 86_400_000;
const SECRETS = ['new secret of the bench: 32 bytes or more', 'old secret of the bench: 32 bytes or more'] as const;

type Started = Awaited<ReturnType<typeof startLocalEdge>>;

export type Stage = {
  readonly edge: URL;
  readonly floor: URL;
  /** One key, of one account, for each parallel caller. They are in the databases in turn. */
  readonly keys: readonly string[];
  /** The Worker's databases. */
  readonly dbs: Started['dbs'];
  /** Waits until every batch of the Worker's is settled. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts everything and waits until both hosts are connected.
 * @param rateLimit requests a minute and key
 * @param worker the Worker with its surroundings, and how many databases it has
 */
export async function setStage(
  lanes: number,
  rateLimit: number,
  { entry, databases }: { readonly entry: string; readonly databases: number } = { entry: EDGE, databases: 1 },
): Promise<Stage> {
  const edgeKey = await newKeyPair();
  const vars = {
    KEY_SECRETS: SECRETS.join(','),
    OPERATOR_KEYS: '{}',
    EDGE_SIGNING_KEY: JSON.stringify(edgeKey),
    RATE_LIMIT: String(rateLimit),
    // All lanes are keys of one account.
    ACCOUNT_RATE_LIMIT: '0',
    LEDGER_DATABASES: String(databases),
  };
  const edge = await startLocalEdge({ script: await bundleEdge(entry), port: 0, state: null, vars, onLog: complain });
  const floor = await startLocalEdge({
    script: await bundleEdge(FLOOR),
    port: 0,
    state: null,
    vars: {},
    onLog: ignore,
  });
  const keys = await Promise.all(Array.from({ length: lanes }, (_, lane) => mintKey(SECRETS[0], lane % databases)));
  await addAccounts(edge, await Promise.all(keys.map(hashKey)));
  await addAccounts(
    floor,
    keys.map((_, lane) => String(lane)),
  );
  const host = await startHost(await enrol(edge, edgeKey), floor.url);
  return {
    edge: edge.url,
    floor: floor.url,
    keys,
    dbs: edge.dbs,
    settled: () => settled(edge),
    async stop() {
      host.kill('SIGKILL');
      await Promise.all([edge.mf.dispose(), floor.mf.dispose()]);
    },
  };
}

async function settled({ dbs }: Started): Promise<void> {
  const count = 'SELECT count(*) AS n FROM holds WHERE closed_by IS NULL';
  for (let tries = 0; tries < 500; tries += 1) {
    const open = await Promise.all(dbs.map((db) => db.prepare(count).first<number>('n')));
    if (open.every((n) => n === 0)) return;
    await new Promise((wake) => setTimeout(wake, 20));
  }
  throw new Error('A batch of the bench was not settled in 10 s');
}

function ignore(): void {}

function complain(level: string, line: string): void {
  if (level !== 'info' && level !== 'log') process.stderr.write(`${line}\n`);
}

/** A key of the right form, of an account in this database; with another secret than the Worker's, one that was never issued. */
export async function mintKey(secret: string = SECRETS[0], database = 0): Promise<string> {
  const stem = `svc_live_${database}${randomUUID().replaceAll('-', '').slice(0, 29)}`;
  return stem + (await tagOf(stem, secret));
}

/** Accounts named by number, each with a key of this hash, in the databases in turn. */
async function addAccounts({ dbs }: Started, hashes: readonly string[]): Promise<void> {
  for (const [number, db] of dbs.entries())
    await addTo(
      db,
      [...hashes.entries()].filter(([at]) => at % dbs.length === number),
    );
}

async function addTo(db: Started['db'], hashes: ReadonlyArray<readonly [at: number, hash: string]>): Promise<void> {
  const account = db.prepare('INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES (?, ?, ?, ?, 0)');
  const row = db.prepare(
    "INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'first', 'purchase', ?, 0)",
  );
  const key = db.prepare(
    "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, '', '', 0)",
  );
  await db.batch(
    hashes.flatMap(([at, hash]) => [
      account.bind(String(at), 'bench', CREDITS, Date.now() + YEAR_MS),
      row.bind(String(at), CREDITS),
      key.bind(hash, `key-${at}`, String(at)),
    ]),
  );
}

async function enrol({ db, url }: Started, edgeKey: Awaited<ReturnType<typeof newKeyPair>>): Promise<Enrolment> {
  const privateKey = await newKeyPair();
  await db
    .prepare("INSERT INTO hosts (id, public_key, state, created_at) VALUES ('bench', ?, 'active', 0)")
    .bind(JSON.stringify(publicHalf(privateKey)))
    .run();
  return { v: 1, host: 'bench', origin: url.origin, shards: 1, privateKey, edgeKeys: [publicHalf(edgeKey)] };
}

async function startHost(enrolment: Enrolment, floor: URL): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOST, JSON.stringify({ enrolment, floor: floor.href })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('The host of the bench ended');
    }),
  ]);
  return child;
}
