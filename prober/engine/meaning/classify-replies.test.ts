import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/full.ts';
import { HELD_OUT } from '../../testing/replies/held-out.ts';
import { NO_SUCH_MAILBOX_LANGUAGES } from '../../testing/replies/mailbox-languages.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/mailbox.ts';
import { PARAPHRASES } from '../../testing/replies/paraphrases.ts';
import { UNREAD } from '../../testing/replies/paraphrases/unread.ts';
import { POLICY_REJECTED } from '../../testing/replies/prober.ts';
import { UNEXPLAINED } from '../../testing/replies/unexplained.ts';
import { classify } from './classify.ts';

const meaning = (raw: string) => classify('rcpt', rawReply(raw)).meaning;

describe('what servers answer to RCPT', () => {
  test.each([...NO_SUCH_MAILBOX, ...PARAPHRASES.no_such_mailbox])('is about the mailbox: %s', (raw) => {
    expect(['no_such_mailbox', 'relay_denied']).toContain(meaning(raw));
  });

  test.each(NO_SUCH_MAILBOX_LANGUAGES)('is about the mailbox in any language: %s', (raw) => {
    expect(meaning(raw)).toBe('no_such_mailbox');
  });

  test.each([...MAILBOX_FULL, ...PARAPHRASES.mailbox_full])('says that the mailbox is full: %s', (raw) => {
    expect(meaning(raw)).toBe('mailbox_full');
  });

  test.each([...POLICY_REJECTED, ...PARAPHRASES.policy_rejected])('is about us: %s', (raw) => {
    expect(meaning(raw)).toBe('policy_rejected');
  });

  test.each([...DEFERRED, ...PARAPHRASES.deferred])('is a deferral: %s', (raw) => {
    expect(meaning(raw)).toBe('deferred');
  });

  test.each([...UNEXPLAINED, ...PARAPHRASES.unexpected])('explains nothing: %s', (raw) => {
    expect(meaning(raw)).toBe('unexpected');
  });

  test('is read right of held-out replies nine times of ten, and calls none of them wrongly dead', () => {
    const judged = HELD_OUT.map(([expected, raw]) => {
      const got = meaning(raw);
      return { expected, got: got === 'relay_denied' ? 'no_such_mailbox' : got };
    });
    expect(judged.filter(({ expected, got }) => got === 'no_such_mailbox' && got !== expected)).toEqual([]);
    expect(judged.filter(({ expected, got }) => got === expected).length / judged.length).toBeGreaterThan(0.9);
  });

  test.each(UNREAD.filter(([expected]) => expected !== 'no_such_mailbox'))(
    'is not read by a rule as it should be (%s), and never as a dead mailbox: %s',
    (_expected, raw) => {
      expect(['no_such_mailbox', 'relay_denied']).not.toContain(meaning(raw));
    },
  );
});
