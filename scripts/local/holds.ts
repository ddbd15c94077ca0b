import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalEdge } from '../../edge/local/miniflare.ts';

// Credits that are held for a request come back with its settlement, and those of a killed service with a later sweep. No
// request outlives the service, so that at its end there is nothing to wait for but settlements.

/** Longer than a request waits for a host when none is left. */
const SETTLED_WITHIN_MS = 6_000;
const AGAIN_MS = 20;

type Databases = LocalEdge['dbs'];

/** Waits for the settlement of the requests that have been taken so far. */
export async function waitUntilSettled(dbs: Databases): Promise<void> {
  const now = Date.now();
  const giveUpAt = performance.now() + SETTLED_WITHIN_MS;
  const open = 'SELECT id FROM holds WHERE closed_by IS NULL AND opened_at <= ? LIMIT 1';
  const isOpen = async (db: Databases[number]) => (await db.prepare(open).bind(now).all()).results.length > 0;
  while (performance.now() < giveUpAt && (await Promise.all(dbs.map(isOpen))).includes(true)) await sleep(AGAIN_MS);
}
