import { describe, expect, it } from 'vitest';
import type { ConnectedHost } from '../base/fleet-protocol.ts';
import { fewest } from './answer-health.ts';
import { whoIsThere } from './look.ts';

const ready: ConnectedHost = {
  id: 'fra-1',
  instances: 1,
  draining: false,
  healthy: true,
  why: null,
  jobs: 0,
  processes: [],
};
const sick: ConnectedHost = { ...ready, id: 'fra-2', healthy: false };
const draining: ConnectedHost = { ...ready, id: 'fra-3', draining: true };

it('a host counts as ready if it is healthy and not draining', () => {
  expect(whoIsThere({ hosts: [ready, sick, draining] })).toEqual({ ids: ['fra-1', 'fra-2', 'fra-3'], ready: 1 });
});

describe('fewest', () => {
  it('takes the minimum of hosts and of ready hosts over all objects, 0 for one that does not answer', () => {
    expect(
      fewest([
        { ids: ['fra-1'], ready: 1 },
        { ids: ['fra-1', 'fra-2'], ready: 0 },
      ]),
    ).toEqual({ hosts: 1, ready: 0 });
    expect(fewest([{ ids: ['fra-1'], ready: 1 }, null])).toEqual({ hosts: 0, ready: 0 });
  });
});
