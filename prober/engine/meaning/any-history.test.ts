import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/full.ts';
import { NO_SUCH_MAILBOX_LANGUAGES } from '../../testing/replies/mailbox-languages.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/mailbox.ts';
import { POLICY_REJECTED } from '../../testing/replies/prober.ts';
import { classify } from './classify.ts';

// What one customer's probe heard must not change what another's is told: whatever is remembered is a function of its key.

const HOSTILE_WORDS = [
  'mailbox-is-full-quota-exceeded',
  'your-ip-is-blacklisted-spamhaus',
  'user-unknown',
  'relay-denied',
  'greylisted',
  'politica',
  'política',
  'Política',
  'quota',
  'spam',
  'policy',
  'abuse',
  '邮箱已满',
  '=71=75=6F=74=61',
] as const;
const pad = (words: string): string => `${'a'.repeat(Math.max(0, 63 - words.length))}${words}`;

const localPart = fc.constantFrom(...HOSTILE_WORDS, ...HOSTILE_WORDS.map(pad));
const domain = fc.constantFrom(
  'a.example',
  `${'a'.repeat(30)}-mailbox-full.example`,
  'Spamhaus-Policy.Example',
  'xn--bcher-kva.example',
);
const phrase = fc.constantFrom(
  'Recipient address rejected: User unknown in virtual mailbox table',
  'Recipient address rejected: Access denied',
  'mailbox over quota',
  'is blocked',
  'la politica no lo permite',
  'La Política no lo permite',
);
const hostile = fc
  .tuple(
    localPart,
    domain,
    phrase,
    fc.constantFrom('<x@>: ', '<@>: ', '@ ', '"L" ', 'L: ', '<@> L ', '<@> (L) '),
    fc.boolean(),
  )
  .map(([local, host, words, form, upper]) => {
    const named = form.replaceAll('L', local).replace('x@', `x@${host}`).replace('<@>', `<${local}@${host}>`);
    const text = `550 5.1.1 ${named.replace(/^@/, `${local}@${host}`)}${words}`;
    return { reply: rawReply(upper ? text.toUpperCase() : text), recipient: { local, domain: host } };
  });
const honest = fc
  .constantFrom(...NO_SUCH_MAILBOX, ...NO_SUCH_MAILBOX_LANGUAGES, ...MAILBOX_FULL, ...POLICY_REJECTED, ...DEFERRED)
  .map((raw) => ({ reply: rawReply(raw), recipient: { local: 'user', domain: 'example.com' } }));
const heard = fc.oneof(hostile, honest);

const ask = ({
  reply,
  recipient,
}: {
  reply: ReturnType<typeof rawReply>;
  recipient: { local: string; domain: string };
}) => [classify('rcpt', reply, recipient), classify('rcpt', reply)];

describe('what a reply means', () => {
  test('is the same after any history', () => {
    fc.assert(
      fc.property(heard, fc.array(heard, { maxLength: 30 }), (one, history) => {
        const before = ask(one);
        for (const other of history) ask(other);
        expect(ask(one)).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  test('is the same in any order, for replies that differ only in names', () => {
    fc.assert(
      fc.property(fc.array(heard, { minLength: 2, maxLength: 20 }), (list) => {
        const forward = list.map(ask);
        const backward = list.toReversed().map(ask).toReversed();
        expect(backward).toEqual(forward);
      }),
      { numRuns: 200 },
    );
  });
});
