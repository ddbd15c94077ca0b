import type { Health } from '../schema/api.ts';
import { countVisit } from './access/shield.ts';
import type { Call } from './base/call.ts';
import type { FleetControl } from './base/fleet-protocol.ts';
import { NOW_MS } from './ledger/clock.ts';
import { Latest } from './base/latest.ts';
import { fleetShards } from './base/objects.ts';
import { within } from './base/within.ts';

const ANSWERS_WITHIN_MS = 3_000;

/** Long enough that a flood costs D1 and the fleet next to nothing, short enough to notice a change. */
const REMEMBERED_MS = 1_000;

/** By the isolate's one database. */
const healthOf = new WeakMap<D1Database, Latest<Health>>();

/**
 * 200 while a batch could be served, 503 while none could: D1 out of reach, or no host that takes work. As it was at
 * most 1 s ago: anybody may ask.
 * @throws RequestError RATE_LIMITED
 */
export async function answerHealth(call: Call): Promise<Response> {
  countVisit(call, 'health');
  const { DB } = call.env;
  const latest = healthOf.get(DB) ?? new Latest<Health>(2 * ANSWERS_WITHIN_MS);
  healthOf.set(DB, latest);
  const health = await latest.get(Date.now() - REMEMBERED_MS, () => look(call), call.waitUntil);
  return Response.json(health, { status: health.d1 && health.ready > 0 ? 200 : 503 });
}

async function look(call: Call): Promise<Health> {
  const [d1, hosts] = await Promise.all([askD1(call.env.DB), countHosts(fleetShards(call))]);
  return { ...d1, ...hosts };
}

const CRON_AGE = `SELECT max(0, (${NOW_MS} - at) / 1000) AS age FROM heartbeat`;

/** Whether the database answers, and how many seconds ago the cron last ended its turn. */
async function askD1(db: D1Database): Promise<Pick<Health, 'd1' | 'cronAgeS'>> {
  try {
    const row = await within(ANSWERS_WITHIN_MS, db.prepare(CRON_AGE).first<{ age: number }>());
    return { d1: true, cronAgeS: row?.age ?? null };
  } catch {
    return { d1: false, cronAgeS: null };
  }
}

/** The count of the Fleet object that sees the fewest; one that does not answer sees none. */
export async function countHosts(
  fleet: ReadonlyArray<Pick<FleetControl, 'hosts'>>,
): Promise<{ hosts: number; ready: number }> {
  const seen = await Promise.all(
    fleet.map(async (shard) => {
      try {
        const hosts = await within(ANSWERS_WITHIN_MS, shard.hosts());
        return { hosts: hosts.length, ready: hosts.filter((host) => host.healthy && !host.draining).length };
      } catch {
        return { hosts: 0, ready: 0 };
      }
    }),
  );
  return {
    hosts: Math.min(...seen.map((shard) => shard.hosts)),
    ready: Math.min(...seen.map((shard) => shard.ready)),
  };
}
