import { parseAddress, spelling } from '../../schema/address.ts';
import type { VerificationResult } from '../../schema/words/result.ts';
import { DOMAINS } from './domains.ts';

// One address for every row of the verdict table, with what the service must answer. The README's table is made from
// this, and a test posts every row through a running service and compares.

type Fields = Omit<VerificationResult, 'email' | 'mx_records'>;

export type Row = {
  readonly address: string;
  /** What the world does to it, for the README. */
  readonly shows: string;
  readonly expected: Fields;
  /** Whether the credit goes back (or was never charged). */
  readonly free: boolean;
  /** About how long the answer takes; 0 is under a second. */
  readonly takesS: number;
};

const NOTHING_SEEN = {
  catch_all: false,
  reason: null,
  retry_after: null,
  smtp_code: null,
  smtp_enhanced_code: null,
  syntax: true,
  mx_found: false,
  smtp_check: false,
  disposable: false,
  role_based: false,
  free_provider: false,
  did_you_mean: null,
} as const satisfies Partial<Fields>;

/** Its MX has an address, nobody was talked to. */
const FOUND = { ...NOTHING_SEEN, mx_found: true } as const;
/** Talked to. */
const MET = { ...FOUND, smtp_check: true } as const;

const VALID = { ...MET, result: 'deliverable', status: 'valid', score: 95, smtp_code: 250 } as const;
const INVALID = { result: 'undeliverable', status: 'invalid', score: 0 } as const;
const UNKNOWN = { result: 'unknown', status: 'unknown', score: 30 } as const;
const FULL = { result: 'deliverable', status: 'risky', reason: 'mailbox_full', score: 40 } as const;
const NOT_LEARNT = { result: 'deliverable', status: 'risky', score: 70, smtp_code: 250 } as const;

function row(
  address: string,
  shows: string,
  expected: Fields,
  more: { readonly free?: boolean; readonly takesS?: number } = {},
): Row {
  return { address, shows, expected, free: more.free ?? false, takesS: more.takesS ?? 0 };
}

const BACK = { free: true } as const;

export const WORLD: readonly Row[] = [
  // accepted
  row('ok@deliverable.test', 'an existing mailbox', VALID),
  row('anyone@catchall.test', 'a server that accepts everyone', {
    ...MET,
    result: 'catch-all',
    status: 'risky',
    score: 55,
    catch_all: true,
    reason: 'accept_all',
    smtp_code: 250,
  }),
  row('ok@provider-accepts-all.test', 'a provider that accepts everyone and refuses after DATA', {
    ...MET,
    result: 'catch-all',
    status: 'risky',
    score: 55,
    catch_all: true,
    reason: 'accept_all',
    smtp_code: 250,
  }),
  row('info@deliverable.test', 'an existing role mailbox', {
    ...VALID,
    status: 'risky',
    score: 75,
    role_based: true,
  }),
  row('ok@sandbox.mailinator.com', 'an existing mailbox of a disposable domain', {
    ...VALID,
    status: 'risky',
    score: 15,
    disposable: true,
  }),
  row('ok@gmail.con', 'an existing mailbox of a domain that looks like a typo', {
    ...VALID,
    score: 80,
    did_you_mean: 'ok@gmail.com',
  }),
  row('ü@deliverable.test', 'a mailbox that needs SMTPUTF8, which is offered', VALID),
  row('ok@bücher.test', 'an internationalised domain', VALID),
  row('ok@backup-mx.test', 'the first MX is down, the second answers', VALID),
  row('ok@implicit-mx.test', "no MX: the domain's own address serves", {
    ...VALID,
    mx_found: false,
  }),

  // accepted, the made-up mailbox not learnt
  row('ok@learns-greylisted.test', 'accepted; the made-up mailbox is greylisted', {
    ...MET,
    ...NOT_LEARNT,
    reason: 'greylisting',
    retry_after: 300,
  }),
  row('ok@learns-blocked.test', 'accepted; the made-up mailbox is refused for policy', {
    ...MET,
    ...NOT_LEARNT,
    reason: 'policy_rejected',
  }),
  row(
    'ok@learns-silence.test',
    'accepted; no reply about the made-up mailbox, twice',
    { ...MET, ...NOT_LEARNT, reason: 'timeout' },
    { takesS: 60 },
  ),
  row('ok@learns-reset.test', 'accepted; connection lost at the made-up mailbox', {
    ...MET,
    ...NOT_LEARNT,
    reason: 'connection_error',
  }),
  row('ok@learns-garbage.test', 'accepted; garbage about the made-up mailbox', {
    ...MET,
    ...NOT_LEARNT,
    reason: 'protocol_error',
  }),
  row('ok@learns-nothing.test', 'accepted; a refusal of the made-up mailbox that explains nothing', {
    ...MET,
    ...NOT_LEARNT,
    reason: 'unexpected_code',
  }),

  // refused for good
  row('nobody@deliverable.test', 'no such mailbox', {
    ...MET,
    ...INVALID,
    role_based: true,
    smtp_code: 550,
    smtp_enhanced_code: '5.1.1',
  }),
  row('disabled@deliverable.test', 'a disabled mailbox', {
    ...MET,
    ...INVALID,
    smtp_code: 550,
    smtp_enhanced_code: '5.2.1',
  }),
  row('moved@deliverable.test', 'a mailbox that moved away', {
    ...MET,
    ...INVALID,
    smtp_code: 551,
    smtp_enhanced_code: '5.1.6',
  }),
  row('anyone@takes-no-mail.test', 'a domain that takes no mail (556)', {
    ...MET,
    ...INVALID,
    smtp_code: 556,
    smtp_enhanced_code: '5.1.10',
  }),
  row('anyone@relay-denied.test', 'a server that does not serve the domain', {
    ...MET,
    ...INVALID,
    smtp_code: 554,
    smtp_enhanced_code: '5.7.1',
  }),
  row('ü@ascii-only.test', 'a mailbox that needs SMTPUTF8, which is not offered', { ...MET, ...INVALID }),

  // full
  row('full@deliverable.test', 'over quota, 452', {
    ...MET,
    ...FULL,
    retry_after: 3600,
    smtp_code: 452,
    smtp_enhanced_code: '4.2.2',
  }),
  row('overquota@deliverable.test', 'over quota, 552', {
    ...MET,
    ...FULL,
    smtp_code: 552,
    smtp_enhanced_code: '5.2.2',
  }),

  // deferred
  row('greylisted@deliverable.test', 'greylisted, with a wait in words', {
    ...MET,
    ...UNKNOWN,
    reason: 'greylisting',
    score: 50,
    retry_after: 420,
    smtp_code: 450,
    smtp_enhanced_code: '4.2.0',
  }),
  row('busy@deliverable.test', 'a temporary failure at RCPT', {
    ...MET,
    ...UNKNOWN,
    reason: 'greylisting',
    score: 50,
    retry_after: 900,
    smtp_code: 451,
    smtp_enhanced_code: '4.3.0',
  }),
  row('anyone@closing.test', '421 at RCPT', {
    ...MET,
    ...UNKNOWN,
    reason: 'greylisting',
    retry_after: 900,
    smtp_code: 421,
    smtp_enhanced_code: '4.3.0',
  }),
  row('anyone@greeting-421.test', 'a busy server: 421 instead of a greeting', {
    ...MET,
    ...UNKNOWN,
    reason: 'greylisting',
    retry_after: 900,
  }),
  row('anyone@mail-deferred.test', '451 to MAIL FROM', {
    ...MET,
    ...UNKNOWN,
    reason: 'greylisting',
    retry_after: 900,
  }),

  // the prober is refused
  row(
    'anyone@blocked.test',
    'the probing host is on a block list',
    { ...MET, ...UNKNOWN, reason: 'policy_rejected', smtp_code: 554, smtp_enhanced_code: '5.7.1' },
    BACK,
  ),
  row('anyone@greeting-554.test', '554 instead of a greeting', { ...MET, ...UNKNOWN, reason: 'no_banner' }, BACK),
  row('anyone@hangs-up.test', 'closed before the greeting', { ...FOUND, ...UNKNOWN, reason: 'no_banner' }, BACK),
  row('anyone@resets.test', 'reset before the greeting', { ...FOUND, ...UNKNOWN, reason: 'no_banner' }, BACK),
  row(
    'anyone@silent.test',
    'connected, and no greeting in 30 s',
    { ...FOUND, ...UNKNOWN, reason: 'no_banner' },
    { free: true, takesS: 30 },
  ),
  row('anyone@ehlo-rejected.test', 'EHLO refused', { ...MET, ...UNKNOWN, reason: 'ehlo_rejected' }, BACK),
  row('anyone@mail-rejected.test', 'MAIL FROM refused', { ...MET, ...UNKNOWN, reason: 'mail_from_rejected' }, BACK),
  row(
    'anyone@tls-demanded.test',
    'STARTTLS demanded and not offered',
    { ...MET, ...UNKNOWN, reason: 'mail_from_rejected' },
    BACK,
  ),

  // DNS
  row(
    'two words@deliverable.test',
    'not an address',
    { ...NOTHING_SEEN, ...INVALID, reason: 'invalid_syntax', syntax: false },
    BACK,
  ),
  row('anyone@nxdomain.test', 'a domain that does not exist', { ...NOTHING_SEEN, ...INVALID, reason: 'no_mx' }),
  row('anyone@null-mx.test', 'a null MX: no mail wanted', { ...NOTHING_SEEN, ...INVALID, reason: 'no_mx' }),
  row('anyone@no-records.test', 'neither MX nor address', { ...NOTHING_SEEN, ...INVALID, reason: 'no_mx' }),
  row('anyone@[192.0.2.1]', 'an address literal', { ...NOTHING_SEEN, ...INVALID, reason: 'no_mx' }),
  row(
    'anyone@implicit-silent.test',
    "no MX, and the domain's own address does not greet in 5 s",
    { ...NOTHING_SEEN, ...INVALID, reason: 'no_mx' },
    { takesS: 5 },
  ),
  row('anyone@servfail.test', 'the MX lookup fails (SERVFAIL)', {
    ...NOTHING_SEEN,
    ...UNKNOWN,
    reason: 'mx_unresolved',
  }),
  row('anyone@dns-refused.test', 'the MX lookup is refused', { ...NOTHING_SEEN, ...UNKNOWN, reason: 'mx_unresolved' }),
  row(
    'anyone@dns-silent.test',
    'the MX lookup gets no answer',
    { ...NOTHING_SEEN, ...UNKNOWN, reason: 'mx_unresolved' },
    { takesS: 5 },
  ),
  row('anyone@mx-servfail.test', "the MX host's addresses cannot be looked up", {
    ...NOTHING_SEEN,
    ...UNKNOWN,
    reason: 'mx_unresolved',
  }),
  row('anyone@mx-missing.test', 'no MX host exists', { ...NOTHING_SEEN, ...INVALID, reason: 'mx_unresolved' }),
  row('anyone@private-mx.test', 'the MX has a private address', {
    ...NOTHING_SEEN,
    ...INVALID,
    reason: 'mx_private_ip',
  }),
  row('anyone@blocks-probe.test', 'a provider that blocks probing: not dialled', {
    ...FOUND,
    result: 'unknown',
    status: 'risky',
    score: 65,
    reason: 'provider_blocks_probe',
  }),

  // the network
  row('anyone@refused.test', 'connection refused', { ...FOUND, ...UNKNOWN, reason: 'connection_error' }),
  row('anyone@lost.test', 'connection lost at RCPT, twice', { ...MET, ...UNKNOWN, reason: 'connection_error' }),
  row(
    'anyone@unconnectable.test',
    'no TCP connection in 10 s',
    { ...FOUND, ...UNKNOWN, reason: 'timeout' },
    { takesS: 10 },
  ),
  row('anyone@slow-mail.test', 'no reply in 30 s', { ...MET, ...UNKNOWN, reason: 'timeout' }, { takesS: 30 }),

  // replies that explain nothing
  row('anyone@garbage.test', 'a greeting that is not SMTP', { ...FOUND, ...UNKNOWN, reason: 'protocol_error' }),
  row('anyone@endless.test', 'an endless line to EHLO', { ...MET, ...UNKNOWN, reason: 'protocol_error' }),
  row('anyone@babbles.test', 'garbage to RCPT', { ...MET, ...UNKNOWN, reason: 'protocol_error' }),
  row('anyone@unexpected.test', '554 that names neither mailbox nor prober', {
    ...MET,
    ...UNKNOWN,
    reason: 'unexpected_code',
    smtp_code: 554,
  }),
  row('anyone@code-354.test', '354 to RCPT', { ...MET, ...UNKNOWN, reason: 'unexpected_code', smtp_code: 354 }),
];

/** The whole result that the service must give for a row. */
export function expectedResult({ address, expected }: Row): VerificationResult {
  const mx = DOMAINS.get(parseAddress(address)?.domain ?? '')?.mx;
  return {
    email: spelling(address),
    ...expected,
    mx_records: mx === undefined || typeof mx === 'string' ? [] : [...mx],
  };
}
