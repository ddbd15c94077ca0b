import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/no-such-mailbox.ts';
import { NOT_DEAD } from '../../testing/replies/not-dead.ts';
import { POLICY_REJECTED } from '../../testing/replies/policy-rejected.ts';
import { PHRASEBOOKS } from '../../testing/replies/seventeen-languages.ts';
import { classify } from './classify.ts';
import { runs } from '../../../schema/testing/fuzz.ts';

// A false "dead" costs a customer a customer: a refusal of us stays one, in any words around it.

const ABOUT_US = [
  ...POLICY_REJECTED,
  ...PHRASEBOOKS.flatMap(({ refused }) => refused.map((phrase) => `554 ${phrase}`)),
].filter((raw) => classify('rcpt', rawReply(raw)).rule !== null);

/** None of these makes a statement about the recipient's mailbox. */
const AROUND = [
  'Please contact postmaster@example.com if you think that this is a mistake.',
  'See https://example.com/errors/user-unknown?mailbox=does-not-exist',
  'If the user is unknown, ask our help desk.',
  'queue id 4F2user-unknown7',
  '<no-such-user@example.com>',
  'For assistance, call 800-555-0101.',
  'time (Nov 22), client (192.0.2.1) and server (mx-no-such-user.example.com)',
  'Hello [192.0.2.1],',
  '(in reply to RCPT TO command)',
  '[mx3-mailbox-disabled.example.com]',
  'This is an automatic reply of the mail system.',
  'Requested action not taken',
];
const DEAD = ['no_such_mailbox', 'relay_denied'];

const lines = (raw: string): string[] => raw.split('\n').map((line) => line.slice(4));
const join = (code: string, texts: readonly string[]): string =>
  texts.map((text, at) => `${code}${at === texts.length - 1 ? ' ' : '-'}${text}`).join('\n');
const meaningOf = (raw: string): string =>
  classify('rcpt', rawReply(raw), { local: 'user', domain: 'example.com' }).meaning;

describe('the phrases of a missing mailbox', () => {
  test.each(NOT_DEAD)('call no mailbox dead in a reply about something else: %s', (raw) => {
    expect(DEAD).not.toContain(meaningOf(raw));
  });

  test('keep their meaning for every recipient, or have none where its name is one of them', () => {
    const words = [
      'unknown',
      'full',
      'blocked',
      'no-such-user',
      'spam',
      'not',
      'does.not.exist',
      'quota',
      'policy',
      'x',
    ];
    const name = fc.oneof(
      fc.constantFrom(...words),
      fc.stringMatching(/^[a-z][a-z0-9]{0,12}([._+-][a-z0-9]{1,12}){0,2}$/),
    );
    const host = fc.constantFrom('nosuchuser.com', 'spam-block.org', 'mailbox-full.example', 'unknown.host.example');
    const form = fc.constantFrom('<%s>: %r', '<%s>... %r', '%r: <%s>', '%s %r', '%r (%s)');
    const said = fc.constantFrom(
      'User unknown',
      'mailbox over quota',
      'Access denied',
      'Service unavailable; Client host [192.0.2.1] blocked',
      'Relaying denied',
      'The mailbox is disabled',
      'something else entirely',
    );
    fc.assert(
      fc.property(name, host, form, said, (local, domain, shape, text) => {
        const spoken = (address: string): string => `550 ${shape.replace('%s', address).replace('%r', text)}`;
        const got = classify('rcpt', rawReply(spoken(`${local}@${domain}`)), { local, domain }).meaning;
        expect([meaningOf(spoken('user@example.com')), 'unexpected']).toContain(got);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

/** Other reasons that a refusal may also have. */
const BESIDE = [
  'your IP address is blocked',
  'your host is on a block list',
  'the sender was rejected',
  'message refused for policy reasons',
  'too many connections',
  'rate limit exceeded',
  'relaying denied',
  'SPF check failed',
  'authentication required',
  'blocked by account review',
  'the user database is down',
  'cannot find database',
  'temporarily deferred by greylisting',
];
const JOINED = ['%d or %b', '%b or %d', '%d or access denied', '%d; %b', '%b; %d', '%b: %d', '%d (%b)', '%d?'];

describe('a reply that a mailbox does not exist', () => {
  const replies = NO_SUCH_MAILBOX.filter(
    (raw) => /^5\d\d [^\d](?!.*(?:[.,!?;#:]|contact|but) )[^\n#]*$/.test(raw) && meaningOf(raw) === 'no_such_mailbox',
  );

  test.each(JOINED)('calls no mailbox dead if it is also about us, or uncertain: %s', (joined) => {
    const said = replies.map((raw, i) => {
      const text = joined.replace('%d', () => raw.slice(4).replace(/[.!]*$/, ''));
      return `${raw.slice(0, 3)} ${text.replace('%b', BESIDE[i % BESIDE.length] ?? '')}`;
    });
    expect(said.length).toBeGreaterThan(50);
    expect(said.filter((raw) => meaningOf(raw) === 'no_such_mailbox')).toEqual([]);
  });
});

describe('a reply that refuses us', () => {
  test.each(AROUND)('is never read as a dead mailbox with this before it, after it or in its line: %s', (words) => {
    const variants = ABOUT_US.flatMap((raw) => {
      const code = raw.slice(0, 3);
      const said = lines(raw);
      return [
        join(code, [words, ...said]),
        join(code, [...said, words]),
        join(
          code,
          said.map((line, at) => (at === said.length - 1 ? `${line} ${words}` : line)),
        ),
        join(
          code,
          said.map((line, at) => (at === 0 ? `${words} ${line}` : line)),
        ),
      ];
    });
    expect(variants.filter((raw) => DEAD.includes(meaningOf(raw)))).toEqual([]);
  });

  test('is never read as a dead mailbox with any of that around it, in any order, in 10 kB', () => {
    const around = fc.array(fc.constantFrom(...AROUND), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.constantFrom(...ABOUT_US),
        around,
        around,
        fc.nat({ max: 200 }),
        (raw, before, behind, padding) => {
          const pad = Array.from({ length: padding }, () => 'Please read on, this line says nothing of anybody.');
          const texts = [...before, ...lines(raw), ...behind];
          expect(DEAD).not.toContain(meaningOf(join(raw.slice(0, 3), texts)));
          expect(DEAD).not.toContain(meaningOf(join(raw.slice(0, 3), [...texts, ...pad])));
          expect(DEAD).not.toContain(meaningOf(join(raw.slice(0, 3), [...pad, ...texts])));
        },
      ),
      {
        numRuns: runs(1_000),
        examples: [['550 Blocked user agent', [], ['Requested action not taken', '<no-such-user@example.com>'], 0]],
      },
    );
  }, 60_000);

  test.each(['user-unknown', 'no.such.user', 'mailbox-disabled', 'account.closed', 'unknown', 'does-not-exist'])(
    'is not about the mailbox %s@, although the name itself says so',
    (local) => {
      const recipient = { local, domain: 'no-such-domain.example' };
      const named = ABOUT_US.map((raw) => raw.replace('user@example.com', `${local}@${recipient.domain}`));
      const dead = named.filter((raw) => DEAD.includes(classify('rcpt', rawReply(raw), recipient).meaning));
      expect(dead).toEqual([]);
      expect(
        classify('rcpt', rawReply(`550 <${local}@${recipient.domain}>: access denied`), recipient).meaning,
      ).not.toBe('no_such_mailbox');
    },
  );
});
