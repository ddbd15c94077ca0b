import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { DEFERRED } from '../../testing/replies/deferred.ts';
import { MAILBOX_FULL } from '../../testing/replies/mailbox-full.ts';
import { NO_SUCH_MAILBOX } from '../../testing/replies/no-such-mailbox.ts';
import { POLICY_REJECTED } from '../../testing/replies/policy-rejected.ts';
import { UNEXPLAINED } from '../../testing/replies/unexplained.ts';
import { classify, classifyFor } from './classify.ts';
import type { Stage } from '../ports/ports.ts';

// One file for one function: each part checks replies against the rules of the others, so that rules are seen from all
// sides.

const atRcpt = (raw: string) => classify('rcpt', rawReply(raw));
const meaning = (raw: string) => atRcpt(raw).meaning;
const asProbe = (raw: string) =>
  classifyFor('probe@rcpt.example')('rcpt', rawReply(raw), { local: 'user', domain: 'example.com' }).meaning;

describe('the subject of a reply', () => {
  test('is us if access is denied, unless Exchange denies it to the recipient', () => {
    expect(meaning('550 5.4.1 Recipient address rejected: Access denied')).toBe('no_such_mailbox');
    expect(meaning('554 5.7.1 <user@example.com>: Recipient address rejected: Access denied')).toBe('policy_rejected');
    expect(meaning('554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied')).toBe('policy_rejected');
    expect(meaning('554 5.7.1 <sender@example.org>: Sender address rejected: Access denied')).toBe('policy_rejected');
    expect(meaning('554 5.7.1 Access denied')).toBe('policy_rejected');
  });

  test("is not the mailbox if the sender's mailbox is missing", () => {
    expect(
      meaning('550-Verification failed for <sender@example.org>\n550-Unrouteable address\n550 Sender verify failed'),
    ).toBe('policy_rejected');
    expect(meaning('550-Verification failed for <user@example.com>\n550 Unrouteable address')).toBe('no_such_mailbox');
  });

  test('a refusal that names our own address is about us, in any words', () => {
    expect(asProbe('550 5.1.0 probe@rcpt.example: address unknown')).toBe('policy_rejected');
    expect(asProbe('550 <Probe@RCPT.example>: no such user')).not.toBe('no_such_mailbox');
    expect(asProbe('550 user@example.com: address unknown')).toBe('no_such_mailbox');
    expect(asProbe('550 other@rcpt.example: address unknown')).toBe('unexpected');
    expect(asProbe('550 <user@elsewhere.example>: address unknown')).toBe('no_such_mailbox');
    const ofItself = classifyFor('user@example.com')('rcpt', rawReply('550 <user@example.com>: no such user'), {
      local: 'user',
      domain: 'example.com',
    });
    expect(ofItself.meaning).toBe('no_such_mailbox');
  });

  test('a refusal that names an address of another domain is not about the recipient', () => {
    expect(asProbe('550 <other@rcpt.example> is disabled')).not.toBe('no_such_mailbox');
    expect(asProbe('550 <user@example.com> is disabled')).toBe('no_such_mailbox');
    expect(asProbe('550 <user@mail.example.com> is disabled')).toBe('no_such_mailbox');
  });

  test('is not stated in a condition', () => {
    expect(meaning('550 5.7.1 rejected. If the user is unknown, ask our help desk.')).toBe('policy_rejected');
  });

  test('is not the mailbox if the reply is not read completely', () => {
    const dead = '550-5.1.1 User unknown\n'.repeat(25);
    expect(meaning(`${dead}550 5.1.1 User unknown`)).toBe('unexpected');
    expect(meaning(`550 5.1.1 User unknown ${'-'.repeat(2_000)}`)).toBe('unexpected');
    expect(meaning('550-5.1.1 User unknown\n550 5.1.1 User unknown')).toBe('no_such_mailbox');
    // Nor by the meaning of one that is, and begins like it.
    const whole = '550-5.1.1 No such user\n'.repeat(19);
    expect(meaning(`${whole}550 5.1.1 No such user`)).toBe('no_such_mailbox');
    expect(meaning(`${whole}550-5.1.1 No such user\n550 5.1.1 at least for you`)).toBe('unexpected');
  });

  test('is us before it is the mailbox, and both go before the enhanced code', () => {
    expect(meaning('550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using SPAMHAUS-XBL.')).toBe(
      'policy_rejected',
    );
    expect(meaning('554 5.7.1 <user@example.com>: Recipient address rejected: User unknown')).toBe('no_such_mailbox');
    expect(meaning('550 5.1.1 <user@example.com>: Recipient address rejected: SPF fail - not authorized.')).toBe(
      'policy_rejected',
    );
    expect(meaning('452 4.1.1 <user@example.com> user over quota')).toBe('mailbox_full');
  });

  test('is the mailbox for 5.1.1 and us for 5.7.x, if the words say nothing else', () => {
    expect(meaning('550 5.1.1 RCP-P1')).toBe('no_such_mailbox');
    expect(meaning('550 5.7.1 Zodiac')).toBe('policy_rejected');
    expect(meaning('550 Zodiac')).toBe('unexpected');
  });

  test('is in the last lines if the first only quotes the RFC', () => {
    const recited = '550-Requested action not taken: mailbox unavailable\n550';
    expect(meaning('550 Requested action not taken: mailbox unavailable')).toBe('no_such_mailbox');
    expect(meaning(`${recited} Reject due to policy restrictions.`)).toBe('policy_rejected');
    expect(meaning(`${recited} invalid DNS MX or A/AAAA resource record`)).toBe('policy_rejected');
    expect(meaning(`${recited} For explanation visit http://postmaster.example/error?c=1`)).toBe('no_such_mailbox');
    expect(meaning(`${recited} Quota exceeded. The recipient mailbox is full.`)).toBe('mailbox_full');
  });

  test('is the mailbox even if its name or address contains a phrase about us', () => {
    expect(meaning('550 <spamhaus.policy@blocked.example>: user unknown')).toBe('no_such_mailbox');
    expect(meaning('550 <"client host rejected"@example.com>: user unknown')).toBe('no_such_mailbox');
    expect(meaning('550 mx.pbl.example says user unknown')).toBe('no_such_mailbox');
  });
});

describe('replies that other classifiers get wrong', () => {
  test.each([
    ['disabled', '550 5.2.1 The email account that you tried to reach is disabled.', 'no_such_mailbox'],
    ['moved', '551 User not local; please try <new@example.net>', 'no_such_mailbox'],
    [
      'moved, by Postfix',
      '550 5.1.6 <ann@example.com>: Recipient address rejected: User has moved to anna@elsewhere.example',
      'no_such_mailbox',
    ],
    ['domain takes no mail', '556 5.1.10 Recipient address has null MX', 'no_such_mailbox'],
    ['over rate', '450 4.2.1 The user you are trying to contact is receiving mail at a rate that', 'deferred'],
    [
      'over rate for good',
      '550 5.2.1 The user you are trying to contact is receiving mail at a rate',
      'policy_rejected',
    ],
    ['harvest limit', '550 Rejected for too many bad recipients', 'policy_rejected'],
    [
      'Exchange Online, unknown',
      '550 5.4.1 Recipient address rejected: Access denied. [BN1.eop-nam02.prod.protection.outlook.com] AS(201806281)',
      'no_such_mailbox',
    ],
    [
      'Exchange Online, banned address at RCPT',
      '550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal from this list please visit https://sender.office.com/',
      'policy_rejected',
    ],
    [
      'Outlook.com S3150',
      "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
      'policy_rejected',
    ],
    [
      'Yahoo TSS04',
      '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
      'deferred',
    ],
    [
      'greylisting in the words of a refusal',
      '450 4.2.0 <user@example.com>: Recipient address rejected: Greylisted',
      'deferred',
    ],
    ['server disk, not mailbox', '452 4.3.1 Insufficient system storage', 'deferred'],
    ['relay refused', '554 5.7.1 <user@example.com>: Relay access denied', 'relay_denied'],
    ['relay refused, Sendmail', '550 5.7.1 <user@example.com>... Relaying denied', 'relay_denied'],
    ['relay refused, qmail', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'relay_denied'],
    ['listed open relay', '550 Your host is a listed open relay', 'policy_rejected'],
    ['relay field', '553 5.3.0 <user@example.com>... Addressee unknown, relay=[192.0.2.1]', 'no_such_mailbox'],
    ['full, RFC words', '552 Requested mail action aborted: exceeded storage allocation', 'mailbox_full'],
    ['for now', '550 User temporarily locked. Please try again later!', 'unexpected'],
    ['by the recipient', '550 Your message was rejected by this user', 'policy_rejected'],
    ['list members only', '550 Only list members may post to this list address', 'policy_rejected'],
  ])('%s', (_name, raw, expected) => {
    expect(meaning(raw)).toBe(expected);
  });
});

describe('stage', () => {
  test.each<[Stage, string]>([
    [
      'greeting',
      '554-gmx.net (mxgmx104) Nemesis ESMTP Service not available\n554-No SMTP service\n554 IP address is block listed.',
    ],
    ['greeting', '521 mx.example does not accept mail'],
    ['ehlo', '550 5.5.0 Service refuse. Veuillez essayer plus tard. service refused, please try later. LPN001_108'],
    ['mail', '550 5.1.1 <sender@example.org> User unknown'],
    ['mail', '552 5.2.2 Mailbox full'],
  ])('a 5xx at %s is about us: %s', (stage, raw) => {
    expect(classify(stage, rawReply(raw)).meaning).toBe('policy_rejected');
  });

  test('any 2xx accepts, and a 3xx explains nothing', () => {
    expect(['250 2.1.5 Ok', '251 User not local; will forward', '252 Cannot VRFY user'].map(meaning)).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    expect(meaning('354 go on')).toBe('unexpected');
  });
});

describe('the session', () => {
  test.each([
    '421 4.7.0 mx.example Error: too many errors',
    '452 4.5.3 Too many recipients (AS780090)',
    '550 5.5.3 Too many recipients',
    '550 Too many invalid recipients',
    '553 rcpt to limit exceeded',
    '554 192.0.2.1 has been temporarily blocked for attempting to mail too many invalid recipients. IB112',
  ])('ends with %s', (raw) => {
    expect(atRcpt(raw).endsSession).toBe(true);
  });

  test.each([
    '550 5.1.1 User unknown',
    '450 4.2.0 Greylisted',
    '250 Ok',
    '452 4.2.2 Mailbox full',
    '550 User has too many messages on the server',
  ])('continues after %s', (raw) => {
    expect(atRcpt(raw).endsSession).toBe(false);
  });

  test.each([
    '530 5.7.0 Must issue a STARTTLS command first',
    '530 5.7.0 STARTTLS required for mail delivery',
    '451 4.7.0 TLS is required, please use STARTTLS',
    '550 5.7.1 Session encryption is required',
  ])('needs TLS: %s', (raw) => {
    expect(
      ['ehlo', 'mail', 'rcpt'].map(
        (stage) => classify(stage === 'ehlo' ? 'ehlo' : stage === 'mail' ? 'mail' : 'rcpt', rawReply(raw)).demandsTls,
      ),
    ).toEqual([true, true, true]);
  });

  test.each(['454 4.7.0 TLS not available due to temporary reason', '530 5.7.0 Authentication required', '250 Ok'])(
    'does not need TLS: %s',
    (raw) => {
      expect(atRcpt(raw).demandsTls).toBe(false);
    },
  );

  test('broken TLS does not demand TLS', () => {
    expect(classify('starttls', rawReply('530 Must issue a STARTTLS command first')).demandsTls).toBe(false);
  });
});

describe('deferrals', () => {
  test.each([
    ['greylisting', 300, '450 4.2.0 <user@example.com>: Recipient address rejected: Greylisted for 300 seconds'],
    ['greylisting', 299, '450 4.7.1 You have been greylisted. Please try again in 00:04:59'],
    ['greylisting', null, '450 4.2.0 rejected, see http://postgrey.schweikert.ch/help/example.com.html'],
    ['greylisting', null, '452 4.2.2 Greylisted, please try again'],
    ['greylisting', 300, '451 try again in 5 minutes (grey defer)'],
    ['busy', null, '452 4.3.1 Disco del server pieno'],
    ['busy', null, '450 4.1.1 unverified address: mailbox may be disabled, full or gone'],
    ['busy', null, '451 4.7.1 Please try again later'],
    ['busy', 900, '451 System busy, retry after 15 minutes'],
    ['full', null, '452 4.2.2 The email account that you tried to reach is over quota.'],
    [
      'busy',
      3600,
      '450-4.2.1 The user you are trying to contact is receiving mail at a rate that\n450 4.2.1 prevents additional messages from being delivered. - gsmtp',
    ],
    [
      'busy',
      86_400,
      '451 4.4.4 Mail received as unauthenticated, incoming to a recipient domain configured in a hosted tenant which has no mail-enabled subscriptions. ATTR5',
    ],
    ['busy', 600, '450 4.2.1 The user is receiving mail too quickly, try again in 10 minutes'],
    ['busy', null, '451 4.4.4 Recipients belong to multiple regions ATTR38'],
  ])('because of %s, waiting %s: %s', (cause, askedS, raw) => {
    expect(atRcpt(raw).deferral).toEqual({ cause, askedS });
  });

  test('a full mailbox does not count before RCPT', () => {
    expect(classify('mail', rawReply('452 4.2.2 Mailbox full'))).toMatchObject({
      meaning: 'deferred',
      deferral: { cause: 'busy' },
    });
  });
});

const ALL = [...NO_SUCH_MAILBOX, ...MAILBOX_FULL, ...POLICY_REJECTED, ...DEFERRED, ...UNEXPLAINED];
const anyReply = fc.constantFrom(...ALL).map(rawReply);
const anyWords = fc.array(
  fc.constantFrom(
    'user',
    'unknown',
    'not',
    'found',
    'your',
    'IP',
    'blocked',
    'mailbox',
    'relay',
    'denied',
    'full',
    'sender',
    ':',
    '.',
    '<a@b.example>',
    '5.1.1',
  ),
  { maxLength: 12 },
);

describe('any text', () => {
  test('with a 4xx is never a dead mailbox, and always a deferral', () => {
    fc.assert(
      fc.property(anyReply, fc.integer({ min: 400, max: 499 }), (reply, code) => {
        const classified = classify('rcpt', { ...reply, code });
        expect(['deferred', 'mailbox_full']).toContain(classified.meaning);
        expect(classified.deferral).not.toBeNull();
      }),
    );
  });

  test('before RCPT says nothing about a mailbox', () => {
    const stages = fc.constantFrom<Stage>('greeting', 'ehlo', 'starttls', 'mail');
    fc.assert(
      fc.property(anyReply, stages, fc.integer({ min: 400, max: 599 }), (reply, stage, code) => {
        expect(['deferred', 'policy_rejected']).toContain(classify(stage, { ...reply, code }).meaning);
      }),
    );
  });

  test('of a refusal with a line that blames us before or after it calls no mailbox dead', () => {
    const blame = [
      'Your IP address 192.0.2.1 is blacklisted',
      'blocked using zen.spamhaus.org',
      'Client host rejected: cannot find your reverse hostname',
      'Sender verify failed',
      'authentication required',
      'message rejected as spam',
    ];
    const both = NO_SUCH_MAILBOX.flatMap((raw) => {
      const code = raw.slice(0, 3);
      const followed = raw.replace(/^(\d\d\d) /gm, '$1-');
      return blame.flatMap((words) => [`${followed}\n${code} ${words}`, `${code}-${words}\n${raw}`]);
    });
    expect(both.filter((raw) => meaning(raw) === 'no_such_mailbox')).toEqual([]);
  }, 20_000);

  test('means the same in upper and lower case', () => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const text = words.join(' ');
        expect(meaning(`550 ${text.toUpperCase()}`)).toBe(meaning(`550 ${text.toLowerCase()}`));
      }),
    );
  });

  test('can be classified, and a refusal without words never means a dead mailbox', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 100, max: 599 }), (text, code) => {
        expect(() => classify('rcpt', { code, enhanced: null, lines: text.split('\n') })).not.toThrow();
      }),
    );
    expect(classify('rcpt', { code: 550, enhanced: null, lines: [''] }).meaning).toBe('unexpected');
    expect(classify('rcpt', { code: 550, enhanced: null, lines: [] }).meaning).toBe('unexpected');
  }, 120_000);
});

test.each([
  'a',
  'a@',
  'user not x ',
  '.',
  ':',
  'ab:',
  'not ',
  '用户',
  'a.',
  '1:22:33 ',
  'retry 1 ',
  'http://',
  '\ufdfa',
  '"',
  '%41',
  '=2D',
  'no such ',
  'recipent unknwon ',
  'Benutzer existiert nicht ',
  'пользователь не найден ',
  'käyttäjää ei löydy ',
  'χρήστης δεν υπάρχει ',
  'المستخدم غير موجود ',
  'người dùng không tồn tại ',
  '존재하지 않는 사용자 ',
  '宛先が見つかりません',
])('twenty lines of 10 kB of %j are read in bounded time', (piece) => {
  const lines = Array.from({ length: 20 }, () => piece.repeat(Math.ceil(10_000 / piece.length)));
  const before = process.cpuUsage();
  classify('rcpt', { code: 550, enhanced: null, lines }, { local: 'not.x', domain: 'a.example' });
  classify('rcpt', { code: 450, enhanced: null, lines });
  const { user, system } = process.cpuUsage(before);
  // It takes 30 ms; unbounded growth would take minutes.
  expect((user + system) / 1000).toBeLessThan(5_000);
});
