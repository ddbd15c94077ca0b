import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, type Seen } from './judge.ts';

const WELL: Seen = {
  d1: true,
  cronAgeS: 31,
  shards: [{ ids: ['fra-1', 'fra-2'], ready: 2 }],
  outcomes: [[{ served: 10 }]],
  alarmed: { faults: [], unwrittenS: null },
  wrong: [],
};
const texts = (seen: Partial<Seen>): readonly string[] => judge({ ...WELL, ...seen }).map(({ text }) => text);

describe('judge', () => {
  it('reports no problem while requests are served, or there are none', () => {
    expect(texts({})).toEqual([]);
    expect(texts({ outcomes: [] })).toEqual([]);
    expect(texts({ cronAgeS: null })).toEqual([]);
  });

  it.each<[string, Partial<Seen>, string]>([
    ['D1 is away', { d1: false, cronAgeS: null }, 'the database does not answer'],
    ['alerts cannot be sent', { alarmed: null }, 'the Alarms object does not answer: nobody is alerted'],
    ['D1 is read-only', { alarmed: { faults: [], unwrittenS: 4 } }, 'the database refuses writes'],
    ['a Fleet object is away', { shards: [{ ids: ['fra-1'], ready: 1 }, null] }, '1 of 2 Fleet objects do not answer'],
    ['there is no host', { shards: [{ ids: [], ready: 0 }] }, 'no host is connected'],
    ['no host takes work', { shards: [{ ids: ['fra-1'], ready: 0 }] }, 'no connected host takes new batches'],
    [
      'the key was replaced',
      { outcomes: [[{ refused_token: 3 }, { refused_token: 4 }]] },
      "hosts refuse the edge's jobs: token (7 of 7 verifications failed in the last 5 minutes)",
    ],
    [
      'half of all requests fail at D1',
      { alarmed: { faults: [{ database: 10 }], unwrittenS: null } },
      'the database failed (10 of 20 verifications failed in this minute)',
    ],
    [
      'half of all lists are refused for lack of room',
      {
        outcomes: [
          [
            { begun: 4, no_room: 6 },
            { begun: 2, served: 30 },
          ],
        ],
      },
      'no room: add a host (6 of 12 lists refused in the last two minutes)',
    ],
    [
      'operators’ keys cannot be read',
      { wrong: ['OPERATOR_KEYS'] },
      'Worker variables missing or wrong: OPERATOR_KEYS; customers are served',
    ],
    ['the cron has stopped', { cronAgeS: 181 }, 'the cron completed its last run 181 s ago'],
  ])('reports that %s', (_what, seen, text) => {
    expect(texts(seen)).toEqual([text]);
  });

  it('does not call one or two failures an outage, nor fewer than half', () => {
    expect(texts({ outcomes: [[{ refused_token: 2 }]] })).toEqual([]);
    expect(texts({ outcomes: [[{ refused_token: 9 }], [{ served: 10 }]] })).toEqual([]);
    expect(texts({ outcomes: [[{ no_room: 2 }], [{ no_room: 14, begun: 32 }], [{}, {}, { no_room: 90 }]] })).toEqual(
      [],
    );
  });

  it('recovers with the first minute in which requests were served and none failed', () => {
    const failed = { refused_token: 7 };
    expect(texts({ outcomes: [[{ served: 3 }, failed, failed]] })).toEqual([]);
    expect(texts({ outcomes: [[{ served: 1 }, { served: 2 }, failed]] })).toEqual([]);
    expect(texts({ outcomes: [[{ served: 2 }, failed]] })).toHaveLength(1);
    expect(texts({ outcomes: [[{ served: 3, refused_token: 1 }, failed]] })).toHaveLength(1);
  });

  it('trusts a write that succeeded after a failure', () => {
    expect(texts({ cronAgeS: 31, alarmed: { faults: [], unwrittenS: 90 } })).toEqual([]);
  });

  it('is unaffected by anything that callers can provoke', () => {
    const counts = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(counts, counts, counts, (unprobed, busy, other) => {
        const outcomes = [[{ unprobed, refused_busy: busy }]];
        expect(texts({ outcomes, alarmed: { faults: [{ other }], unwrittenS: null } })).toEqual([]);
      }),
    );
  });
});
