import { expect, test } from 'vitest';
import { canonicalIp } from './routable.ts';
import { networkOf } from './network.ts';

test.each([
  ['192.0.2.1', '192.0.2'],
  ['192.0.2.255', '192.0.2'],
  ['192.0.20.1', '192.0.20'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8:1::1', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0'],
  ['2001:0db8:0000:ffff::1', '2001:db8:0'],
  ['2001::1', '2001:0:0'],
  ['2001::5:6:7:8:9', '2001:0:0'],
  ['2001:db8:0:1:2:3:4::', '2001:db8:0'],
  ['::1', '0:0:0'],
])('%s is in %s', (text, network) => {
  const address = canonicalIp(text);
  expect(address === null ? null : networkOf(address.ip, address.family)).toBe(network);
});
