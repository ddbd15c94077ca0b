import { expect, test } from 'vitest';
import { buffered } from './output.ts';

const nothing = (): Promise<void> => Promise.resolve();

test('small writes are gathered into pieces of 64 KiB of text, and the rest comes with the end', async () => {
  const pieces: number[] = [];
  const output = buffered({
    write: (text) => Promise.resolve(void pieces.push(text.length)),
    commit: nothing,
    abandon: nothing,
  });
  for (let n = 0; n < 20; n += 1) await output.write('x'.repeat(8_192));
  await output.commit();
  expect(pieces).toEqual([65_536, 65_536, 32_768]);
});
