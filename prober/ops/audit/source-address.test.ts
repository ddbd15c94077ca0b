import { expect, test } from 'vitest';
import { sourceAddress } from './source-address.ts';

test('packets to loopback come from loopback, or from the loopback address given', async () => {
  expect(await sourceAddress(null, '127.0.0.1')).toEqual({ kind: 'source', ip: '127.0.0.1' });
  expect(await sourceAddress('127.0.0.9', '127.0.0.1')).toEqual({ kind: 'source', ip: '127.0.0.9' });
});

test('an address that this machine lacks is reported as absent', async () => {
  expect(await sourceAddress('203.0.113.77', '127.0.0.1')).toEqual({ kind: 'absent' });
});

test('there is no route from loopback to elsewhere', async () => {
  expect(await sourceAddress('127.0.0.1', '203.0.113.1')).toEqual({ kind: 'no_route' });
});
