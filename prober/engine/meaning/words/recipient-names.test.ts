import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../../testing/raw-reply.ts';
import { classify } from '../classify.ts';

/** As the engine reads it for this recipient. */
const meaning = (raw: string, address: string) => {
  const at = address.lastIndexOf('@');
  return classify('rcpt', rawReply(raw), { local: address.slice(0, at), domain: address.slice(at + 1) }).meaning;
};

describe("words inside the recipient's name are not the server's", () => {
  test.each([
    ['whole, in brackets', '550 5.1.1 <quota-exceeded@a.example>: User unknown', 'quota-exceeded@a.example'],
    ['whole and bare', '550 quota-exceeded@a.example User unknown', 'quota-exceeded@a.example'],
    ['without its domain', '550 mailbox quota-exceeded: User unknown', 'quota-exceeded@a.example'],
    ['quoted', "550 User 'quota.exceeded' unknown", 'quota.exceeded@a.example'],
    ['with its domain alone', '550 User unknown at Over-Quota.Full.Example', 'x@over-quota.full.example'],
    ['in other case', '550 QUOTA-EXCEEDED: User unknown', 'quota-exceeded@a.example'],
    ['with other accents', '550 politica.de.quota: User unknown', 'política.de.quota@a.example'],
    ['one word after a word for a mailbox', '550 User spam unknown', 'spam@a.example'],
    ['one word in quotes', '550 "quota" unknown: no such user', 'quota@a.example'],
    [
      'a quoted local part with a quote in it',
      '550 <"over \\" quota"@a.example> no such user',
      '"over \\" quota"@a.example',
    ],
    ['a domain that is a block list', '550 no such user here at spamhaus.org', 'x@spamhaus.org'],
    ['a wait', '550 <retry-in-900-seconds@a.example> no such user', 'retry-in-900-seconds@a.example'],
    ['an enhanced code', '550 <5.2.2@a.example> no such user', '5.2.2@a.example'],
  ])('%s', (_name, raw, address) => {
    expect(meaning(raw, address)).toBe('no_such_mailbox');
  });

  test("but the same words count for any recipient when they are the server's", () => {
    expect(meaning('552 quota exceeded', 'quota@a.example')).toBe('mailbox_full');
    expect(meaning('550 message rejected as spam', 'spam@a.example')).toBe('policy_rejected');
    expect(meaning('550 User unknown', 'user@a.example')).toBe('no_such_mailbox');
    expect(meaning('550 Mailbox unavailable', 'mailbox@a.example')).toBe('no_such_mailbox');
  });

  test.each([
    ['452 Mailbox full', 'full', 'mailbox_full'],
    ['452 4.2.2 Mailbox full, please try again later', 'full', 'mailbox_full'],
    ['552 5.2.2 <full@a.example>: mailbox full', 'full', 'mailbox_full'],
    ['452 Mailbox quota exceeded', 'quota', 'mailbox_full'],
    ['550 User unknown', 'unknown', 'no_such_mailbox'],
    [
      '550 5.1.1 <unknown@a.example>: Recipient address rejected: User unknown in virtual mailbox table',
      'unknown',
      'no_such_mailbox',
    ],
    ['550 no such user full', 'full', 'no_such_mailbox'],
    ['550 User unknown: zzyzx', 'unknown', 'unexpected'],
    ['550 user blocked: message refused', 'blocked', 'policy_rejected'],
    ['450 user full: greylisted', 'full', 'deferred'],
  ])('"%s" is about %s@, named where the rest states something: %s', (raw, local, says) => {
    expect(meaning(raw, `${local}@a.example`)).toBe(says);
  });

  test('so no local part of several words reverses a plain reply', () => {
    const word = fc.constantFrom(
      'quota',
      'exceeded',
      'full',
      'spam',
      'policy',
      'blocked',
      'relay',
      'denied',
      'sender',
      'ip',
    );
    const local = fc
      .array(word, { minLength: 2, maxLength: 6 })
      .chain((words) => fc.constantFrom('-', '.', '_', '+').map((glue) => words.join(glue)))
      .filter((name) => name.length <= 64);
    const shown = fc.constantFrom('<%L@%D>', '%L@%D', '%L', '"%L"', '(%L)', '<%L>', 'user %L at %D');
    fc.assert(
      fc.property(local, shown, fc.boolean(), (name, form, upper) => {
        const spelt = upper ? name.toUpperCase() : name;
        const shownAs = form.replace('%L', spelt).replace('%D', `${name.replaceAll(/[._+]/g, '-')}.example`);
        expect(meaning(`550 5.1.1 ${shownAs}: User unknown`, `${name}@${name.replaceAll(/[._+]/g, '-')}.example`)).toBe(
          'no_such_mailbox',
        );
      }),
    );
  });
});

describe('a host at the start of a statement', () => {
  test.each([
    ['550 example.org is not a local user', 'policy_rejected'],
    ['550 Sorry. example.org is not a valid mailbox', 'policy_rejected'],
    ['550 a.example is not a local user', 'no_such_mailbox'],
    ['550 mail.a.example is not a local user', 'no_such_mailbox'],
    ['550 jo is not a local user', 'no_such_mailbox'],
  ])('%s: %s', (raw, says) => {
    expect(meaning(raw, 'jo@a.example')).toBe(says);
  });
});
