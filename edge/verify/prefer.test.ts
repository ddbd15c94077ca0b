import { expect, test } from 'vitest';
import { readWaitS } from './prefer.ts';

test.each([
  [null, null],
  ['', null],
  ['wait=3', 3],
  ['Wait = 3', 3],
  ['wait="3"', 3],
  ['respond-async, wait=10; foo=bar', 10],
  ['wait=90', 90],
  ['wait=3, wait=5', 3],
  ['wait=0', null],
  ['wait=91', null],
  ['wait=1.5', null],
  ['wait=-1', null],
  ['wait', null],
  ['wait=0x3', null],
  ['await=3', null],
  ['wait=99999999999999999999', null],
])('Prefer: %s reads as %j s', (prefer, waitS) => {
  expect(readWaitS(prefer, 90)).toBe(waitS);
});
