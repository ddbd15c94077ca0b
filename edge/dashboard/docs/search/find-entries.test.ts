import { expect, it } from 'vitest';
import { describeApi } from '../../../../schema/openapi/document.ts';
import { TERMS } from '../../../../schema/testing/openapi/terms.ts';
import { readDocument } from '../source/openapi.ts';
import { entriesOf } from './entries.ts';
import { findEntries } from './find-entries.ts';

const ENTRIES = entriesOf(readDocument(JSON.parse(JSON.stringify(describeApi(TERMS)))));
const titles = (query: string): readonly string[] => findEntries(ENTRIES, query).map(({ title }) => title);

it.each([
  ['greylisting', 'greylisting'],
  ['SCORE', 'score'],
  ['ratelimit reset', 'RateLimit-Reset'],
  ['429', 'Error 429'],
  ['catchall.test', 'anyone@catchall.test'],
  ['credits balance', 'GET /api/v1/credits'],
])('of “%s” it finds %s first', (query, title) => {
  expect(titles(query)[0]).toBe(title);
});

it('wants every word, finds nothing for none, and never more than a screen of them', () => {
  expect(titles('greylisting zeppelin')).toEqual([]);
  expect(titles('  ')).toEqual([]);
  expect(titles('e').length).toBe(12);
});

it('shows the words in what stands around them', () => {
  const text = `${'a '.repeat(100)}needle${' b'.repeat(100)}`;
  const [found] = findEntries([{ title: 'T', href: '/', text }], 'needle');
  expect(found?.snippet).toMatch(/^… .*needle.* …$/);
  expect(findEntries([{ title: 'needle', href: '/', text: 'short' }], 'needle')[0]?.snippet).toBe('short');
});
