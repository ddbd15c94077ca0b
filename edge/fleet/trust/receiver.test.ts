import { expect, it } from 'vitest';
import { zoneOf } from './receiver.ts';

it.each([
  ['a.test', 'a.test'],
  ['x.y.a.test', 'a.test'],
  ['mail.a.co.uk', 'a.co.uk'],
  ['mail.a.com.br', 'a.com.br'],
  // A domain of its own, not a shared suffix.
  ['x.co.example', 'co.example'],
  ['test', 'test'],
])('the owner of %s is identified by %s', (name, zone) => {
  expect(zoneOf(name)).toBe(zone);
});
