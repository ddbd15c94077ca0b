import { describe, expect, it } from 'vitest';
import { networkOf, prefixOf } from './shield.ts';

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

describe('prefixOf', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7', '192.0.2.7']],
    ['2001:db8:1:2ff:3:4:5:6', ['2001:db8:1:200::/56', '2001:db8:1:0::/48']],
    ['2001:db8:1:3aa::', ['2001:db8:1:300::/56', '2001:db8:1:0::/48']],
  ])('of %s is %j', (address, networks) => {
    expect([56, 48].map((bits) => prefixOf(address, bits))).toEqual(networks);
  });
});
