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

const FLOOR = fileURLToPath(new URL('../../../../edge/testing/worker/floor.ts', import.meta.url));
const HOST = fileURLToPath(new URL('./instant-host.ts', import.meta.url));
const CREDITS = 1_000_000_000;
const YEAR_MS = 365 * 86_400_000;
const SECRET = 'secret of the bench: 32 bytes or more';

type Started = Awaited<ReturnType<typeof startLocalEdge>>;

export type Stage = {
  readonly edge: URL;
  readonly floor: URL;
  /** One key, of one account, for each parallel caller. */
  readonly keys: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Starts everything and waits until both hosts are connected. */
export async function setStage(lanes: number): Promise<Stage> {
  const edgeKey = await newKeyPair();
  const vars = {
    KEY_SECRETS: SECRET,
    OPERATOR_KEYS: '{}',
    EDGE_SIGNING_KEY: JSON.stringify(edgeKey),
    // Counted, and never reached.
    RATE_LIMIT: '1000000',
    // All lanes are keys of one account.
    ACCOUNT_RATE_LIMIT: '0',
  };
  const edge = await startLocalEdge({ script: await bundleEdge(), port: 0, state: null, vars, onLog: complain });
  const floor = await startLocalEdge({
    script: await bundleEdge(FLOOR),
    port: 0,
    state: null,
    vars: {},
    onLog: complain,
  });
  const keys = await Promise.all(Array.from({ length: lanes }, mintKey));
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
    async stop() {
      host.kill('SIGKILL');
      await Promise.all([edge.mf.dispose(), floor.mf.dispose()]);
    },
  };
}

function complain(level: string, line: string): void {
  if (level !== 'info' && level !== 'log') process.stderr.write(`${line}\n`);
}

async function mintKey(): Promise<string> {
  const stem = `svc_live_0${randomUUID().replaceAll('-', '').slice(0, 29)}`;
  return stem + (await tagOf(stem, SECRET));
}

/** Accounts named by number, each with a key of this hash. */
async function addAccounts({ db }: Started, hashes: readonly string[]): Promise<void> {
  const account = db.prepare('INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES (?, ?, ?, ?, 0)');
  const row = db.prepare(
    "INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'first', 'purchase', ?, 0)",
  );
  const key = db.prepare(
    "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, '', '', 0)",
  );
  await db.batch(
    hashes.flatMap((hash, at) => [
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
