/** The name of a Fleet object. Hosts join all of them. */
export function shardName(shard: number): string {
  return `fleet-${shard}`;
}

/**
 * Which Fleet object a batch goes to: always the same for the same id, so that a batch asked for again finds its hosts.
 * @param batchId a UUID whose last eight hexadecimal digits are random
 * @param shards `FLEET_SHARDS`
 */
export function shardOf(batchId: string, shards: number): string {
  return shardName(Number.parseInt(batchId.slice(-8), 16) % shards);
}
