import { expect, test } from 'vitest';
import { resultOf, UNPROBED } from '../testing/scripted-service.ts';
import { Shares } from './shares.ts';

const QUICK_MS = 19_999;

/** A request with so many addresses of one domain ends. */
function end(shares: Shares, count: number, tookMs: number, unprobed = 0): void {
  const domains = Array.from({ length: count }, () => 'x.test');
  shares.begin(domains);
  const result = (nth: number) => resultOf('a@x.test', nth < unprobed ? UNPROBED : {});
  shares.end(
    domains,
    domains.map((domain, nth) => [{ domain }, result(nth)] as const),
    tookMs,
  );
}

test('a domain has 100 at first, and twice as many after each request that was full and quick, up to 500', () => {
  const shares = new Shares();
  const rooms = [100, 200, 400, 500, 500].map((room) => {
    expect(shares.roomFor('x.test')).toBe(room);
    end(shares, room, QUICK_MS);
    return shares.roomFor('x.test');
  });
  expect(rooms).toEqual([200, 400, 500, 500, 500]);
  expect(shares.roomFor('y.test')).toBe(100);
});

test('a request that was slow, or not full, says nothing', () => {
  const shares = new Shares();
  end(shares, 100, 20_000);
  end(shares, 99, QUICK_MS);
  expect(shares.roomFor('x.test')).toBe(100);
});

test('one unprobed address halves the share of its domain, down to five', () => {
  const shares = new Shares();
  const rooms = Array.from({ length: 6 }, () => {
    end(shares, 10, QUICK_MS, 1);
    return shares.roomFor('x.test');
  });
  expect(rooms).toEqual([50, 25, 12, 6, 5, 5]);
});

test('a domain that was slow is in one request at a time, until all that it has there is answered', () => {
  const shares = new Shares();
  end(shares, 10, QUICK_MS, 1);
  shares.begin(['x.test', 'x.test']);
  shares.begin(['x.test']);
  expect(shares.roomFor('x.test')).toBe(0);
  shares.end(['x.test', 'x.test'], [], QUICK_MS);
  expect(shares.roomFor('x.test')).toBe(0);
  shares.end(['x.test'], [], QUICK_MS);
  expect(shares.roomFor('x.test')).toBe(50);
  shares.begin(['y.test']);
  expect(shares.roomFor('y.test')).toBe(100);
});

test('of ten thousand domains that differ from the first guess the last are remembered', () => {
  const shares = new Shares();
  for (let n = 0; n <= 10_000; n += 1) {
    const domain = `d${n}.test`;
    shares.end([domain], [[{ domain }, resultOf(`a@${domain}`, UNPROBED)]], 0);
  }
  expect(['d0.test', 'd1.test', 'd10000.test'].map((domain) => shares.roomFor(domain))).toEqual([100, 50, 50]);
});
