import { expect, it } from 'vitest';
import { notAnAddress, type OpenResult } from '../../../schema/words/result.ts';
import { statusClass, statusWords, waitOf } from './verdict.ts';

const LATER: OpenResult = { ...notAnAddress('ann@a.test'), result: 'unknown', reason: 'greylisting', retry_after: 420 };

it('says how long to wait only if asking again helps', () => {
  expect(waitOf(LATER)).toBe('Wait: 7 min');
  expect(waitOf({ ...LATER, reason: 'mailbox_full' })).toBeNull();
  expect(waitOf({ ...LATER, retry_after: null })).toBeNull();
});

it('shows a status of a newer service in its own words, without a colour of its own', () => {
  expect([statusWords('valid'), statusWords('soft_bounce')]).toEqual(['Valid', 'Soft bounce']);
  expect([statusClass('valid'), statusClass('soft_bounce')]).toEqual(['valid', 'unknown']);
});
