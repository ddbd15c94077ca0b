import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/full.ts';
import { NO_SUCH_MAILBOX_LANGUAGES } from '../../testing/replies/mailbox-languages.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/mailbox.ts';
import { POLICY_REJECTED } from '../../testing/replies/prober.ts';
import { UNEXPLAINED } from '../../testing/replies/unexplained.ts';
import { classify } from './classify.ts';

describe('what servers answer to RCPT', () => {
  test.each(NO_SUCH_MAILBOX)('is about the mailbox: %s', (raw) => {
    expect(['no_such_mailbox', 'relay_denied']).toContain(classify('rcpt', rawReply(raw)).meaning);
  });

  test.each(NO_SUCH_MAILBOX_LANGUAGES)('is about the mailbox in any language: %s', (raw) => {
    expect(classify('rcpt', rawReply(raw)).meaning).toBe('no_such_mailbox');
  });

  test.each(MAILBOX_FULL)('says that the mailbox is full: %s', (raw) => {
    expect(classify('rcpt', rawReply(raw)).meaning).toBe('mailbox_full');
  });

  test.each(POLICY_REJECTED)('is about us: %s', (raw) => {
    expect(classify('rcpt', rawReply(raw)).meaning).toBe('policy_rejected');
  });

  test.each(DEFERRED)('is a deferral: %s', (raw) => {
    expect(classify('rcpt', rawReply(raw)).meaning).toBe('deferred');
  });

  test.each(UNEXPLAINED)('explains nothing: %s', (raw) => {
    expect(classify('rcpt', rawReply(raw)).meaning).toBe('unexpected');
  });
});
