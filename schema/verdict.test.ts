import { describe, expect, it, test } from 'vitest';
import { verificationResultSchema } from './api.ts';
import type { Outcome } from './evidence.ts';
import { isRefunded, OUTCOMES } from './outcomes.ts';
import { DELIVERABLE, seen } from './testing/evidence.ts';
import { judge } from './verdict.ts';
import { notAnAddress } from './words/result.ts';

// One file because it is one table: a row for each outcome with all that the verdict says of it.

const address = { email: 'x@a.test', local: 'x' };
const ok = { code: 250, enhanced: '2.1.5' };
const refused = { kind: 'refused' } as const;
const greylisting = { cause: 'greylisting', askedS: null } as const;

/** What the verdict says: result, status, reason, score, SMTP code, whether a server was asked, whether it is free. */
type Row = readonly [name: string, outcome: Outcome, verdict: string];

const ROWS: readonly Row[] = [
  [
    'a domain without mail',
    { kind: 'no_mail_domain', why: 'nxdomain' },
    'undeliverable invalid no_mx 0 - unasked paid',
  ],
  ['an MX lookup without answer', { kind: 'mx_lookup_failed' }, 'unknown unknown mx_unresolved 30 - unasked paid'],
  ['MX hosts that do not exist', { kind: 'mx_hosts_missing' }, 'undeliverable invalid mx_unresolved 0 - unasked paid'],
  ['private MX hosts', { kind: 'mx_private' }, 'undeliverable invalid mx_private_ip 0 - unasked paid'],
  [
    'a provider that blocks probing',
    { kind: 'provider_blocks_probe' },
    'unknown risky provider_blocks_probe 65 - unasked paid',
  ],
  [
    'a refused connection',
    { kind: 'connection_error', greeted: false },
    'unknown unknown connection_error 30 - unasked paid',
  ],
  [
    'a connection lost after the greeting',
    { kind: 'connection_error', greeted: true },
    'unknown unknown connection_error 30 - asked paid',
  ],
  ['no connection in time', { kind: 'timeout', greeted: false }, 'unknown unknown timeout 30 - unasked paid'],
  ['no reply in time', { kind: 'timeout', greeted: true }, 'unknown unknown timeout 30 - asked paid'],
  ['no greeting', { kind: 'no_banner', refused: false }, 'unknown unknown no_banner 30 - unasked free'],
  ['a greeting of 554', { kind: 'no_banner', refused: true }, 'unknown unknown no_banner 30 - asked free'],
  ['a refused EHLO', { kind: 'ehlo_rejected' }, 'unknown unknown ehlo_rejected 30 - asked free'],
  ['a refused MAIL FROM', { kind: 'mail_from_rejected' }, 'unknown unknown mail_from_rejected 30 - asked free'],
  ['a 4xx before RCPT', { kind: 'deferred', deferral: greylisting }, 'unknown unknown greylisting 30 - asked paid'],
  [
    'a 450 at RCPT',
    { kind: 'rcpt_deferred', reply: { code: 450, enhanced: null }, deferral: greylisting },
    'unknown unknown greylisting 50 450 asked paid',
  ],
  [
    'a 421 at RCPT',
    { kind: 'rcpt_deferred', reply: { code: 421, enhanced: null }, deferral: greylisting },
    'unknown unknown greylisting 30 421 asked paid',
  ],
  [
    'a refusal of the prober',
    { kind: 'policy_rejected', reply: { code: 550, enhanced: '5.7.1' } },
    'unknown unknown policy_rejected 30 550 asked free',
  ],
  [
    'a full mailbox',
    { kind: 'mailbox_full', reply: { code: 452, enhanced: '4.2.2' }, deferral: { cause: 'full', askedS: null } },
    'deliverable risky mailbox_full 40 452 asked paid',
  ],
  [
    'an unknown mailbox',
    { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } },
    'undeliverable invalid - 0 550 asked paid',
  ],
  ['a server without SMTPUTF8', { kind: 'no_smtputf8' }, 'undeliverable invalid - 0 - asked paid'],
  [
    'a catch-all domain',
    { kind: 'accepted', reply: ok, madeUp: { kind: 'accepted' } },
    'catch-all risky accept_all 55 250 asked paid',
  ],
  [
    'an acceptance by a provider that accepts everyone',
    { kind: 'accepted', reply: ok, madeUp: { kind: 'provider_accepts_all' } },
    'catch-all risky accept_all 55 250 asked paid',
  ],
  ['a mailbox that exists', { kind: 'accepted', reply: ok, madeUp: refused }, 'deliverable valid - 95 250 asked paid'],
  [
    'an accepted mailbox and a made-up one not learnt',
    { kind: 'accepted', reply: ok, madeUp: { kind: 'not_learnt', why: 'timeout', deferral: null } },
    'deliverable risky timeout 70 250 asked paid',
  ],
  [
    'bytes that are not a reply',
    { kind: 'protocol_error', reply: null, greeted: false },
    'unknown unknown protocol_error 30 - unasked paid',
  ],
  [
    'a reply that nothing explains',
    { kind: 'unexpected_code', reply: { code: 354, enhanced: null } },
    'unknown unknown unexpected_code 30 354 asked paid',
  ],
  [
    'an address that was never asked about',
    { kind: 'unprobed', why: 'deadline', waitS: null },
    'unknown unknown timeout 30 - unasked free',
  ],
  ['an address in a domain that opted out', { kind: 'opted_out' }, 'unknown unknown policy_rejected 30 - unasked free'],
];

describe('judge', () => {
  it('is tested here for every kind of outcome', () => {
    expect(new Set(ROWS.map(([, { kind }]) => kind))).toEqual(new Set(Object.keys(OUTCOMES)));
  });

  it.each(ROWS)('gives its row of the verdict table to %s', (_name, outcome, expected) => {
    const verdict = judge(address, seen(outcome));
    const { result, status, reason, score, smtp_code: code, smtp_check: isAsked } = verdict;
    const refund = isRefunded(outcome) ? 'free' : 'paid';
    expect([result, status, reason ?? '-', score, code ?? '-', isAsked ? 'asked' : 'unasked', refund].join(' ')).toBe(
      expected,
    );
    expect(verdict.catch_all).toBe(result === 'catch-all');
  });

  it.each<[string, Outcome, Parameters<typeof seen>[1], string]>([
    ['a role takes 20 off', DELIVERABLE, { role: true }, 'risky 75'],
    ['a suspected typo takes 15 off', DELIVERABLE, { typoOf: 'gmail.com' }, 'valid 80'],
    ['both are added up', DELIVERABLE, { role: true, typoOf: 'gmail.com' }, 'risky 60'],
    ['a disposable address has 15 at most', DELIVERABLE, { disposable: true }, 'risky 15'],
    ['penalties come before that cap', { kind: 'ehlo_rejected' }, { role: true, disposable: true }, 'unknown 10'],
    ['1 is the least', { kind: 'ehlo_rejected' }, { role: true, typoOf: 'gmail.com', disposable: true }, 'unknown 1'],
    ['an invalid address has 0', { kind: 'mx_private' }, { role: true, typoOf: 'gmail.com' }, 'invalid 0'],
  ])('weighs signals: %s', (_name, outcome, signals, said) => {
    const { status, score, did_you_mean: meant } = judge(address, seen(outcome, signals));
    expect(`${status} ${score}`).toBe(said);
    expect(meant).toBe(signals?.typoOf === undefined ? null : 'x@gmail.com');
  });

  it.each([
    ['the words give a wait', { cause: 'greylisting', askedS: 120 }, 120],
    ['the wait is too short', { cause: 'greylisting', askedS: 5 }, 60],
    ['the wait is too long', { cause: 'busy', askedS: 1_000_000 }, 86_400],
    ['greylisting words give none', { cause: 'greylisting', askedS: null }, 300],
    ['a busy server gives none', { cause: 'busy', askedS: null }, 900],
    ['a full mailbox gives none', { cause: 'full', askedS: null }, 3600],
  ] as const)('sets retry_after if %s', (_name, deferral, seconds) => {
    const outcome: Outcome = { kind: 'rcpt_deferred', reply: { code: 451, enhanced: null }, deferral };
    expect(judge(address, seen(outcome)).retry_after).toBe(seconds);
  });

  it.each<[string, Outcome, number | null]>([
    ['a host of ours that could not work', { kind: 'unprobed', why: 'host', waitS: null }, 60],
    ['a deadline that came first', { kind: 'unprobed', why: 'deadline', waitS: null }, 60],
    ['a cool-down of ours', { kind: 'unprobed', why: 'cooldown', waitS: 600 }, 600],
    ['a cool-down of ours that is over', { kind: 'unprobed', why: 'cooldown', waitS: 0 }, 60],
    ['a short cool-down of ours', { kind: 'unprobed', why: 'cooldown', waitS: 7 }, 60],
    ['a 4xx before RCPT', { kind: 'deferred', deferral: { cause: 'busy', askedS: null } }, 900],
    ['a mailbox full for good', { kind: 'mailbox_full', reply: ok, deferral: null }, null],
    ['a mailbox full for now', { kind: 'mailbox_full', reply: ok, deferral: { cause: 'full', askedS: 7200 } }, 7200],
    [
      'a made-up mailbox deferred',
      { ...DELIVERABLE, madeUp: { kind: 'not_learnt', why: 'greylisting', deferral: greylisting } },
      300,
    ],
    ['a plain refusal', { kind: 'no_such_mailbox', reply: ok }, null],
  ])('says when to ask again after %s', (_name, outcome, seconds) => {
    expect(judge(address, seen(outcome)).retry_after).toBe(seconds);
  });

  it('carries the enhanced code, the MX hosts and the signals', () => {
    const mx = ['mx1.a.test', 'mx2.a.test'];
    const outcome: Outcome = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } };
    expect(judge(address, { ...seen(outcome, { free: true }), mx })).toMatchObject({
      email: 'x@a.test',
      syntax: true,
      smtp_enhanced_code: '5.1.1',
      free_provider: true,
      disposable: false,
      mx_records: mx,
    });
    const implicit = { ...seen(DELIVERABLE), mx: [], mxFound: false };
    expect(judge(address, implicit)).toMatchObject({ mx_found: false, mx_records: [], result: 'deliverable' });
  });
});

test('what is not an address has no signals, no servers and no score', () => {
  const verdict = verificationResultSchema.strict().parse(notAnAddress('not an address'));
  expect(verdict).toMatchObject({ email: 'not an address', status: 'invalid', score: 0, reason: 'invalid_syntax' });
  expect(Object.values(verdict)).not.toContain(true);
});
