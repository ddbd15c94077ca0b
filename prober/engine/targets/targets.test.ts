import { expect, test } from 'vitest';
import { Gate, targetsOf } from './targets.ts';

const gate = new Gate([
  { cidr: '127.0.0.0/8', port: 2525 },
  { cidr: '10.1.0.0/16', port: 2626 },
]);

test.each([
  ['a declared address in a route', '127.0.0.2', true, 2525],
  ['a declared address in another route', '10.1.2.3', true, 2626],
  ['a declared private address outside every route', '10.2.0.1', true, null],
  ['a declared public address', '11.1.1.1', true, 25],
  ['the address of a route, not declared', '127.0.0.2', false, null],
  ['a public address', '11.1.1.1', false, 25],
  ['a mapped form of a routed address', '::ffff:127.0.0.2', true, null],
  ['a name', 'localhost', true, null],
  ['nothing', '', true, null],
])('%s', (_what, ip, declared, port) => {
  expect(gate.admit('mx.test', { ip, declared })?.port ?? null).toBe(port);
});

test('the dialled address is the canonical spelling of the checked one', () => {
  expect(gate.admit('mx.test', { ip: '2600:0:0::00AB', declared: false })).toEqual({
    host: 'mx.test',
    ip: '2600::ab',
    family: 6,
    port: 25,
  });
});

test('a route that is not an address range is rejected when the engine is created', () => {
  expect(() => new Gate([{ cidr: 'loopback', port: 25 }])).toThrow('address range');
});

function find(ips: readonly string[], certain: boolean) {
  return targetsOf('mx.test', { addresses: ips.map((ip) => ({ ip, declared: false })), certain }, gate, () => 0);
}

test('a host with only rejected addresses has only private ones; without addresses it has none', () => {
  expect(find(['10.0.0.1', '::1'], true)).toEqual({ targets: [], onlyPrivate: true, certain: true });
  expect(find([], false)).toEqual({ targets: [], onlyPrivate: false, certain: false });
  expect(find(['10.0.0.1'], true).onlyPrivate).toBe(true);
  expect(find(['10.0.0.1', '11.0.0.1'], true).onlyPrivate).toBe(false);
});
