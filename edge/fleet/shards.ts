import type { Config } from '../config.ts';
import type { Env } from '../env.ts';
import { inJurisdiction } from '../jurisdiction.ts';
import type { Fleet } from './fleet.ts';
import { shardName } from './shard.ts';

/** Every Fleet object: what concerns a host concerns each, since a host dials in to them all. */
export function fleetShards(env: Env, config: Config): readonly DurableObjectStub<Fleet>[] {
  const objects = inJurisdiction(env.FLEET, config);
  return Array.from({ length: config.FLEET_SHARDS }, (_, shard) => objects.get(objects.idFromName(shardName(shard))));
}
