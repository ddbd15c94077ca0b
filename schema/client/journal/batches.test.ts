import { expect, test } from 'vitest';
import { Batches } from './batches.ts';

const turn = () => new Promise<void>((done) => setImmediate(done));

test('one batch is written at a time, and what comes meanwhile goes along with the next, once', async () => {
  const written: (readonly string[])[] = [];
  const gates: (() => void)[] = [];
  const batches = new Batches<string>((things) => {
    written.push(things);
    return new Promise((done) => gates.push(done));
  });
  void batches.add('a');
  await turn();
  const [second, third] = [batches.add('b'), batches.add('c')];
  let hasEnded = false;
  const end = batches.end().then(() => (hasEnded = true));
  await turn();
  expect(written).toEqual([['a']]);
  gates[0]?.();
  await turn();
  expect(written).toEqual([['a'], ['b', 'c']]);
  expect(hasEnded).toBe(false);
  gates[1]?.();
  await Promise.all([second, third, end]);
  await batches.end();
  expect(written).toHaveLength(2);
});

test('after a batch that failed nothing more is written, and the end is one all the same', async () => {
  let writes = 0;
  const batches = new Batches<string>(async () => {
    writes += 1;
    throw new Error('full');
  });
  await expect(batches.add('a')).rejects.toThrow('full');
  await expect(batches.add('b')).rejects.toThrow('full');
  await batches.end();
  expect(writes).toBe(1);
});
