import { describe, expect, it } from 'vitest';
import type { ConnectedHost, FleetControl } from './base/fleet-protocol.ts';
import { countHosts } from './health.ts';

const ready: ConnectedHost = { id: 'fra-1', instances: 1, draining: false, healthy: true, why: null, jobs: 0 };
const sick: ConnectedHost = { ...ready, id: 'fra-2', healthy: false };
const draining: ConnectedHost = { ...ready, id: 'fra-3', draining: true };

const shard = (...hosts: ConnectedHost[]): Pick<FleetControl, 'hosts'> => ({
  hosts: () => Promise.resolve(hosts),
});
const deaf: Pick<FleetControl, 'hosts'> = {
  hosts: () => Promise.reject(new Error('reset')),
};

describe('countHosts', () => {
  it('counts the hosts of the shard to which the fewest are connected', async () => {
    expect(await countHosts([shard(ready, sick, draining), shard(ready), shard(ready, sick)])).toMatchObject({
      hosts: 1,
    });
  });

  it('counts the ready hosts of the shard with the fewest ready hosts, even if another has fewer hosts', async () => {
    expect(await countHosts([shard(ready), shard(sick, draining), shard(ready, ready)])).toEqual({
      hosts: 1,
      ready: 0,
    });
    expect(await countHosts([shard(ready, ready), shard(ready, sick)])).toEqual({ hosts: 2, ready: 1 });
  });

  it('counts none if a shard does not answer', async () => {
    expect(await countHosts([shard(ready), deaf])).toEqual({ hosts: 0, ready: 0 });
  });
});
