import { expect, test } from 'vitest';
import { makeEntry } from '../list/entry.ts';
import { resultOf } from '../testing/scripted-service.ts';
import { Plan } from './plan.ts';

/** `a@x.test`: 11 octets with quotes and comma. */
function planOf(...emails: readonly string[]): Plan<string> {
  const plan = new Plan<string>();
  for (const [index, email] of emails.entries()) plan.add(makeEntry({ index, input: email }, email, []));
  return plan;
}

const ROOM = { entries: 10, bytes: 1_000 };
const anyRoom = (): number => 10;
const roomFor = (domain: string): number => (domain === 'x.test' ? 2 : 0);
const emailsOf = (entries: readonly { readonly email: string }[]): readonly string[] =>
  entries.map(({ email }) => email);

test('a request keeps the addresses of a domain together, in the order in which domains and addresses came', () => {
  const plan = planOf('a@x.test', 'b@y.test', 'c@x.test', 'd@z.test');
  expect(emailsOf(plan.nextChunk({ ...ROOM, entries: 3 }, anyRoom))).toEqual(['a@x.test', 'c@x.test', 'b@y.test']);
  expect(plan.size).toBe(1);
  expect(emailsOf(plan.nextChunk(ROOM, anyRoom))).toEqual(['d@z.test']);
  expect([plan.size, plan.nextChunk(ROOM, anyRoom)]).toEqual([0, []]);
});

test('a domain that comes again comes last', () => {
  const plan = planOf('a@x.test');
  plan.nextChunk(ROOM, anyRoom);
  for (const email of ['b@y.test', 'c@x.test']) plan.add(makeEntry({ index: 9, input: email }, email, []));
  expect(emailsOf(plan.nextChunk(ROOM, anyRoom))).toEqual(['b@y.test', 'c@x.test']);
});

test('a domain sends no more than it has room for, and the rest of it later', () => {
  const plan = planOf('a@x.test', 'b@x.test', 'c@x.test', 'd@y.test');
  expect(emailsOf(plan.nextChunk(ROOM, roomFor))).toEqual(['a@x.test', 'b@x.test']);
  expect(emailsOf(plan.nextChunk(ROOM, roomFor))).toEqual(['c@x.test']);
  expect([plan.nextChunk(ROOM, roomFor), plan.size]).toEqual([[], 1]);
});

test('a request holds no more octets than there is room for, but one that no request could hold goes alone', () => {
  const plan = planOf('a@x.test', 'b@x.test', 'c@y.test');
  // The envelope has 12.
  expect(emailsOf(plan.nextChunk({ entries: 10, bytes: 12 + 22 }, anyRoom))).toEqual(['a@x.test', 'b@x.test']);
  expect(emailsOf(planOf('a@x.test', 'b@x.test').nextChunk({ entries: 10, bytes: 33 }, anyRoom))).toEqual(['a@x.test']);
  expect(emailsOf(plan.nextChunk({ entries: 10, bytes: 1 }, anyRoom))).toEqual(['c@y.test']);
});

test('those that were never answered are counted apart, and all can be taken out', () => {
  const plan = planOf('a@x.test', 'b@x.test');
  plan.add({ ...makeEntry({ index: 2, input: 'c@y.test' }, 'c@y.test', []), result: resultOf('c@y.test') });
  expect([plan.size, plan.firsts]).toEqual([3, 2]);
  plan.nextChunk({ ...ROOM, entries: 1 }, anyRoom);
  expect([plan.size, plan.firsts]).toEqual([2, 1]);
  expect(emailsOf(plan.drain())).toEqual(['b@x.test', 'c@y.test']);
  expect([plan.size, plan.firsts, plan.drain()]).toEqual([0, 0, []]);
});
