import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readJudged } from './judged.ts';

const bare = (text: string): string => text.replaceAll(/\s+/g, ' ');

it('is about code that is still there', async () => {
  const gone = (await readJudged()).filter(
    ({ file, before }) => !existsSync(file) || !bare(readFileSync(file, 'utf8')).includes(bare(before)),
  );
  expect(gone.map(({ file, before }) => `${file}: ${before}`)).toEqual([]);
});
