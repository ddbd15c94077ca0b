import { expect, test } from 'vitest';
import { Admissions, type Dialled, LINGERS_MS } from './own-connections.ts';

const { signal } = new AbortController();

function at(now = 10_000): { readonly admissions: Admissions; readonly dial: () => Dialled } {
  const admissions = new Admissions();
  return { admissions, dial: () => admissions.dial(now) };
}

test('of those who are all turned away nobody was there beside another', async () => {
  const { admissions, dial } = at();
  const all = [dial(), dial(), dial()];
  expect(await Promise.all(all.map((one) => admissions.turnAway(one, false, signal)))).toEqual([null, null, null]);
});

test('who is turned away first hears that the others are let in', async () => {
  const { admissions, dial } = at();
  const [first, second, third] = [dial(), dial(), dial()];
  const told = admissions.turnAway(first, false, signal);
  admissions.letIn(second);
  expect(await told).toBe(2);
  expect(await admissions.turnAway(third, true, signal)).toBe(1);
});

test('one that stood and has ended in the meantime counts, and so do as many as stood at one time', async () => {
  const { admissions, dial } = at();
  const [first, second, slow] = [dial(), dial(), dial()];
  for (const one of [first, second]) admissions.letIn(one);
  for (const one of [first, second]) admissions.end(one, 20_000);
  expect(await admissions.turnAway(slow, true, signal)).toBe(2);
});

test('one that ended just before counts for a second, unless the server meant it', async () => {
  const { admissions, dial } = at();
  const first = dial();
  admissions.letIn(first);
  admissions.end(first, 20_000);
  const told = [
    await admissions.turnAway(admissions.dial(20_000 + LINGERS_MS - 1), false, signal),
    await admissions.turnAway(admissions.dial(20_000 + LINGERS_MS - 1), true, signal),
    await admissions.turnAway(admissions.dial(20_000 + LINGERS_MS), false, signal),
  ];
  expect(told).toEqual([1, null, null]);
});

test('one that was never let in does not linger', async () => {
  const { admissions, dial } = at();
  admissions.end(dial(), 10_000);
  expect(await admissions.turnAway(dial(), false, signal)).toBeNull();
});

test('those who are dialled later are not waited for', async () => {
  const { admissions, dial } = at();
  const [first, second] = [dial(), dial()];
  const told = admissions.turnAway(first, false, signal);
  const later = dial();
  admissions.letIn(later);
  admissions.end(second, 10_000);
  expect(await told).toBeNull();
});

test('when its time is up nobody is waited for, and nothing is concluded', async () => {
  const { admissions, dial } = at();
  const [first] = [dial(), dial()];
  const abort = new AbortController();
  const told = admissions.turnAway(first, false, abort.signal);
  abort.abort();
  expect(await told).toBe(Infinity);
});
