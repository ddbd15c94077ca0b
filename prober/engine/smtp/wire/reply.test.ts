import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Reply, REPLY_BOUNDS, ReplyReader } from './reply.ts';

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function lineOf(length: number): string {
  return `250 ${'x'.repeat(length - 4)}\r\n`;
}

function readAll(reader: ReplyReader): Reply[] {
  const replies: Reply[] = [];
  for (let reply = reader.next(); reply !== null; reply = reader.next()) replies.push(reply);
  return replies;
}

function read(...chunks: (string | Uint8Array)[]): { replies: Reply[]; broken: boolean; empty: boolean } {
  const reader = new ReplyReader();
  for (const chunk of chunks) reader.feed(typeof chunk === 'string' ? bytes(chunk) : chunk);
  return { replies: readAll(reader), broken: reader.broken, empty: reader.empty };
}

test('a reply has its code, its lines and the first enhanced code in one of them', () => {
  expect(read('250-mx.test\r\n250-2.1.5 ok\r\n250 2.0.0 done\r\n')).toEqual({
    replies: [{ code: 250, enhanced: '2.1.5', lines: ['mx.test', '2.1.5 ok', '2.0.0 done'] }],
    broken: false,
    empty: true,
  });
});

test.each([
  ['550 5.1.1 gone', '5.1.1'],
  ['550 5.1.1', '5.1.1'],
  ['550 5.1.1: gone', '5.1.1'],
  ['550 5.1.1. gone', '5.1.1'],
  ['550 #5.1.0 gone', '5.1.0'],
  ['550 5.123.456 gone', '5.123.456'],
  ['550 4.2.2 a code of another class stays as it was sent', '4.2.2'],
  ['550 5.9.100.3 is an address', null],
  ['550 3.1.1 no such class', null],
  ['550 5.1 gone', null],
  ['550 5.1234.1 gone', null],
  ['550 gone 5.1.1', null],
  ['550', null],
])('the enhanced code of %j is %j', (line, enhanced) => {
  expect(read(`${line}\r\n`).replies[0]?.enhanced).toBe(enhanced);
});

test('UTF-8 survives being split inside a character, and other bytes are kept', () => {
  const words = bytes('550 почтовый ящик не найден\r\n');
  for (let cut = 1; cut < words.length; cut += 1)
    expect(read(words.subarray(0, cut), words.subarray(cut)).replies[0]?.lines).toEqual(['почтовый ящик не найден']);
  expect(read(Uint8Array.of(53, 53, 48, 32, 0xe9, 0, 0x80, 13, 10)).replies[0]?.lines).toEqual(['\u00e9\0\u0080']);
});

test('replies are the same wherever their bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, '_'));
  const reply = fc.record({
    code: fc.integer({ min: 100, max: 599 }),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(
      fc.array(reply, { maxLength: 5 }),
      fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
      (replies, cuts) => {
        const connection = bytes(
          replies
            .map(({ code, lines }) =>
              lines.map((text, i) => `${code}${i === lines.length - 1 ? ' ' : '-'}${text}\r\n`).join(''),
            )
            .join(''),
        );
        const ends = [...cuts.filter((cut) => cut < connection.length), connection.length].toSorted((a, b) => a - b);
        const parts = ends.map((end, i) => connection.subarray(ends[i - 1] ?? 0, end));
        const got = read(...parts);
        expect(got.broken).toBe(false);
        expect(got.empty).toBe(true);
        expect(got.replies.map(({ code, lines }) => ({ code, lines }))).toEqual(replies);
      },
    ),
  );
});

test('any bytes give replies within the limits, or break the reader', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
      const { replies } = read(...chunks);
      for (const { code, lines } of replies) {
        expect(code).toBeGreaterThanOrEqual(100);
        expect(code).toBeLessThan(600);
        expect(lines.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('each limit breaks the reader one step beyond it', () => {
  expect(read(lineOf(REPLY_BOUNDS.lineBytes)).broken).toBe(false);
  expect(read(lineOf(REPLY_BOUNDS.lineBytes + 1)).broken).toBe(true);
  expect(read('250 '.padEnd(REPLY_BOUNDS.lineBytes, 'x')).broken).toBe(false);
  expect(read('250 '.padEnd(REPLY_BOUNDS.lineBytes + 1, 'x')).broken).toBe(true);
  expect(read('250 '.padEnd(REPLY_BOUNDS.lineBytes, 'x'), '\n').broken).toBe(false);
  expect(read('250-\r\n'.repeat(REPLY_BOUNDS.lines)).broken).toBe(false);
  expect(read('250-\r\n'.repeat(REPLY_BOUNDS.lines + 1)).broken).toBe(true);
  expect(read('250 \r\n'.repeat(REPLY_BOUNDS.waiting)).broken).toBe(false);
  expect(read('250 \r\n'.repeat(REPLY_BOUNDS.waiting + 1)).broken).toBe(true);
  const empty = Array.from({ length: REPLY_BOUNDS.chunks }, () => new Uint8Array());
  expect(read(...empty).broken).toBe(false);
  expect(read(...empty, '2').broken).toBe(true);
  const wide = `250-${'x'.repeat(4090)}\r\n`;
  expect(read(wide.repeat(16)).broken).toBe(false);
  expect(read(wide.repeat(16), '2').broken).toBe(true);
});

test('limits apply to each reply by itself', () => {
  const wide = `250-${'x'.repeat(4090)}\r\n`;
  expect(read('250 \r\n', wide.repeat(16)).broken).toBe(false);
  const slow = Array.from({ length: REPLY_BOUNDS.chunks - 1 }, () => '');
  expect(read(...slow, '250 one\r\n', ...slow, '250 two\r\n').replies).toHaveLength(2);
});

test('of a reply the first 2,000 characters are handed on, however small its pieces', () => {
  const words = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
  const line = bytes(`250-${words}\r\n250-${words}\r\n250 ${words}\r\n`);
  const pieces = Array.from({ length: Math.ceil(line.length / 100) }, (_, at) =>
    line.subarray(at * 100, at * 100 + 100),
  );
  expect(read(...pieces).replies[0]?.lines).toEqual([words, words.slice(0, 2_000 - words.length), '']);
});

test.each(['099 a', '600 a', '2:0 a', '2/0 a', '25: a', '25/ a', '25 a', '25', 'a250', '250a', '250a b', ' 250 a'])(
  '%j is not a reply',
  (line) => {
    expect(read(`${line}\r\n`)).toEqual({ replies: [], broken: true, empty: true });
  },
);

test.each([
  ['100', 100],
  ['599', 599],
  ['250', 250],
  ['250 ', 250],
])('%j is a reply without words', (line, code) => {
  expect(read(`${line}\r\n`).replies).toEqual([{ code, enhanced: null, lines: [''] }]);
});

test('a broken reader stays broken and drops its contents', () => {
  expect(read('250-one\r\n251 two\r\n250 three\r\n')).toEqual({ replies: [], broken: true, empty: true });
});

test('a partial reply is not empty', () => {
  for (const part of ['2', '250-one\r\n', '250 ok']) expect(read(part).empty).toBe(false);
});
