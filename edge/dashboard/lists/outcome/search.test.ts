import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Findings, UNANSWERED } from './groups.ts';
import { type Filter, find, NO_FILTER, ROWS_SHOWN } from './search.ts';

const WORDS = [
  { status: 'valid', title: 'Exists', advice: 'Write.' },
  { status: 'unknown', title: 'Refused us', advice: 'Wait.' },
  { status: 'unknown', title: 'Silent', advice: 'Wait.' },
] as const;

/** Addresses, the nth with the words of the nth number; beyond them without an answer. */
function findingsOf(addresses: readonly string[], kinds: readonly number[]): Findings {
  const sizeOf = (words: number): number => kinds.filter((kind) => Math.min(kind, WORDS.length) === words).length;
  const groups = [...WORDS, UNANSWERED].map((words, number) => ({ ...words, size: sizeOf(number) }));
  return {
    size: addresses.length,
    groups,
    addressOf: (index) => addresses[index] ?? '',
    groupOf: (index) => Math.min(kinds[index] ?? WORDS.length, WORDS.length),
  };
}

const FINDINGS = findingsOf(['ann@a.test', 'BOB@a.test', 'cy@b.test', 'di@b.test'], [0, 1, 2, 9]);
const search = async (filter: Partial<Filter>, from = 0) =>
  (await find({ findings: FINDINGS, filter: { ...NO_FILTER, ...filter }, from }, () => false))?.shown;

it.each([
  [{}, [0, 1, 2, 3]],
  [{ query: ' bob' }, [1]],
  [{ query: '@B.' }, [2, 3]],
  [{ status: 'unknown' }, [1, 2]],
  [{ status: 'unknown', title: 'Silent' }, [2]],
  [{ status: 'none' }, [3]],
  [{ status: 'valid', query: 'b.test' }, []],
  [{ status: 'soft_bounce' }, []],
])('of %j it finds %j', async (filter, indexes) => {
  expect(await search(filter)).toEqual(indexes);
});

it('shows each matching address exactly once over all pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 200 }),
      fc.constantFrom('all', 'unknown', 'none'),
      fc.constantFrom('', '1'),
      async (kinds, status, query) => {
        const addresses = kinds.map((_, index) => `${index}@a.test`);
        const findings = findingsOf(addresses, kinds);
        const wanted = addresses
          .map((address, index) => ({ address, index, group: findings.groups[findings.groupOf(index)] }))
          .filter(
            ({ address, group }) =>
              address.includes(query) && (status === 'all' || (group?.status ?? 'none') === status),
          )
          .map(({ index }) => index);
        const seen: number[] = [];
        for (let from = 0; from === 0 || from < wanted.length; from += ROWS_SHOWN) {
          const found = await find({ findings, filter: { ...NO_FILTER, status, query }, from }, () => false);
          expect(found?.all).toBe(wanted.length);
          expect(found?.shown.length).toBeLessThanOrEqual(ROWS_SHOWN);
          seen.push(...(found?.shown ?? []));
        }
        expect(seen).toEqual(wanted);
      },
    ),
    { numRuns: 100 },
  );
});

it('stops when its result is no longer wanted', async () => {
  const many = findingsOf(
    Array.from({ length: 1_000 }, () => 'ann@a.test'),
    Array.from({ length: 1_000 }, () => 0),
  );
  expect(await find({ findings: many, filter: { ...NO_FILTER, query: 'bob' }, from: 0 }, () => true)).toBeNull();
});
