import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterDenied,
  afterFound,
  afterVouching,
  mayVouch,
  NEW_RESOLVER,
  resolverComplaint,
  type ResolverRecord,
} from './resolver-record.ts';

const own = (zone: number) => ({ domain: zone, zone });
const finding = (count: number, account = 'one', atMs = 0, record = NEW_RESOLVER): ResolverRecord =>
  Array.from({ length: count }).reduce<ResolverRecord>(
    (after, _, n) => afterFound(after, own(n), account, atMs),
    record,
  );
const denying = (count: number, account = 'one', atMs = 0, record = NEW_RESOLVER, from = 0): ResolverRecord =>
  Array.from({ length: count }).reduce<ResolverRecord>(
    (after, _, n) => afterDenied(after, own(1_000 + from + n), account, atMs),
    record,
  );
const denyingOneOwner = (count: number, account = 'one', record = NEW_RESOLVER): ResolverRecord =>
  Array.from({ length: count }).reduce<ResolverRecord>(
    (after, _, n) => afterDenied(after, { domain: account.length * 100 + n, zone: 7 }, account, 0),
    record,
  );
/** How many denials in a row are believed by its own word. */
function believed(record: ResolverRecord, nowMs = 0): number {
  let [after, count] = [record, 0];
  for (let n = 0; n < 100; n += 1) {
    const [next, isBelieved] = afterVouching(after, nowMs);
    after = next;
    count += Number(isBelieved);
  }
  return count;
}

describe('a resolver is believed by its own word', () => {
  it.each<[string, ResolverRecord, number, number]>([
    ['never if it has found nothing', NEW_RESOLVER, 0, 0],
    ['once for each owner whose domain it found', finding(3), 0, 3],
    ['of ten denials at most, one in four of which is checked', finding(100), 0, 8],
    ['of half as many five minutes later', finding(100), 300_000, 4],
    ['once if all it found is of one owner', finding(1, 'one', 0, finding(1)), 0, 1],
    ['never after a denial that another host contradicted', denying(1, 'one', 0, finding(50)), 0, 0],
    ['again once it has found more', finding(2, 'one', 2_000, denying(1)), 2_000, 2],
    ['never while two are not ten minutes old', finding(50, 'one', 2_000, denying(2)), 600_000, 0],
  ])('%s', (_what, record, now, count) => {
    expect(believed(record, now)).toBe(count);
    expect(mayVouch(record, now)).toBe(count > 0);
  });
});

describe('a resolver is out', () => {
  it.each<[string, ResolverRecord, number, boolean]>([
    ['that denied the domains of five owners', denying(5), 0, true],
    ['not once it found something for somebody else', finding(1, 'two', 1, denying(30)), 599_000, false],
    ['though it found something for who has that against it', finding(1, 'one', 1, denying(30)), 2, true],
    ['not one that denied those of four', denying(4), 0, false],
    ['not ten minutes later', denying(5), 600_001, false],
    ['not one that found more within a minute', denying(5, 'one', 1, finding(6)), 60_000, false],
    ['one that found more longer ago', denying(5, 'one', 1, finding(6)), 60_001, true],
    ['not one that found something for somebody else', denying(30, 'one', 1, finding(1, 'two')), 60_000, false],
    [
      'one whose only backers it denied something too',
      denying(30, 'two', 1, denying(30, 'one', 0, finding(1, 'two'))),
      2,
      true,
    ],
  ])('%s', (_what, record, now, isOut) => {
    expect(resolverComplaint(record, now) !== null).toBe(isOut);
  });

  it.each<[string, ResolverRecord, boolean]>([
    ['of one account, however many its domains are', denying(29), false],
    [
      'of three about one owner',
      ['a', 'bb', 'ccc'].reduce((record, account) => denyingOneOwner(29, account, record), NEW_RESOLVER),
      false,
    ],
    [
      'of three about several',
      ['a', 'bb', 'ccc'].reduce(
        (record, account) => denying(5, account, 0, record, account.length * 100),
        NEW_RESOLVER,
      ),
      true,
    ],
  ])('and an operator is told on the word %s: %s', (_whose, record, isTold) => {
    expect(resolverComplaint(record, 0)).not.toBeNull();
    expect(resolverComplaint(record, 0, 2) !== null).toBe(isTold);
  });

  it('counts four more domains of one owner as one more', () => {
    expect([16, 17].map((count) => resolverComplaint(denyingOneOwner(count), 0) !== null)).toEqual([false, true]);
  });
});

it('never grows beyond its bounds, and is never out while somebody who accuses it of nothing is served', () => {
  const fact = fc.record({ domain: fc.nat(999), zone: fc.nat(99), account: fc.nat(300), found: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 400 }), (facts) => {
      let record = NEW_RESOLVER;
      for (const [n, { account, found, ...receiver }] of facts.entries())
        record = (found ? afterFound : afterDenied)(record, receiver, `hostile${account}`, n);
      record = afterFound(record, own(5_000), 'honest', facts.length);
      expect(resolverComplaint(record, facts.length)).toBeNull();
      expect(record.found.length).toBeLessThanOrEqual(32);
      expect(record.denied.length).toBeLessThanOrEqual(64);
      expect(record.backers.length).toBeLessThanOrEqual(128);
      expect(record.credit.value).toBeLessThanOrEqual(10);
    }),
  );
});
