import { expect, it } from 'vitest';
import { fleetTroubles, type ListedHost, SILENT } from './fleet-troubles.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const ago = (seconds: number): string => new Date(NOON - seconds * 1_000).toISOString();
const process = { version: '1.0.0', refusals: [] };
const WELL: ListedHost = {
  id: 'fra-1',
  state: 'active',
  instances: 1,
  healthy: true,
  why: null,
  lastSeen: ago(3),
  lastRefusal: null,
  starts: [],
  processes: [process],
};
const lost = { instances: 0, healthy: null, processes: [] };
const many = (n: number, like: Partial<ListedHost>): ListedHost[] =>
  Array.from({ length: n }, (_, at) => ({ ...WELL, ...like, id: `fra-${at + 1}` }));
const texts = (hosts: readonly ListedHost[]): readonly string[] => fleetTroubles(hosts, NOON).map(({ text }) => text);

it('a healthy fleet has no troubles, nor have drained hosts that left, or removed ones', () => {
  const gone = ['draining', 'removed'].map((state) => ({ ...WELL, ...lost, state }));
  expect(texts([...many(2, {}), ...gone])).toEqual([]);
});

it.each<[string, readonly ListedHost[], string]>([
  ['one lost host', [{ ...WELL, ...lost }], 'not connected: fra-1'],
  [
    'two whose clocks are wrong',
    [620, 587].map((s, at) => ({
      ...WELL,
      ...lost,
      id: `fra-${at}`,
      lastRefusal: { at: ago(1), why: `its clock is ${s} s ahead` },
    })),
    'not connected: fra-0 and fra-1: refused: its clock is 620 s ahead',
  ],
  ['forty', many(40, lost), 'not connected: 40 hosts (fra-1, fra-2, fra-3 and 37 more)'],
  [
    'canaries that fail everywhere',
    many(9, { healthy: false, why: 'no canary' }),
    'not healthy: 9 hosts (fra-1, fra-2, fra-3 and 6 more): no canary',
  ],
  ['a host that serves and is suspect', many(1, { why: SILENT }), `suspect: fra-1: ${SILENT}`],
  ['one that is out', many(1, { healthy: false, why: SILENT }), `not healthy: fra-1: ${SILENT}`],
  [
    'a provider that refuses all of us',
    many(3, { processes: [{ ...process, refusals: [{ provider: 'yahoo' }] }] }),
    'refused by yahoo: fra-1, fra-2 and fra-3',
  ],
  [
    'a crash loop',
    [{ ...WELL, starts: [600, 500, 100, 50, 25].map(ago) }],
    'started five times or more in ten minutes: fra-1',
  ],
  [
    'two versions',
    [WELL, { ...WELL, id: 'fra-2', processes: [{ ...process, version: '1.1.0' }] }],
    'hosts run 2 versions: 1.0.0 at fra-1; 1.1.0 at fra-2',
  ],
])('one line reports %s', (_what, hosts, text) => {
  expect(texts(hosts)).toEqual([text]);
});
