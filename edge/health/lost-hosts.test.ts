import { describe, expect, it } from 'vitest';
import { lostHosts } from './lost-hosts.ts';

type View = Parameters<typeof lostHosts>[1][number];

const NOW = 1_700_000_000_000;
const LONG = NOW - 300_000;
const gone = (seenAtMs: number | null, refusal: { atMs: number; why: string } | null = null): View => ({
  hosts: [{ id: 'fra-2' }],
  remembered: [{ id: 'fra-1', seenAtMs, refusal, startsAtMs: [] }],
});
const HERE: View = { hosts: [{ id: 'fra-1' }, { id: 'fra-2' }], remembered: [] };

describe('lostHosts', () => {
  it.each<[string, readonly View[], readonly string[]]>([
    ['that is connected', [HERE], []],
    ['that left a moment ago, as for a reboot', [gone(NOW - 299_000)], []],
    ['that never connected', [gone(null)], []],
    ['that has been away for five minutes', [gone(LONG)], ['not connected']],
    [
      'that has been refused since',
      [gone(LONG, { atMs: NOW, why: 'its clock is 90 s ahead' })],
      ['refused: its clock is 90 s ahead'],
    ],
    ['that was refused before it was last there', [gone(LONG, { atMs: LONG - 1, why: 'busy' })], ['not connected']],
    ['that one object of two misses', [HERE, gone(LONG)], ['not connected, to 1 of 2 Fleet objects']],
    ['that all objects miss', [gone(LONG), gone(LONG)], ['not connected']],
    [
      'whose object was reset, and knows only when it started',
      [{ hosts: [], remembered: [{ id: 'fra-1', seenAtMs: null, refusal: null, startsAtMs: [LONG] }] }],
      ['not connected'],
    ],
  ])('reports a host %s', (_what, views, whys) => {
    expect(lostHosts(['fra-1'], views, NOW).map(({ why }) => why)).toEqual(whys);
  });
});
