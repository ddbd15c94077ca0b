import { describe, expect, it } from 'vitest';
import { afterComparison, differencesOf, type HostTally, newTally, saidOf, type Agreement } from './host-tally.ts';

const HOUR_MS = 3_600_000;

type Said = { readonly alone?: number; readonly split?: number; readonly agreed?: number };

/** What a host said, each address another account's unless `account` says whose all were. */
function tallyOf(said: Said, account?: number): HostTally {
  let tally = newTally(0);
  let accounts = 0;
  for (const verdict of ['alone', 'split', 'agreed'] as const satisfies readonly Agreement[])
    for (let n = 0; n < (said[verdict] ?? 0); n += 1) {
      accounts += 1;
      tally = afterComparison(tally, 'google', { agreement: verdict, firm: 'refuses' }, account ?? accounts, 0);
    }
  return tally;
}
const PEER = tallyOf({ alone: 1, agreed: 99 });

describe('a host differs from its peers', () => {
  it('if it stood alone five times, in a twentieth, and three times as often as they', () => {
    const liar = tallyOf({ alone: 5, agreed: 95 });
    expect(differencesOf(liar, [PEER, PEER], 0)).toEqual([{ provider: 'google', alone: 5, split: 0, of: 100 }]);
  });

  it.each<[string, Said, readonly HostTally[]]>([
    ['fewer', { alone: 4, agreed: 10 }, [PEER, PEER]],
    ['a smaller share', { alone: 5, agreed: 96 }, [PEER, PEER]],
    ['no oftener than its peers', { alone: 20, agreed: 80 }, [tallyOf({ alone: 10, agreed: 90 })]],
    ['nothing at all', { agreed: 500 }, [PEER]],
  ])('and not by %s', (_what, said, peers) => {
    expect(differencesOf(tallyOf(said), peers, 0)).toEqual([]);
  });

  it('at one provider, and not at the others', () => {
    const both = afterComparison(tallyOf({ alone: 6 }), 'others', { agreement: 'agreed', firm: 'refuses' }, 1, 0);
    expect(differencesOf(both, [PEER], 0).map(({ provider }) => provider)).toEqual(['google']);
  });

  it('if two differ ten times and nobody is there to decide: both are named', () => {
    const two = tallyOf({ split: 10, agreed: 90 });
    expect(differencesOf(two, [two], 0)).toEqual([{ provider: 'google', alone: 0, split: 10, of: 100 }]);
    expect(differencesOf(tallyOf({ split: 9 }), [], 0)).toEqual([]);
  });

  it('never by what one or two accounts brought about', () => {
    expect(differencesOf(tallyOf({ alone: 1_000 }, 7), [PEER], 0)).toEqual([]);
    let tally = tallyOf({ alone: 1_000 }, 7);
    for (let n = 0; n < 1_000; n += 1)
      tally = afterComparison(tally, 'google', { agreement: 'alone', firm: 'refuses' }, 8, 0);
    expect(differencesOf(tally, [], 0)).toEqual([]);
    tally = afterComparison(tally, 'google', { agreement: 'alone', firm: 'refuses' }, 9, 0);
    expect(tally.current['google']).toMatchObject({ alone: 5, of: 2_001 });
  });
});

describe('what is counted', () => {
  it('ends after 12 to 24 hours', () => {
    const liar = tallyOf({ alone: 6 });
    const later = afterComparison(liar, 'google', { agreement: 'agreed', firm: 'refuses' }, 1, 13 * HOUR_MS);
    expect(differencesOf(later, [], 13 * HOUR_MS)).toMatchObject([{ alone: 6, of: 7 }]);
    expect(differencesOf(later, [], 26 * HOUR_MS)).toEqual([]);
    expect(differencesOf(liar, [], 25 * HOUR_MS)).toEqual([]);
  });

  it('is what a host said too', () => {
    const tally = afterComparison(tallyOf({ agreed: 2 }), 'google', { agreement: 'alone', firm: 'accepts' }, 1, 0);
    expect(saidOf(tally, 'google', 0)).toEqual({ accepts: 1, refuses: 2, no_mail: 0 });
    expect(saidOf(tally, 'google', 26 * HOUR_MS)).toEqual({ accepts: 0, refuses: 0, no_mail: 0 });
  });

  it('stays small, whatever a host does', () => {
    const tally = tallyOf({ alone: 5_000 });
    expect(JSON.stringify(tally).length).toBeLessThan(1_000);
  });
});
