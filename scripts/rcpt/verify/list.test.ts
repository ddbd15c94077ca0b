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
    { column: null, only, notIn: new Set(), check: () => {} },
    stop,
  );
}

test('a row of an earlier output whose status is blank has no answer', async () => {
  const rows = ['a@x.test,valid,95,deliverable,', 'b@y.test,,,,', 'c@z.test, ,,,'];
  const text = ['email,rcpt_status,rcpt_score,rcpt_result,rcpt_reason', ...rows].join('\n');
  const { scan } = await list(text, new Set(['none']));
  expect(scan.addresses).toEqual(['b@y.test', 'c@z.test']);
});

test('of several earlier runs the last one says which rows are asked', async () => {
  const rows = ['a@x.test,unknown,valid', 'b@y.test,valid,unknown'];
  const { scan } = await list(['email,rcpt_status,rcpt_2_status', ...rows].join('\n'), new Set(['unknown']));
  expect([scan.addresses, scan.totals.excluded]).toEqual([['b@y.test'], 1]);
});
