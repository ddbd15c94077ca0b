import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { NOT_DEAD } from '../../testing/replies/not-dead.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/no-such-mailbox.ts';
import { classifyFor, readWords } from './classify.ts';
import { keyOf } from './same-words.ts';

const SENDER = 'verify@probe.example.net';
const REPLIES = [...NO_SUCH_MAILBOX, ...NOT_DEAD, ...DEFERRED];
const locals = fc.oneof(
  fc.constantFrom(
    'unknown',
    'full',
    'spam',
    'no-such-user',
    'quota',
    'x',
    'addr',
    'fqdn',
    'url',
    'verify',
    'User',
    'a.b+c',
    'empfanger',
    'mailbox-is-full-quota-exceeded',
    'your-ip-is-blacklisted-spamhaus',
    'politica',
    '=71=75=6F=74=61',
    'pas',
  ),
  fc.stringMatching(/^[a-z][a-z0-9]{0,12}([._+-][a-z0-9]{1,12}){0,2}$/),
);
const domains = fc.oneof(
  fc.constantFrom('blocked.example', 'nosuchuser.com', 'probe.example.net', 'elsewhere.org', 'localhost'),
  fc.stringMatching(/^[a-z][a-z0-9]{0,12}(-[a-z0-9]{1,5})?\.(com|org|co\.uk)$/),
);
const recipients = fc.record({ local: locals, domain: domains });
const forms = fc.constantFrom(
  '%r',
  '<%s>: %r',
  '%s... %r',
  '%r <%s>',
  '%r x%s',
  'http://h.example/?%s %r',
  '%r %s.',
  '%l: %r',
);

test('a reply that was read for one recipient says of any other what it says when it is read anew', () => {
  const classify = classifyFor(SENDER);
  let hits = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...REPLIES),
      forms,
      fc.array(recipients, { minLength: 2, maxLength: 5 }),
      (raw, form, all) => {
        for (const recipient of all) {
          const { local, domain } = recipient;
          const named = (line: string): string =>
            line.slice(0, 4) +
            form.replace('%r', line.slice(4)).replaceAll('%s', `${local}@${domain}`).replaceAll('%l', local);
          const reply = rawReply(
            raw.replaceAll('user@example.com', `${local}@${domain}`).split('\n').map(named).join('\n'),
          );
          if (keyOf('rcpt', reply, recipient, SENDER) !== null) hits += 1;
          expect(classify('rcpt', reply, recipient)).toEqual(readWords('rcpt', reply, { recipient, sender: SENDER }));
        }
      },
    ),
    { numRuns: 600 },
  );
  expect(hits).toBeGreaterThan(200);
});

test.each([
  ['another recipient', '550 5.1.1 <other@d.example>: User unknown'],
  ['the domain alone', '550 5.1.1 example.com: User unknown'],
  ['the local part alone', '550 5.1.1 jane: User unknown'],
  ['the address in a link', '550 5.1.1 see https://h.example/jane@example.com'],
  ['the address within a longer one', '550 5.1.1 x-jane@example.com unknown'],
])('a reply with %s is read for each recipient', (_what, raw) => {
  expect(keyOf('rcpt', rawReply(raw), { local: 'jane', domain: 'example.com' }, SENDER)).toBeNull();
});
