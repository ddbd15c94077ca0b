import { expect, test } from 'vitest';
import { OwnConnections, type OwnConnection, LINGERS_MS } from './own-connections.ts';

const { signal } = new AbortController();

function at(now = 10_000): { readonly connections: OwnConnections; readonly dial: () => OwnConnection } {
  const connections = new OwnConnections();
  return { connections, dial: () => connections.dial(now) };
}

test('of those who are all turned away nobody was there beside another', async () => {
  const { connections, dial } = at();
  const all = [dial(), dial(), dial()];
  expect(await Promise.all(all.map((one) => connections.reject(one, false, signal)))).toEqual([null, null, null]);
});

test('who is turned away first hears that the others are let in', async () => {
  const { connections, dial } = at();
  const [first, second, third] = [dial(), dial(), dial()];
  const told = connections.reject(first, false, signal);
  connections.accept(second);
  expect(await told).toBe(2);
  expect(await connections.reject(third, true, signal)).toBe(1);
});

test('one that stood and has ended in the meantime counts, and so do as many as stood at one time', async () => {
  const { connections, dial } = at();
  const [first, second, slow] = [dial(), dial(), dial()];
  for (const one of [first, second]) connections.accept(one);
  for (const one of [first, second]) connections.end(one, 20_000);
  expect(await connections.reject(slow, true, signal)).toBe(2);
});

test('one that ended just before counts for a second, unless the server meant it', async () => {
  const { connections, dial } = at();
  const first = dial();
  connections.accept(first);
  connections.end(first, 20_000);
  const told = [
    await connections.reject(connections.dial(20_000 + LINGERS_MS - 1), false, signal),
    await connections.reject(connections.dial(20_000 + LINGERS_MS - 1), true, signal),
    await connections.reject(connections.dial(20_000 + LINGERS_MS), false, signal),
  ];
  expect(told).toEqual([1, null, null]);
});

test('one that was never let in does not linger', async () => {
  const { connections, dial } = at();
  connections.end(dial(), 10_000);
  expect(await connections.reject(dial(), false, signal)).toBeNull();
});

test('those who are dialled later are not waited for', async () => {
  const { connections, dial } = at();
  const [first, second] = [dial(), dial()];
  const told = connections.reject(first, false, signal);
  const later = dial();
  connections.accept(later);
  connections.end(second, 10_000);
  expect(await told).toBeNull();
});

test('when its time is up nobody is waited for, and nothing is concluded', async () => {
  const { connections, dial } = at();
  const [first] = [dial(), dial()];
  const abort = new AbortController();
  const told = connections.reject(first, false, abort.signal);
  abort.abort();
  expect(await told).toBe(Infinity);
});
