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

const INVALID = { result: 'undeliverable', status: 'invalid', score: 0 } as const;
const UNKNOWN = { result: 'unknown', status: 'unknown', score: 30 } as const;
const VALID = { ...MET, result: 'deliverable', status: 'valid', score: 95, smtp_code: 250 } as const;
const ACCEPTS_ALL = { result: 'catch-all', status: 'risky', score: 55, catch_all: true, reason: 'accept_all' } as const;
const CATCH_ALL = { ...MET, ...ACCEPTS_ALL, smtp_code: 250 } as const;
const NOT_LEARNT = { ...VALID, status: 'risky', score: 70 } as const;
const DEAD = { ...MET, ...INVALID } as const;
const FULL = { ...MET, result: 'deliverable', status: 'risky', reason: 'mailbox_full', score: 40 } as const;
const DEFERRED = { ...MET, ...UNKNOWN, reason: 'greylisting', retry_after: 900 } as const;
const NO_MX = { ...NOTHING_SEEN, ...INVALID, reason: 'no_mx' } as const;
const UNRESOLVED = { ...NOTHING_SEEN, ...UNKNOWN, reason: 'mx_unresolved' } as const;
/** Of a conversation that came to nothing, and of one that never began. */
const MET_UNKNOWN = { ...MET, ...UNKNOWN } as const;
const FOUND_UNKNOWN = { ...FOUND, ...UNKNOWN } as const;
const NO_BANNER = { ...FOUND_UNKNOWN, reason: 'no_banner' } as const;
const MAIL_REJECTED = { ...MET_UNKNOWN, reason: 'mail_from_rejected' } as const;

const said = (smtp_code: number, smtp_enhanced_code: string | null = null) => ({ smtp_code, smtp_enhanced_code });

type More = { readonly free?: boolean; readonly takesS?: number };
function row(address: string, shows: string, expected: Fields, { free = false, takesS = 0 }: More = {}): Row {
  return { address, shows, expected, free, takesS };
}

const BACK = { free: true } as const;

const ACCEPTED: readonly Row[] = [
  row('ok@deliverable.test', 'an existing mailbox', VALID),
  row('anyone@catchall.test', 'a server that accepts everyone', CATCH_ALL),
  row('ok@provider-accepts-all.test', 'a provider that accepts everyone and refuses after DATA', CATCH_ALL),
  row('info@deliverable.test', 'an existing role mailbox', { ...VALID, status: 'risky', score: 75, role_based: true }),
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
  row('ok@implicit-mx.test', "no MX: the domain's own address serves", { ...VALID, mx_found: false }),
];

/** The made-up mailbox was not learnt. */
const HALF_LEARNT: readonly Row[] = [
  row('ok@learns-greylisted.test', 'accepted; the made-up mailbox is greylisted', {
    ...NOT_LEARNT,
    reason: 'greylisting',
    retry_after: 300,
  }),
  row('ok@learns-blocked.test', 'accepted; the made-up mailbox is refused for policy', {
    ...NOT_LEARNT,
    reason: 'policy_rejected',
  }),
  row(
    'ok@learns-silence.test',
    'accepted; no reply about the made-up mailbox, twice',
    { ...NOT_LEARNT, reason: 'timeout' },
    { takesS: 60 },
  ),
  row('ok@learns-reset.test', 'accepted; connection lost at the made-up mailbox', {
    ...NOT_LEARNT,
    reason: 'connection_error',
  }),
  row('ok@learns-garbage.test', 'accepted; garbage about the made-up mailbox', {
    ...NOT_LEARNT,
    reason: 'protocol_error',
  }),
  row('ok@learns-nothing.test', 'accepted; a refusal of the made-up mailbox that explains nothing', {
    ...NOT_LEARNT,
    reason: 'unexpected_code',
  }),
];

const REFUSED: readonly Row[] = [
  row('nobody@deliverable.test', 'no such mailbox', { ...DEAD, ...said(550, '5.1.1'), role_based: true }),
  row('disabled@deliverable.test', 'a disabled mailbox', { ...DEAD, ...said(550, '5.2.1') }),
  row('moved@deliverable.test', 'a mailbox that moved away', { ...DEAD, ...said(551, '5.1.6') }),
  row('anyone@takes-no-mail.test', 'a domain that takes no mail (556)', { ...DEAD, ...said(556, '5.1.10') }),
  row('anyone@relay-denied.test', 'a server that does not serve the domain', { ...DEAD, ...said(554, '5.7.1') }),
  row('ü@ascii-only.test', 'a mailbox that needs SMTPUTF8, which is not offered', DEAD),
];

const PUT_OFF: readonly Row[] = [
  row('full@deliverable.test', 'over quota, 452', { ...FULL, ...said(452, '4.2.2'), retry_after: 3600 }),
  row('overquota@deliverable.test', 'over quota, 552', { ...FULL, ...said(552, '5.2.2') }),
  row('greylisted@deliverable.test', 'greylisted, with a wait in words', {
    ...DEFERRED,
    ...said(450, '4.2.0'),
    score: 50,
    retry_after: 420,
  }),
  row('busy@deliverable.test', 'a temporary failure at RCPT', { ...DEFERRED, ...said(451, '4.3.0'), score: 50 }),
  row('anyone@closing.test', '421 at RCPT', { ...DEFERRED, ...said(421, '4.3.0') }),
  row('anyone@greeting-421.test', 'a busy server: 421 instead of a greeting', DEFERRED),
  row('anyone@mail-deferred.test', '451 to MAIL FROM', DEFERRED),
];

const PROBER_REFUSED: readonly Row[] = [
  row(
    'anyone@blocked.test',
    'the probing host is on a block list',
    { ...MET_UNKNOWN, ...said(554, '5.7.1'), reason: 'policy_rejected' },
    BACK,
  ),
  row('anyone@greeting-554.test', '554 instead of a greeting', { ...NO_BANNER, smtp_check: true }, BACK),
  row('anyone@hangs-up.test', 'closed before the greeting', NO_BANNER, BACK),
  row('anyone@resets.test', 'reset before the greeting', NO_BANNER, BACK),
  row('anyone@silent.test', 'connected, and no greeting in 30 s', NO_BANNER, { free: true, takesS: 30 }),
  row('anyone@ehlo-rejected.test', 'EHLO refused', { ...MET_UNKNOWN, reason: 'ehlo_rejected' }, BACK),
  row('anyone@mail-rejected.test', 'MAIL FROM refused', MAIL_REJECTED, BACK),
  row('anyone@tls-demanded.test', 'STARTTLS demanded and not offered', MAIL_REJECTED, BACK),
];

const BY_NAME: readonly Row[] = [
  row('two words@deliverable.test', 'not an address', { ...NO_MX, reason: 'invalid_syntax', syntax: false }, BACK),
  row('anyone@nxdomain.test', 'a domain that does not exist', NO_MX),
  row('anyone@null-mx.test', 'a null MX: no mail wanted', NO_MX),
  row('anyone@no-records.test', 'neither MX nor address', NO_MX),
  row('anyone@[192.0.2.1]', 'an address literal', NO_MX),
  row('anyone@implicit-silent.test', "no MX, and the domain's own address does not greet in 5 s", NO_MX, { takesS: 5 }),
  row('anyone@servfail.test', 'the MX lookup fails (SERVFAIL)', UNRESOLVED),
  row('anyone@dns-refused.test', 'the MX lookup is refused', UNRESOLVED),
  row('anyone@dns-silent.test', 'the MX lookup gets no answer', UNRESOLVED, { takesS: 5 }),
  row('anyone@mx-servfail.test', "the MX host's addresses cannot be looked up", UNRESOLVED),
  row('anyone@mx-missing.test', 'no MX host exists', { ...NO_MX, reason: 'mx_unresolved' }),
  row('anyone@private-mx.test', 'the MX has a private address', { ...NO_MX, reason: 'mx_private_ip' }),
  row('anyone@blocks-probe.test', 'a provider that blocks probing: not dialled', {
    ...FOUND_UNKNOWN,
    status: 'risky',
    score: 65,
    reason: 'provider_blocks_probe',
  }),
];

const NOTHING_LEARNT: readonly Row[] = [
  row('anyone@refused.test', 'connection refused', { ...FOUND_UNKNOWN, reason: 'connection_error' }),
  row('anyone@lost.test', 'connection lost at RCPT, twice', { ...MET_UNKNOWN, reason: 'connection_error' }),
  row(
    'anyone@unconnectable.test',
    'no TCP connection in 10 s',
    { ...FOUND_UNKNOWN, reason: 'timeout' },
    { takesS: 10 },
  ),
  row('anyone@slow-mail.test', 'no reply in 30 s', { ...MET_UNKNOWN, reason: 'timeout' }, { takesS: 30 }),
  row('anyone@garbage.test', 'a greeting that is not SMTP', { ...FOUND_UNKNOWN, reason: 'protocol_error' }),
  row('anyone@endless.test', 'an endless line to EHLO', { ...MET_UNKNOWN, reason: 'protocol_error' }),
  row('anyone@babbles.test', 'garbage to RCPT', { ...MET_UNKNOWN, reason: 'protocol_error' }),
  row('anyone@unexpected.test', '554 that names neither mailbox nor prober', {
    ...MET_UNKNOWN,
    ...said(554),
    reason: 'unexpected_code',
  }),
  row('anyone@code-354.test', '354 to RCPT', { ...MET_UNKNOWN, ...said(354), reason: 'unexpected_code' }),
];

export const WORLD: readonly Row[] = [
  ...ACCEPTED,
  ...HALF_LEARNT,
  ...REFUSED,
  ...PUT_OFF,
  ...PROBER_REFUSED,
  ...BY_NAME,
  ...NOTHING_LEARNT,
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
