import { describe, expect, it } from 'vitest';
import { networkOf, networksOf, Refused } from './shield.ts';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001::5:6:7:8:9', '2001:0:0:5::/64'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('networksOf', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['2001:db8:1:2ff:3:4:5:6', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1:0::/48']],
    ['2001:db8:1:2aa::', ['2001:db8:1:2aa::/64', '2001:db8:1:200::/56', '2001:db8:1:0::/48']],
    ['2001:db8:1:3aa::', ['2001:db8:1:3aa::/64', '2001:db8:1:300::/56', '2001:db8:1:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0:0::/48']],
  ])('of %s are %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});

describe('Refused', () => {
  it('holds no more networks than its bound, and lets off the one refused longest ago', () => {
    const refused = new Refused(10);
    for (let n = 0; n < 1_000; n += 1) {
      refused.refuse('again and again', 5_000);
      refused.refuse(`network ${n}`, 5_000);
    }
    const left = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => refused.leftMs(`network ${n}`, 1_000) > 0);
    expect(left).toEqual(Array.from({ length: 9 }, (_, i) => 991 + i));
    expect(refused.leftMs('again and again', 1_000)).toBe(4_000);
  });

  it('refuses nobody beyond his time, and nobody it does not know', () => {
    const refused = new Refused();
    refused.refuse('a', 5_000);
    expect([refused.leftMs('a', 4_999), refused.leftMs('a', 5_000)]).toEqual([1, 0]);
    expect(refused.leftMs('b', 4_999)).toBeLessThanOrEqual(0);
    refused.letOff('a');
    expect(refused.leftMs('a', 1_000)).toBeLessThanOrEqual(0);
  });
});
