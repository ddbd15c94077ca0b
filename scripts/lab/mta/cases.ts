import type { VerificationResult } from '../../../schema/words/result.ts';
import { DOMAIN_SUFFIX } from './names.ts';

// One address for each thing that the real servers do, and what the service must answer.

type Expected = Partial<VerificationResult> & Pick<VerificationResult, 'result' | 'status' | 'reason' | 'score'>;

export type Case = {
  /** As `inZone` completes it. */
  readonly address: string;
  readonly expected: Expected;
  /** The credit comes back. */
  readonly free?: true;
};

const valid = { result: 'deliverable', status: 'valid', reason: null, score: 95, smtp_check: true } as const;
const dead = { result: 'undeliverable', status: 'invalid', reason: null, score: 0, smtp_check: true } as const;
const full = { result: 'deliverable', status: 'risky', reason: 'mailbox_full', score: 40, smtp_check: true } as const;
const unknown = { result: 'unknown', status: 'unknown', score: 30, smtp_code: null } as const;
const deferred = { ...unknown, reason: 'greylisting', smtp_check: true } as const;
const noMail = { ...dead, smtp_check: false, smtp_code: null, mx_found: false } as const;
const code = (smtp_code: number, smtp_enhanced_code: string | null) => ({ smtp_code, smtp_enhanced_code });
const ok = code(250, '2.1.5');

const AT_POSTFIX: readonly Case[] = [
  { address: 'anna@mailbox', expected: { ...valid, ...ok, mx_found: true, catch_all: false, retry_after: null } },
  { address: 'nobody@mailbox', expected: { ...dead, ...code(550, '5.1.1'), retry_after: null } },
  { address: 'full@mailbox', expected: { ...full, ...code(452, '4.2.2'), retry_after: 3600 } },
  { address: 'quota@mailbox', expected: { ...full, ...code(552, '5.2.2'), retry_after: null } },
  { address: 'disabled@mailbox', expected: { ...dead, ...code(550, '5.2.1') } },
  { address: 'moved@mailbox', expected: { ...dead, ...code(550, '5.1.6') } },
  { address: 'info@mailbox', expected: { ...valid, ...ok, status: 'risky', score: 75, role_based: true } },
  { address: 'björk@mailbox', expected: { ...valid, ...ok } },
  { address: '"anna"@mailbox', expected: { ...valid, ...ok } },
  {
    address: 'whoever@catchall',
    expected: { result: 'catch-all', status: 'risky', reason: 'accept_all', score: 55, catch_all: true, ...ok },
  },
  { address: 'anna@relay', expected: { ...dead, ...code(554, '5.7.1') } },
  { address: 'anna@bücher', expected: { ...valid, ...ok } },
  { address: 'anna@greylist', expected: { ...deferred, score: 50, ...code(450, '4.2.0'), retry_after: 300 } },
  { address: 'nobody@greylist', expected: { ...dead, ...code(550, '5.1.1') } },
  { address: 'anna@tls', expected: { ...valid, ...ok } },
  { address: 'nobody@tls', expected: { ...dead, ...code(550, '5.1.1') } },
  { address: 'anna@plain', expected: { ...valid, ...ok } },
  { address: 'björk@plain', expected: { ...dead, ...code(250, null), smtp_code: null } },
];

const AT_POSTSCREEN: readonly Case[] = [
  { address: 'anna@postscreen', expected: { ...valid, ...ok } },
  { address: 'nobody@postscreen', expected: { ...dead, ...code(550, '5.1.1') } },
  { address: 'anna@postscreen-deep', expected: { ...deferred, score: 50, ...code(450, '4.3.2'), retry_after: 900 } },
];

const REFUSED: readonly Case[] = [
  { address: 'anna@no-connection', expected: { ...unknown, reason: 'no_banner', smtp_check: true }, free: true },
  { address: 'anna@no-helo', expected: { ...unknown, reason: 'ehlo_rejected', smtp_check: true }, free: true },
  { address: 'anna@no-sender', expected: { ...unknown, reason: 'mail_from_rejected', smtp_check: true }, free: true },
  {
    address: 'anna@no-client',
    expected: { ...unknown, reason: 'policy_rejected', smtp_check: true, ...code(554, '5.7.1') },
    free: true,
  },
  { address: 'anna@later', expected: { ...deferred, retry_after: 900 } },
  { address: 'anna@refused', expected: { ...unknown, reason: 'connection_error', smtp_check: false, mx_found: true } },
];

const AT_EXIM: readonly Case[] = [
  { address: 'anna@exim', expected: { ...valid, ...code(250, null) } },
  { address: 'nobody@exim', expected: { ...dead, ...code(550, null) } },
  { address: 'full@exim', expected: { ...full, ...code(452, '4.2.2'), retry_after: 3600 } },
  { address: 'later@exim', expected: { ...deferred, score: 50, ...code(451, null), retry_after: 120 } },
  { address: 'anna@exim-slow', expected: { ...valid, ...code(250, null) } },
  { address: 'nobody@exim-slow', expected: { ...dead, ...code(550, null) } },
];

const IN_DNS: readonly Case[] = [
  { address: 'anna@null-mx', expected: { ...noMail, reason: 'no_mx' } },
  { address: 'anna@no-such-domain', expected: { ...noMail, reason: 'no_mx', mx_records: [] } },
  { address: 'anna@textonly', expected: { ...noMail, reason: 'no_mx' } },
  { address: 'anna@implicit', expected: { ...valid, ...ok, mx_found: false, mx_records: [] } },
  { address: 'anna@implicit-silent', expected: { ...noMail, reason: 'no_mx' } },
  { address: 'anna@cname-mx', expected: { ...valid, ...ok, mx_records: ['alias.real.test'] } },
  { address: 'anna@cname-domain', expected: { ...valid, ...ok, mx_records: ['mx.postfix.test'] } },
  {
    address: 'anna@several',
    expected: { ...valid, ...ok, mx_records: ['gone.real.test', 'mx.nobody.test', 'mx.postfix.test'] },
  },
  { address: 'anna@two-minds', expected: { ...valid, ...ok } },
  { address: 'anna@many', expected: { ...valid, ...ok } },
  { address: 'anna@mixed', expected: { ...valid, ...ok } },
  { address: 'anna@private', expected: { ...noMail, reason: 'mx_private_ip' } },
  { address: 'anna@gone-only', expected: { ...noMail, reason: 'mx_unresolved' } },
  { address: 'anna@cname-loop', expected: { ...noMail, reason: 'mx_unresolved' } },
  { address: 'anna@unsure', expected: { ...unknown, reason: 'mx_unresolved', smtp_check: false } },
];

/** Every one of them in one request; the greylisted ones are asked for the first time. */
export const CASES: readonly Case[] = [...AT_POSTFIX, ...AT_POSTSCREEN, ...REFUSED, ...AT_EXIM, ...IN_DNS];

export const inZone = (address: string): string => `${address}.${DOMAIN_SUFFIX}`;
