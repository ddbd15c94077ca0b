import { expect, test } from 'vitest';
import type { HostEntry } from '../../../schema/admin.ts';
import { hostLines } from './host-lines.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOST: HostEntry = {
  id: 'fra-1',
  state: 'active',
  createdAt: '2026-11-01T08:30:00.000Z',
  instances: 0,
  healthy: null,
  why: null,
  jobs: 0,
  processes: [],
  lastSeen: null,
  lastRefusal: null,
};

test('a host that is not there says when it was last seen, and why it was refused', () => {
  const refused = {
    ...HOST,
    lastSeen: '2026-11-19T11:00:00.000Z',
    lastRefusal: { at: '2026-11-21T11:58:00.000Z', why: 'its clock is 340 s ahead' },
  };
  expect(hostLines([refused], NOW)[1]).toBe(
    'fra-1  active  no         -        0     2026-11-01 08:30 UTC  2 d ago    2 min ago: its clock is 340 s ahead',
  );
});

test('a host shows each of its processes: version, age, addresses, load, and what it leaves alone', () => {
  const process = {
    version: '0.2.0',
    egress: ['192.0.2.10'],
    startedAt: '2026-11-21T11:59:55.000Z',
    seenAt: '2026-11-21T11:59:58.000Z',
    draining: false,
    healthy: true,
    jobs: 3,
    cooling: 0,
    refusing: 0,
  };
  const burned = { provider: 'google', egress: 1, refused: 31, of: 50 };
  const two = ['192.0.2.10', '192.0.2.11'];
  const [, , shown] = hostLines(
    [{ ...HOST, instances: 1, processes: [{ ...process, egress: two, refusing: 1, refusals: [burned] }] }],
    NOW,
  );
  expect(shown).toMatch(/ {2}refused by google at 192\.0\.2\.11 \(31 of 50\)$/);
  const old = { ...process, version: null, egress: ['default'], draining: true, cooling: 2, refusing: 1 };
  const lines = hostLines([{ ...HOST, instances: 2, healthy: true, jobs: 6, processes: [process, old] }], NOW);
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['host', 'state', 'connected', 'healthy', 'jobs', 'enrolled', 'last seen', 'last refused'],
    ['fra-1', 'active', 'yes (2)', 'yes', '6', '2026-11-01 08:30 UTC', 'never', '-'],
    ['', '0.2.0', 'active', 'for 5 s', 'yes', '3', '192.0.2.10', '2 s ago', '-'],
    [
      '',
      'unknown version',
      'draining',
      'for 5 s',
      'yes',
      '3',
      'address not declared',
      '2 s ago',
      'refused by 1 provider, leaves 2 mail servers alone',
    ],
  ]);
});
