import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { BLOCK, Blocks } from './blocks.ts';
import { OriginalsFinder } from './originals.ts';
import { Spill } from './spill.ts';

function originalsOf(emails: Iterable<string>) {
  const finder = new OriginalsFinder();
  for (const email of emails) finder.add(email);
  return finder.finish();
}

test('each address has the place where it stood first, whatever its spelling, and is counted once', () => {
  const email = fc.constantFrom('a@x.test', ' A@X.test', 'b@x.test', 'c@x.test', 'ü@x.test', 'u\u0308@x.test', 'none');
  fc.assert(
    fc.property(fc.array(email, { maxLength: 40 }), (emails) => {
      const identities = emails.map((one) => one.trim().toLowerCase().normalize('NFC'));
      const originals = originalsOf(emails);
      const firstOf = originals.reader();
      const places = [...emails.keys()];
      expect(places.map(firstOf)).toEqual(identities.map((one) => identities.indexOf(one)));
      expect(places.filter(originals.isFirst)).toHaveLength(originals.distinct);
      expect(originals.distinct).toBe(new Set(identities).size);
      expect(places.map(originals.mayCost)).toEqual(emails.map((one) => one !== 'none'));
      originals.close();
    }),
  );
});

test('a list that does not fit into the pages in memory is the same', () => {
  const count = 200_000;
  const distinct = 150_001;
  const originals = originalsOf(Array.from({ length: count }, (_, n) => `u${n % distinct}@x.test`));
  const firstOf = originals.reader();
  const wrong = Array.from({ length: count }, (_, n) => n).filter((place) => firstOf(place) !== place % distinct);
  expect({ wrong, distinct: originals.distinct }).toEqual({ wrong: [], distinct });
  // A second reader begins anew.
  expect(originals.reader()(distinct + 1)).toBe(1);
  originals.close();
});

test('records come back by their buckets and in their order, from memory and from the disk', () => {
  const spill = new Spill(4);
  const record = Buffer.alloc(4);
  for (let n = 0; n < 9_000; n += 1) {
    record.writeUInt32LE(n);
    spill.add(n % 3, record);
  }
  const numbers = Array.from(spill.records(1), (bytes) => bytes.readUInt32LE());
  expect(numbers).toEqual(Array.from({ length: 3_000 }, (_, n) => n * 3 + 1));
  expect([...spill.records(7)]).toEqual([]);
  spill.close();
});

function read(emails: readonly string[]): Blocks {
  const blocks = new Blocks();
  for (const email of emails) blocks.add(email);
  return blocks;
}

function ended(emails: readonly string[]): Blocks {
  const blocks = read(emails);
  blocks.end();
  return blocks;
}

test('a list that is read again is compared block by block', () => {
  const whole = Array.from({ length: BLOCK * 70 + 3 }, (_, n) => `u${n}@x.test`);
  const first = ended(whole);
  for (const length of [0, 1, BLOCK - 1, BLOCK, BLOCK * 65, whole.length])
    expect([length, first.agreesWith(read(whole.slice(0, length)), false)]).toEqual([length, true]);
  expect(first.agreesWith(ended(whole), true)).toBe(true);
  expect(ended([]).agreesWith(ended([]), true)).toBe(true);
  for (const other of [whole.slice(0, -1), whole.slice(0, BLOCK * 70), [...whole, 'one@more.test'], []])
    expect(first.agreesWith(ended(other), true)).toBe(false);
  expect(ended(whole.slice(0, BLOCK)).agreesWith(read(whole.slice(0, BLOCK * 2)), false)).toBe(false);
  for (const place of [0, BLOCK - 1, BLOCK * 69]) {
    const changed = whole.with(place, 'other@x.test').slice(0, (Math.floor(place / BLOCK) + 1) * BLOCK);
    expect(first.agreesWith(read(changed.slice(0, -1)), false)).toBe(true);
    expect(first.agreesWith(read(changed), false)).toBe(false);
  }
});
