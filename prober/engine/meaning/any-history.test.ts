import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/mailbox-full.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/no-such-mailbox.ts';
import { POLICY_REJECTED } from '../../testing/replies/policy-rejected.ts';
import type { Recipient } from '../ports/recipient.ts';

// What one customer's probe heard must not change what another's is told: each cached value is a function of its key alone.

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
    return { raw: upper ? text.toUpperCase() : text, recipient: { local, domain: host } };
  });
const honest = fc
  .constantFrom(...NO_SUCH_MAILBOX, ...MAILBOX_FULL, ...POLICY_REJECTED, ...DEFERRED)
  .map((raw) => ({ raw, recipient: { local: 'user', domain: 'example.com' } }));

/** Replies that nearly are `raw`: what a careless key would take for the same. */
const twins = (raw: string): string[] => {
  const words = raw.split(' ');
  return [
    ...words.slice(1).map((_, at) => words.filter((__, i) => i !== at + 1).join(' ')),
    raw.toUpperCase(),
    raw.replace(/[aeiou]/g, (vowel) => `${vowel}\u0301`),
    raw.replace(/\d\.\d\.\d /, ''),
    raw.replace('user@example.com', HOSTILE_WORDS[0]),
  ].filter((twin) => /^\d{3} ./.test(twin));
};
const heard = fc.oneof(
  hostile.map((one) => [one]),
  honest.map((one) => [one, ...twins(one.raw).map((raw) => ({ ...one, raw }))]),
);

type Heard = { readonly raw: string; readonly recipient: Recipient };

/** What a process that has heard nothing yet makes of replies, in the order in which it hears them. */
async function hearAfresh(list: readonly Heard[]): Promise<unknown[]> {
  vi.resetModules();
  const { classify } = await import('./classify.ts');
  return list.map(({ raw, recipient }) => [
    classify('rcpt', rawReply(raw), recipient),
    classify('rcpt', rawReply(raw)),
  ]);
}

describe('what a reply means', () => {
  test('is the same after any other replies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(heard, { minLength: 10, maxLength: 40 }), async (lists) => {
        const list = lists.flat();
        const forward = await hearAfresh(list);
        const backward = await hearAfresh(list.toReversed());
        expect(backward.toReversed()).toEqual(forward);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  test('is the same to a process that has heard more replies than it keeps', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => ({
      raw: `550 ${'abcdefghij'[i % 10] ?? ''}${'klmnopqrst'[Math.floor(i / 10) % 10] ?? ''}${'uvwxyz'[Math.floor(i / 100) % 6] ?? ''}x ${i % 2 === 0 ? 'user unknown' : 'blocked'}`,
      recipient: { local: 'x', domain: 'a.example' },
    }));
    const forward = await hearAfresh([...many, ...many]);
    expect(forward.slice(0, many.length)).toEqual(forward.slice(many.length));
  }, 120_000);
});
