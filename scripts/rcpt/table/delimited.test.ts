import { expect, test } from 'vitest';
import { readDelimited } from './delimited.ts';

test('a quote that is never closed is given up long before the end of the file', async () => {
  let pieces = 0;
  const endless = (async function* () {
    yield 'id,email\n1,a@x.test\n"';
    for (; pieces < 10_000; pieces += 1) yield '2,b@x.test\n'.repeat(1_000);
  })();
  const read = async (): Promise<void> => {
    for await (const row of readDelimited(endless, ',', 'list.csv')) expect(row.cells).toHaveLength(2);
  };
  await expect(read()).rejects.toThrow('list.csv: a quote that opens after row 2 is never closed.');
  expect(pieces).toBeLessThan(200);
});
