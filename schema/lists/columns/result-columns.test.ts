import { expect, test } from 'vitest';
import { FIELDS } from '../../words/fields.ts';
import { notAnAddress, type OpenResult } from '../../words/result.ts';
import { appendedTo, isResultColumn, replacedIn, RESULT_COLUMNS, type RowAnswer, valueOf } from './result-columns.ts';

const ROW = ['status', 'reason', 'meaning', 'retry_after', 'asked'] as const;

test('every field of a result has one column', () => {
  expect(RESULT_COLUMNS.toSorted()).toEqual([...Object.keys(FIELDS), 'meaning', 'asked'].toSorted());
});

test('our columns follow theirs, under unused names', () => {
  const { names, theirs, places } = appendedTo(['id', 'email']);
  expect([theirs, names.slice(0, 4)]).toEqual([2, ['id', 'email', 'rcpt_status', 'rcpt_score']]);
  expect(places).toEqual(RESULT_COLUMNS.map((_, nth) => nth + 2));
  expect(appendedTo(['email', 'rcpt_reason']).names[2]).toBe('rcpt_2_status');
  expect(appendedTo(['rcpt_status', 'rcpt_2_asked']).names[2]).toBe('rcpt_3_status');
});

test('an earlier output with fewer columns gets the missing ones', () => {
  const old = ['rcpt_status', 'email', 'rcpt_score', 'rcpt_result', 'rcpt_reason', 'mine'];
  const layout = replacedIn(old);
  expect(layout?.names.slice(0, 8)).toEqual([...old, 'rcpt_meaning', 'rcpt_did_you_mean']);
  expect(layout?.places.slice(0, 5)).toEqual([0, 2, 3, 4, 6]);
  expect(replacedIn(old.filter((name) => name !== 'rcpt_status'))).toBe(null);
});

test('an unasked row says so, and so does an unprobed one', () => {
  const unprobed: OpenResult = {
    ...notAnAddress('a@x.test'),
    result: 'unknown',
    status: 'unknown',
    reason: 'timeout',
    retry_after: 60,
  };
  const answers: readonly RowAnswer[] = ['not_asked_yet', { result: unprobed, asked: 1 }, 'several_addresses'];
  expect(answers.map((answer) => ROW.map((column) => valueOf(answer, column)))).toEqual([
    [null, 'not_asked_yet', 'Not asked yet', null, null],
    ['unknown', 'not_asked_yet', 'Not asked yet', 60, 1],
    [null, 'several_addresses', 'Several addresses in one cell: put each in a row of its own', null, null],
  ]);
  const silent = { result: { ...unprobed, smtp_check: true }, asked: 1 };
  expect(valueOf(silent, 'reason')).toBe('timeout');
});

test.each([
  ['rcpt_email', true],
  ['rcpt_12_did_you_mean', true],
  ['rcpt_contact', false],
  ['email', false],
])('%s holds results: %j', (name, is) => {
  expect(isResultColumn(name)).toBe(is);
});
