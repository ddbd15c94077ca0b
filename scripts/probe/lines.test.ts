import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_BYTES_MAX, LineSplitter, type Line } from './lines.ts';

function split(chunks: readonly Uint8Array[]): Line[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}
const texts = (input: string): Array<string | null> => split([Buffer.from(input)]).map((line) => line.text);

describe('LineSplitter', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['a\r\nb\r\n', ['a\r', 'b\r']],
    ['\n\na\n', ['', '', 'a']],
  ])('splits %j', (input, lines) => {
    expect(texts(input)).toEqual(lines);
  });

  it('finds the same lines wherever the input is cut into chunks', () => {
    const input = fc.array(fc.constantFrom('a', 'é', '\u{1f600}', '\n', '\r\n', '')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(input, fc.array(fc.nat(20)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        expect(split(chunks)).toEqual(split([bytes]));
        expect(split(chunks).map((line) => line.text)).toEqual(
          text.split('\n').slice(0, text.endsWith('\n') || text === '' ? -1 : undefined),
        );
      }),
    );
  });

  it('keeps nothing of the chunk that the next one may overwrite', () => {
    const splitter = new LineSplitter();
    const chunk = Buffer.from('abc');
    splitter.push(chunk);
    chunk.fill('x');
    expect(splitter.push(Buffer.from('d\n'))).toEqual([{ text: 'abcd', shown: 'abcd' }]);
  });

  it('cuts a line that never ends, in as little memory', () => {
    const splitter = new LineSplitter();
    const chunk = Buffer.alloc(65_536, 'a');
    for (let i = 0; i < 100; i++) expect(splitter.push(chunk)).toEqual([]);
    const [line] = splitter.push(Buffer.from('\nb\n'));
    expect(line?.text).toHaveLength(LINE_BYTES_MAX);
  });

  it('tells bytes that are no UTF-8 from a replacement character that was written', () => {
    expect(split([Buffer.from([0x61, 0xff, 0x0a])])).toEqual([{ text: null, shown: 'a\ufffd' }]);
    expect(texts('a\ufffd\n')).toEqual(['a\ufffd']);
  });
});
