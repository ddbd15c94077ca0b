import type { Health } from '../schema/api.ts';
import type { Call } from './call.ts';
import type { FleetControl } from './fleet/protocol.ts';
import { fleetShards } from './objects.ts';
import { within } from './within.ts';

const ANSWERS_WITHIN_MS = 3_000;

/** 200 while a batch could be served, 503 while none could: D1 out of reach, or no host that takes work. */
export async function answerHealth(call: Call): Promise<Response> {
  const [d1, hosts] = await Promise.all([d1Answers(call.env.DB), countHosts(fleetShards(call))]);
  const health: Health = { d1, ...hosts };
  return Response.json(health, { status: d1 && health.ready > 0 ? 200 : 503 });
}

async function d1Answers(db: D1Database): Promise<boolean> {
  try {
    await within(ANSWERS_WITHIN_MS, db.prepare('SELECT 1').run());
    return true;
  } catch {
    return false;
  }
}

/** The count of the Fleet object that sees the fewest; one that does not answer sees none. */
export async function countHosts(fleet: readonly FleetControl[]): Promise<{ hosts: number; ready: number }> {
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
