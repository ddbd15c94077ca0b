import { describe, expect, test } from 'vitest';
import { classify } from './engine/meaning/classify.ts';
import { rawReply } from './testing/raw-reply.ts';
import { PROVIDER_WORDS } from './testing/replies/provider-words.ts';

const READ_AS = {
  noSuch: ['no_such_mailbox'],
  full: ['mailbox_full'],
  disabled: ['no_such_mailbox'],
  blocked: ['policy_rejected', 'deferred'],
  rate: ['policy_rejected', 'deferred'],
  greylisting: ['deferred'],
} as const;
const THINGS = ['noSuch', 'full', 'disabled', 'blocked', 'rate', 'greylisting'] as const;
const ROWS = PROVIDER_WORDS.flatMap((row) =>
  THINGS.flatMap((thing) => (row[thing] === null ? [] : [{ provider: row.provider, thing, reply: row[thing] }])),
);

describe("the table of providers' replies", () => {
  test.each(ROWS)('is read correctly: $provider, $thing: $reply', ({ thing, reply }) => {
    expect(READ_AS[thing]).toContain(classify('rcpt', rawReply(reply)).meaning);
  });

  test('lists a provider once', () => {
    expect(new Set(PROVIDER_WORDS.map(({ provider }) => provider)).size).toBe(PROVIDER_WORDS.length);
  });
});
