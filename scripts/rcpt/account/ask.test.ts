import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { askSecret } from './ask.ts';

test('a terminal shows nothing any more when the question appears, and again when it is answered', async () => {
  const happened: string[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => happened.push(isRaw ? 'echo off' : 'echo on'),
  });
  const messages = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      happened.push(piece.toString());
      if (piece.toString().startsWith('Key')) input.write('secret\r');
      done();
    },
  });
  const world = { env: {}, localState: null, input, output: messages, messages, client: {} };
  expect(await askSecret('Key? ', { ...world, stop: new AbortController().signal })).toBe('secret');
  expect(happened).toEqual(['echo off', 'Key? ', 'echo on', '\n']);
});
