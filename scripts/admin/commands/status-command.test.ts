import { describe, expect, test } from 'vitest';
import type { HostEntry } from '../../../schema/admin.ts';
import { hostOf, processOf } from '../testing/host-entry.ts';
import { statusLines } from './status-command.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const WELL = { problems: [], d1: true, cronAgeS: 31, hosts: 1, ready: 1 };
const HOST = hostOf();
const troubles = (health: object, host: object = {}): readonly string[] =>
  statusLines({ health: { ...WELL, ...health }, hosts: [{ ...HOST, ...host }], overview: null }, NOW)
    .filter((line) => line.startsWith('  ! '))
    .map((line) => line.slice(4));

describe('status', () => {
  test('shows that all is well, the outcome of calls, and the hosts', () => {
    const minutes = [{ calls: 4, addresses: 1_200, faults: 1, gone: 2, ms_200: 3, reason_timeout: 7 }];
    const lines = statusLines({ health: WELL, hosts: [HOST], overview: { minutes, hours: [] } }, NOW);
    expect(lines[0]).toBe('2026-11-21 12:00:00 UTC   all is well   1 of 1 hosts are ready');
    expect(lines[3]).toMatch(/^last hour +4 +1,200 +25\.0 % +2 +200 ms +200 ms +timeout 7$/);
    expect(lines[4]).toMatch(/^last day +0 +0 +- +0 +- +- +-$/);
    expect(lines.slice(5, 7)).toEqual(['', expect.stringMatching(/^host +state/)]);
    expect(lines).toHaveLength(9);
  });

  test.each<[string, object, object, RegExp]>([
    [
      'requests fail',
      { problems: ["hosts refuse the edge's jobs: token (7 of 7 verifications failed in the last 5 minutes)"] },
      {},
      /^hosts refuse the edge's jobs: token .*: edge\/runbooks\/service-down/,
    ],
    ['the cron never ran', { cronAgeS: null }, {}, /has never completed a run/],
    ['a host is away', {}, { instances: 0, healthy: null }, /^not connected: fra-1: .*host-away/],
    ['a host never came', {}, { instances: 0, healthy: null, lastSeen: null }, /^never connected: fra-1: .*host-away/],
    [
      'a host is sick',
      {},
      { healthy: false, why: 'its self-check fails: host' },
      /not healthy: fra-1: its self-check fails: host/,
    ],
    [
      'an address is burned',
      {},
      { processes: [processOf({ refusals: [{ provider: 'yahoo', egress: 0 }] })] },
      /refused by yahoo/,
    ],
  ])('says first that %s, and where to read what to do', (_what, health, host, words) => {
    expect(troubles(health, host)).toEqual([expect.stringMatching(words)]);
  });

  test('counts every expected host, connected or not, and every other one that is connected', () => {
    const gone = { instances: 0, healthy: null, processes: [] };
    const hosts: readonly HostEntry[] = [
      HOST,
      { ...HOST, id: 'fra-2', ...gone, lastSeen: null },
      { ...HOST, id: 'fra-3', ...gone },
      { ...HOST, id: 'fra-4', state: 'draining' },
      { ...HOST, id: 'fra-5', state: 'draining', ...gone },
    ];
    expect(statusLines({ health: { ...WELL, hosts: 2 }, hosts, overview: null }, NOW)[0]).toMatch(
      / 1 of 4 hosts are ready$/,
    );
  });

  test.each<[string, readonly string[], Record<string, number>, readonly string[]]>([
    [
      'refused lists',
      [],
      { error_fleet_full: 11 },
      ['no room: add a host (11 lists refused in the last ten minutes): prober/runbooks/grow.md'],
    ],
    [
      'them once, if they are half of all',
      ['no room: add a host (6 of 12 lists refused in the last two minutes)'],
      { error_fleet_full: 11, error_service_down: 2 },
      ['no room: add a host (6 of 12 lists refused in the last two minutes): prober/runbooks/grow.md'],
    ],
    [
      'calls that failed',
      [],
      { calls: 30, faults: 3 },
      ['3 of 30 calls failed through a fault of ours in the last two minutes: edge/runbooks/requests-fail.md'],
    ],
    ['no two of them', [], { calls: 30, faults: 2 }, []],
  ])('tells of %s', (_what, problems, minute, told) => {
    const overview = { minutes: [minute], hours: [] };
    const lines = statusLines({ health: { ...WELL, problems: [...problems] }, hosts: [HOST], overview }, NOW);
    expect(lines.filter((line) => line.startsWith('  ! '))).toEqual(told.map((text) => `  ! ${text}`));
  });

  test('leaves out a host that is drained and gone', () => {
    expect(troubles({}, { state: 'draining', instances: 0, healthy: null })).toEqual([]);
  });
});
