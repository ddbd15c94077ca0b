import { app } from '../../app.ts';
import { newCallId } from '../../base/call.ts';
import { databaseName, isDatabase } from '../../base/databases.ts';
import type { Env } from '../../base/env.ts';
import { pause } from '../../base/pause.ts';
import { hold } from '../../ledger/hold.ts';
import { settle } from '../../ledger/settle.ts';
import { aroundBatch } from './around-batch.ts';
import { holdFloor, settleFloor } from './ledger-floor.ts';

// The Worker as it is, for the bench of the ledger, on databases that may take a stated time for each batch, one after the
// other, as D1 does, or be locked. Under /bench the ledger alone is asked, or the same statements without it.

export { Fleet } from '../../fleet/object/fleet.ts';
export { Alarms } from '../../alarms/alarms.ts';
export { Limiter } from '../../limiter/limiter.ts';

const DATABASES = 16;
const LASTS_MS = 210_000;
const SHIELD: RateLimit = { limit: () => Promise.resolve({ success: true }) };

let paceMs = 0;
const locked = new Set<string>();
const freeAtMs = new Map<string, number>();

/** Each waits for its own turn: a promise of another request may never be kept. */
async function turn(name: string): Promise<void> {
  while (locked.has(name)) await pause(20);
  if (paceMs === 0) return;
  const now = Date.now();
  const free = Math.max(now, freeAtMs.get(name) ?? 0) + paceMs;
  freeAtMs.set(name, free);
  await pause(free - now);
}

/** The runtime hands the same bindings to every call. */
const environments = new WeakMap<Env, Env>();

function paced(env: Env): Env {
  const found = environments.get(env);
  if (found !== undefined) return found;
  const made: Env = { ...env, SHIELD };
  for (let number = 0; number < DATABASES; number += 1) {
    const name = databaseName(number);
    const db = env[name];
    if (isDatabase(db)) Object.assign(made, { [name]: aroundBatch(db, (send) => turn(name).then(send)) });
  }
  environments.set(env, made);
  return made;
}

/** One hold and its settlement of an account in the only database that knows its key. */
async function call(db: D1Database, keyHash: string, isFloor: boolean): Promise<void> {
  const batchId = newCallId(Date.now());
  if (isFloor) {
    await holdFloor(db, batchId, keyHash);
    return settleFloor(db, batchId, keyHash);
  }
  const asked = { batchId, keyHash, markUsed: false, credits: 1, addresses: 1, maxInFlight: 10_000, lastsMs: LASTS_MS };
  if ((await hold(db, asked)).kind !== 'held') throw new Error('not held');
  await settle(db, [{ batchId, back: 0, usage: { keyId: 'key', valid: 1, risky: 0, invalid: 0, unknown: 0 } }]);
}

export default {
  async fetch(request, env, ctx) {
    const made = paced(env);
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith('/bench/')) return app.fetch(request, made, ctx);
    if (pathname === '/bench/databases') {
      paceMs = Number(searchParams.get('pace') ?? 0);
      locked.clear();
      for (const name of searchParams.getAll('locked')) locked.add(name);
      return new Response('');
    }
    const db = made[searchParams.get('database') ?? ''];
    if (!isDatabase(db)) return new Response('', { status: 404 });
    await call(db, searchParams.get('key') ?? '', pathname === '/bench/floor');
    return new Response('');
  },
} satisfies ExportedHandler<Env>;
