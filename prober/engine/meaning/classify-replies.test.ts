import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/mailbox-full.ts';
import { HELD_OUT } from '../../testing/replies/held-out.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/no-such-mailbox.ts';
import { UNREAD } from '../../testing/replies/unread.ts';
import { POLICY_REJECTED } from '../../testing/replies/policy-rejected.ts';
import { UNEXPLAINED } from '../../testing/replies/unexplained.ts';
import { classify } from './classify.ts';

const meaning = (raw: string) => classify('rcpt', rawReply(raw)).meaning;

describe('replies to RCPT', () => {
  test.each(NO_SUCH_MAILBOX)('is about the mailbox: %s', (raw) => {
    expect(['no_such_mailbox', 'relay_denied']).toContain(meaning(raw));
  });

  test.each(MAILBOX_FULL)('says that the mailbox is full: %s', (raw) => {
    expect(meaning(raw)).toBe('mailbox_full');
  });

  test.each(POLICY_REJECTED)('is about us: %s', (raw) => {
    expect(meaning(raw)).toBe('policy_rejected');
  });

  test.each(DEFERRED)('is a deferral: %s', (raw) => {
    expect(meaning(raw)).toBe('deferred');
  });

  test.each(UNEXPLAINED)('explains nothing: %s', (raw) => {
    expect(meaning(raw)).toBe('unexpected');
  });

  test('is read correctly in nine of ten held-out cases, and never wrongly as a dead mailbox', () => {
    const judged = HELD_OUT.map(([expected, raw]) => {
      const got = meaning(raw);
      return { expected, got: got === 'relay_denied' ? 'no_such_mailbox' : got };
    });
    expect(judged.filter(({ expected, got }) => got === 'no_such_mailbox' && got !== expected)).toEqual([]);
    expect(judged.filter(({ expected, got }) => got === expected).length / judged.length).toBeGreaterThan(0.9);
  });

  test.each(UNREAD.filter(([expected]) => expected !== 'no_such_mailbox'))(
    'is not read as it should be by any rule (%s), but never as a dead mailbox: %s',
    (_expected, raw) => {
      expect(['no_such_mailbox', 'relay_denied']).not.toContain(meaning(raw));
    },
  );
});
