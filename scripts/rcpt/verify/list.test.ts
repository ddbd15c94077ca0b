import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTable } from '../table/open-table.ts';
import { streamSource } from '../table/source.ts';
import { readList } from './list.ts';

const NEVER = new AbortController().signal;
const READING = { format: null, delimiter: null, encoding: null, hasHeader: null, sheet: null };

async function list(text: string, only: ReadonlySet<string> | null = null, stop = NEVER) {
  const bytes = new Blob([text]).stream();
  return readList(
    await openTable(await streamSource('list', bytes), READING, () => {}),
    { column: null, only, check: () => {} },
    stop,
  );
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const got: T[] = [];
  for await (const item of items) got.push(item);
  return got;
}

test('the fingerprint is of the cells as they stand, each with its end, as journals of earlier versions have it', async () => {
  const { emails, fingerprint } = await list('email\n a@x.test\n\nb@y.test\n');
  expect(await all(emails())).toEqual(['a@x.test', 'b@y.test']);
  const cells = '" a@x.test"\n"b@y.test"\n';
  expect(fingerprint).toBe(createHash('sha256').update(cells).digest('hex'));
});

test('a row of an earlier output whose status is blank has no answer', async () => {
  const rows = ['a@x.test,valid,95,deliverable,', 'b@y.test,,,,', 'c@z.test, ,,,'];
  const text = ['email,rcpt_status,rcpt_score,rcpt_result,rcpt_reason', ...rows].join('\n');
  const { emails } = await list(text, new Set(['none']));
  expect(await all(emails())).toEqual(['b@y.test', 'c@z.test']);
});

test('a list is read no further when it is to stop', async () => {
  const stop = AbortSignal.abort(new Error('stopped'));
  await expect(list('email\na@x.test\n', null, stop)).rejects.toThrow('stopped');
});
