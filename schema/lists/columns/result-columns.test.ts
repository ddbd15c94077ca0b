import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELDS } from '../../words/fields.ts';
import { appendedTo, isResultColumn, replacedIn, RESULT_COLUMNS } from './result-columns.ts';

test('every field of the contract has a column, once', () => {
  expect(RESULT_COLUMNS.toSorted()).toEqual([...Object.keys(FIELDS), 'meaning', 'asked'].toSorted());
});

test("the command's manual names every column", () => {
  const manual = readFileSync(new URL('../../../scripts/rcpt/README.md', import.meta.url), 'utf8');
  expect(RESULT_COLUMNS.filter((column) => !manual.includes(`\`rcpt_${column}\``))).toEqual([]);
});

test('ours stand behind theirs, under names that they do not have', () => {
  const { names, theirs, places } = appendedTo(['id', 'email']);
  expect([theirs, names.slice(0, 4)]).toEqual([2, ['id', 'email', 'rcpt_status', 'rcpt_score']]);
  expect(places).toEqual(RESULT_COLUMNS.map((_, nth) => nth + 2));
  expect(appendedTo(['email', 'rcpt_reason']).names[2]).toBe('rcpt_2_status');
  expect(appendedTo(['rcpt_status', 'rcpt_2_asked']).names[2]).toBe('rcpt_3_status');
});

test('an output with fewer columns, as older versions wrote it, gets those that it has not', () => {
  const old = ['rcpt_status', 'email', 'rcpt_score', 'rcpt_result', 'rcpt_reason', 'mine'];
  const layout = replacedIn(old);
  expect(layout?.names.slice(0, 8)).toEqual([...old, 'rcpt_meaning', 'rcpt_did_you_mean']);
  expect(layout?.places.slice(0, 5)).toEqual([0, 2, 3, 4, 6]);
  expect(replacedIn(old.filter((name) => name !== 'rcpt_score'))).toBe(null);
});

test.each([
  ['rcpt_email', true],
  ['rcpt_12_did_you_mean', true],
  ['rcpt_contact', false],
  ['email', false],
])('%s holds results: %j', (name, is) => {
  expect(isResultColumn(name)).toBe(is);
});
