import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/full.ts';
import { NO_SUCH_MAILBOX_LANGUAGES } from '../../testing/replies/mailbox-languages.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/mailbox.ts';
import * as languages from '../../testing/replies/paraphrases/languages.ts';
import * as mailbox from '../../testing/replies/paraphrases/mailbox.ts';
import * as others from '../../testing/replies/paraphrases/others.ts';
import { UNREAD } from '../../testing/replies/paraphrases/unread.ts';
import { POLICY_REJECTED } from '../../testing/replies/prober.ts';
import { UNEXPLAINED } from '../../testing/replies/unexplained.ts';
import { classify } from './classify.ts';

const meaning = (raw: string) => classify('rcpt', rawReply(raw)).meaning;

describe('what servers answer to RCPT', () => {
  test.each([...NO_SUCH_MAILBOX, ...mailbox.NO_SUCH_MAILBOX])('is about the mailbox: %s', (raw) => {
    expect(['no_such_mailbox', 'relay_denied']).toContain(meaning(raw));
  });

  test.each(NO_SUCH_MAILBOX_LANGUAGES)('is about the mailbox in any language: %s', (raw) => {
    expect(meaning(raw)).toBe('no_such_mailbox');
  });

  test.each(languages.NO_SUCH_MAILBOX)('is about the mailbox or its domain in any language: %s', (raw) => {
    expect(['no_such_mailbox', 'relay_denied']).toContain(meaning(raw));
  });

  test.each([...MAILBOX_FULL, ...others.MAILBOX_FULL, ...languages.MAILBOX_FULL])(
    'says that the mailbox is full: %s',
    (raw) => {
      expect(meaning(raw)).toBe('mailbox_full');
    },
  );

  test.each([...POLICY_REJECTED, ...others.POLICY_REJECTED, ...languages.POLICY_REJECTED])('is about us: %s', (raw) => {
    expect(meaning(raw)).toBe('policy_rejected');
  });

  test.each([...DEFERRED, ...others.DEFERRED])('is a deferral: %s', (raw) => {
    expect(meaning(raw)).toBe('deferred');
  });

  test.each([...UNEXPLAINED, ...others.UNEXPLAINED, ...languages.UNEXPLAINED])('explains nothing: %s', (raw) => {
    expect(meaning(raw)).toBe('unexpected');
  });

  test.each(UNREAD.filter(([expected]) => expected !== 'no_such_mailbox'))(
    'is not read as it should be (%s), and never as a dead mailbox: %s',
    (_expected, raw) => {
      expect(['no_such_mailbox', 'relay_denied']).not.toContain(meaning(raw));
    },
  );
});
