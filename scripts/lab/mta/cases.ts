import { REASON_ROWS, type Reason } from '../../../schema/words/reasons.ts';
import type { VerificationResult } from '../../../schema/words/result.ts';
import { DOMAIN_SUFFIX } from './names.ts';

// One address for each thing that the real servers do, and what of the answer depends on them: the verdict's other fields
// follow from its reason (`schema/verdict.test.ts`).

export type Case = Pick<VerificationResult, 'result' | 'smtp_code' | 'smtp_enhanced_code'> & {
  /** As `inZone` completes it. */
  readonly address: string;
  readonly reason: Reason | null;
};

type Said = readonly [code?: number, enhanced?: string];

const exists = (address: string, ...said: Said) => row(address, 'deliverable', null, said);
const dead = (address: string, ...said: Said) => row(address, 'undeliverable', null, said);
const full = (address: string, ...said: Said) => row(address, 'deliverable', 'mailbox_full', said);
const unknown = (address: string, reason: Reason, ...said: Said) => row(address, 'unknown', reason, said);

function row(address: string, result: Case['result'], reason: Reason | null, [code, enhanced]: Said): Case {
  return { address, result, reason, smtp_code: code ?? null, smtp_enhanced_code: enhanced ?? null };
}

/** Every one of them in one request; the greylisted ones are asked for the first time. */
export const CASES: readonly Case[] = [
  exists('anna@mailbox', 250, '2.1.5'),
  dead('nobody@mailbox', 550, '5.1.1'),
  full('full@mailbox', 452, '4.2.2'),
  full('quota@mailbox', 552, '5.2.2'),
  dead('disabled@mailbox', 550, '5.2.1'),
  dead('moved@mailbox', 550, '5.1.6'),
  exists('björk@mailbox', 250, '2.1.5'),
  exists('"anna"@mailbox', 250, '2.1.5'),
  row('anyone@catchall', 'catch-all', 'accept_all', [250, '2.1.5']),
  dead('anna@relay', 554, '5.7.1'),
  exists('anna@bücher', 250, '2.1.5'),
  unknown('anna@greylist', 'greylisting', 450, '4.2.0'),
  dead('nobody@greylist', 550, '5.1.1'),
  exists('anna@tls', 250, '2.1.5'),
  dead('nobody@tls', 550, '5.1.1'),
  exists('anna@plain', 250, '2.1.5'),
  dead('björk@plain'),
  exists('anna@postscreen', 250, '2.1.5'),
  dead('nobody@postscreen', 550, '5.1.1'),
  unknown('anna@postscreen-deep', 'greylisting', 450, '4.3.2'),
  unknown('anna@no-connection', 'no_banner'),
  unknown('anna@no-helo', 'ehlo_rejected'),
  unknown('anna@no-sender', 'mail_from_rejected'),
  unknown('anna@no-client', 'policy_rejected', 554, '5.7.1'),
  unknown('anna@later', 'greylisting'),
  unknown('anna@refused', 'connection_error'),
  exists('anna@exim', 250),
  dead('nobody@exim', 550),
  full('full@exim', 452, '4.2.2'),
  unknown('later@exim', 'greylisting', 451),
  exists('anna@exim-slow', 250),
  dead('nobody@exim-slow', 550),
  // The first two hosts cannot be reached; the first denies relaying.
  exists('anna@several', 250, '2.1.5'),
  exists('anna@two-minds', 250, '2.1.5'),
];

export const isFree = ({ result, reason }: Case): boolean =>
  result === 'unknown' && reason !== null && REASON_ROWS[reason].credit === 'returned';

export const inZone = (address: string): string => `${address}.${DOMAIN_SUFFIX}`;
