import { expect, test } from 'vitest';
import { chooseEgress, type EgressState } from './egress-choice.ts';

const NOW = 1_000_000;
const state = (number: number, over: Partial<EgressState> = {}): EgressState => ({
  number,
  putOffMs: 0,
  coolingUntil: 0,
  connections: 0,
  rateFullAt: 0,
  ...over,
});

test.each([
  ['no address is of the family', [], { kind: 'none' }],
  ['all are equal', [state(0), state(1)], { kind: 'from', number: 0 }],
  ['one has fewer connections', [state(0, { connections: 2 }), state(1)], { kind: 'from', number: 1 }],
  ['one was used less in this minute', [state(0, { rateFullAt: NOW + 9 }), state(1)], { kind: 'from', number: 1 }],
  [
    'one cools down, and the other is busy',
    [state(0, { coolingUntil: NOW + 1 }), state(1, { connections: 9 })],
    { kind: 'from', number: 1 },
  ],
  ['one cools down until before the deadline', [state(0, { coolingUntil: NOW + 99 })], { kind: 'from', number: 0 }],
  [
    'both cool down past the deadline',
    [state(0, { coolingUntil: NOW + 900 }), state(1, { coolingUntil: NOW + 500 })],
    { kind: 'cooling', waitMs: 500 },
  ],
  [
    'one may name no unknown recipient, and the other cools down past the deadline',
    [state(0, { putOffMs: 7 }), state(1, { coolingUntil: NOW + 500 })],
    { kind: 'cooling', waitMs: 500 },
  ],
  [
    'none may name an unknown recipient',
    [state(0, { putOffMs: 9 }), state(1, { putOffMs: 7 })],
    { kind: 'put_off', number: 1, waitMs: 7 },
  ],
] as const)('if %s', (_what, states, expected) => {
  expect(chooseEgress(states, NOW, NOW + 100)).toEqual(expected);
});

test('a cool-down that has just ended delays no connection whose deadline is over', () => {
  expect(chooseEgress([state(0, { coolingUntil: NOW })], NOW, NOW - 1)).toEqual({ kind: 'from', number: 0 });
});
