import { expect, test } from 'vitest';
import { collect } from '../testing/scripted-service.ts';
import { readLines } from './lines.ts';

const utf8 = new TextEncoder();
const LINE_BYTES_MAX = 131_072;

/** A body in these pieces, which then ends or stays open. */
function bodyOf(pieces: readonly (string | Uint8Array)[], ending: 'ends' | 'stays' = 'ends') {
  const left = pieces.map((piece) => (typeof piece === 'string' ? utf8.encode(piece) : piece));
  const seen = { cancelled: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (ending === 'ends') controller.close();
      else return new Promise(() => {});
      return undefined;
    },
    cancel: () => void (seen.cancelled += 1),
  });
  return { body, seen };
}

async function linesOf(pieces: readonly (string | Uint8Array)[]): Promise<readonly (string | null)[]> {
  return (await collect(readLines(bodyOf(pieces).body, new AbortController().signal))).got;
}

test('lines come whole however they were cut, without those that are empty, and what was cut off at the end is none', async () => {
  expect(await linesOf(['a', 'b\nc\n\n', '\nd', '\n', 'e'])).toEqual(['ab', 'c', 'd']);
  const bytes = utf8.encode('ü€\nx\n');
  expect(await linesOf(Array.from(bytes, (byte) => new Uint8Array([byte])))).toEqual(['ü€', 'x']);
  expect(await linesOf([])).toEqual([]);
});

test('a line that is not UTF-8 or too long is null, and the next one is read', async () => {
  expect(await linesOf([new Uint8Array([0x61, 0xff, 0x0a]), 'b\n'])).toEqual([null, 'b']);
  const longest = 'x'.repeat(LINE_BYTES_MAX);
  expect(await linesOf([`${longest}\n`, 'b\n'])).toEqual([longest, 'b']);
  expect(await linesOf([`${longest}x\n`, 'b\n'])).toEqual([null, 'b']);
  expect(await linesOf([longest, 'x', 'y', '\nb\n'])).toEqual([null, 'b']);
});

test('a signal, or leaving the loop, ends the lines of an open body and cancels it', async () => {
  const { body, seen } = bodyOf(['a\n'], 'stays');
  const stop = new AbortController();
  const lines = readLines(body, stop.signal);
  expect((await lines.next()).value).toBe('a');
  const next = lines.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  await expect.poll(() => seen.cancelled).toBe(1);
  const other = bodyOf(['a\nb\n'], 'stays');
  for await (const line of readLines(other.body, new AbortController().signal)) if (line === 'a') break;
  await expect.poll(() => other.seen.cancelled).toBe(1);
});

test('what the body throws is thrown', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('reset')) });
  const { got, error } = await collect(readLines(body, new AbortController().signal));
  expect([got, error]).toEqual([[], new Error('reset')]);
});
