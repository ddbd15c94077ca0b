import type { Health } from '../../schema/api.ts';
import { countVisit } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { Latest } from '../base/latest.ts';
import { noteRaised } from '../base/paging.ts';
import { judge, type Seen } from './judge.ts';
import { ANSWERS_WITHIN_MS, look } from './look.ts';

/** Long enough that a flood costs D1 and the fleet next to nothing, short enough to notice a change. */
const REMEMBERED_MS = 1_000;

/** By the isolate's database. */
const healthOf = new WeakMap<D1Database, Latest<Health>>();

/**
 * 200 while requests are served, 503 with the reasons in `problems` while they are not; at most 1 s old. Anyone may
 * ask.
 * @throws RequestError RATE_LIMITED
 */
export async function answerHealth(call: Call): Promise<Response> {
  countVisit(call, 'health');
  const { DB } = call.env;
  const latest = healthOf.get(DB) ?? new Latest<Health>(2 * ANSWERS_WITHIN_MS);
  healthOf.set(DB, latest);
  const health = await latest.get(Date.now() - REMEMBERED_MS, () => readHealth(call), call.waitUntil);
  return Response.json(health, { status: health.problems.length === 0 ? 200 : 503 });
}

async function readHealth(call: Call): Promise<Health> {
  const seen = await look(call);
  // Customers are served in spite of what stops only operators, who are told in another way.
  const problems = judge(seen).filter(({ cause }) => cause !== 'misconfigured');
  // The cron reports all others, but a cron that has stopped cannot.
  for (const { cause, text } of problems) if (cause === 'cron_late') noteRaised('service_down', { cause, why: text });
  return { d1: seen.d1, cronAgeS: seen.cronAgeS, ...fewest(seen.shards), problems: problems.map(({ text }) => text) };
}

/** The count of the Fleet object that sees the fewest; one that does not answer sees none. Pure. */
export function fewest(shards: Seen['shards']): Pick<Health, 'hosts' | 'ready'> {
  return {
    hosts: Math.min(...shards.map((shard) => shard?.ids.length ?? 0)),
    ready: Math.min(...shards.map((shard) => shard?.ready ?? 0)),
  };
}
