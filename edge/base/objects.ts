import type { Call } from './call.ts';
import { type Config, readAlarmConfig } from './config.ts';
import type { Env } from './env.ts';

// How the Worker reaches its objects: their names and where they live. Each call gets a stub of its own, because a stub
// that threw stays broken.

type Reach = Pick<Call, 'env' | 'config'>;
type FleetStub = ReturnType<Env['FLEET']['getByName']>;
type AlarmsStub = ReturnType<Env['ALARMS']['getByName']>;
type LimiterStub = ReturnType<Env['LIMITER']['getByName']>;

/** Every Fleet object, by shard: a host dials in to all of them, so what concerns a host concerns each. */
export function fleetShards({ env, config }: Reach): readonly FleetStub[] {
  const objects = inJurisdiction(env.FLEET, config);
  return Array.from({ length: config.FLEET_SHARDS }, (_, shard) => objects.getByName(shardName(shard)));
}

/**
 * The Fleet object of a batch: always the same for the same id, so that a repeated batch finds its hosts.
 * @param batchId a UUID whose last eight hexadecimal digits are random
 * @param further the object this many places after it
 */
export function fleetOfBatch({ env, config }: Reach, batchId: string, further = 0): FleetStub {
  const shard = (shardOfBatch(config, batchId) + further) % config.FLEET_SHARDS;
  return inJurisdiction(env.FLEET, config).getByName(shardName(shard));
}

/** The number of that object. */
export function shardOfBatch({ FLEET_SHARDS }: Pick<Config, 'FLEET_SHARDS'>, batchId: string): number {
  return Number.parseInt(batchId.slice(-8), 16) % FLEET_SHARDS;
}

/** The Limiter object of a key, by the name that its bearer has for it. */
export function limiterNamed({ env, config }: Reach, name: string): LimiterStub {
  return inJurisdiction(env.LIMITER, config).getByName(name);
}

/** The object that collects everything that pages, available even if other variables are wrong. */
export function alarmsObject(env: Pick<Env, 'ALARMS'>): AlarmsStub {
  return inJurisdiction(env.ALARMS, readAlarmConfig(env)).getByName('alarms');
}

/** Whether an object was not asked because its queue is too long: asking again would make it worse. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && 'overloaded' in error && error.overloaded === true;
}

/** The name of a Fleet object. */
export function shardName(shard: number): string {
  return `fleet-${shard}`;
}

/** Where the operator wants the objects: pinned to the EU, or anywhere (local workerd pins none). */
function inJurisdiction<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  config: Pick<Config, 'JURISDICTION'>,
): DurableObjectNamespace<T> {
  return config.JURISDICTION === '' ? namespace : namespace.jurisdiction(config.JURISDICTION);
}
