import { describe, expect, it } from 'vitest';
import { REASONS } from './words/reasons.ts';
import type { Outcome } from './evidence.ts';
import { isDoubtful, isTurnedAway, isVerdict, OUTCOMES, rank, rankAcrossHosts, whyNotLearnt } from './outcomes.ts';
import { DELIVERABLE } from './testing/evidence.ts';

type Kind = Outcome['kind'];

const reply = { code: 450, enhanced: null };
const deferral = { cause: 'busy', askedS: null } as const;

/** One outcome of each kind. */
const EXAMPLES = {
  no_mail_domain: { kind: 'no_mail_domain', why: 'nxdomain' },
  mx_lookup_failed: { kind: 'mx_lookup_failed' },
  mx_hosts_missing: { kind: 'mx_hosts_missing' },
  mx_private: { kind: 'mx_private' },
  provider_blocks_probe: { kind: 'provider_blocks_probe' },
  connection_error: { kind: 'connection_error', greeted: false },
  timeout: { kind: 'timeout', greeted: true },
  no_banner: { kind: 'no_banner', refused: true },
  ehlo_rejected: { kind: 'ehlo_rejected' },
  mail_from_rejected: { kind: 'mail_from_rejected' },
  deferred: { kind: 'deferred', deferral },
  no_smtputf8: { kind: 'no_smtputf8' },
  rcpt_deferred: { kind: 'rcpt_deferred', reply, deferral },
  policy_rejected: { kind: 'policy_rejected', reply },
  mailbox_full: { kind: 'mailbox_full', reply, deferral },
  no_such_mailbox: { kind: 'no_such_mailbox', reply },
  accepted: DELIVERABLE,
  protocol_error: { kind: 'protocol_error', reply: null, greeted: true },
  unexpected_code: { kind: 'unexpected_code', reply },
  unprobed: { kind: 'unprobed', why: 'deadline', waitS: null },
  opted_out: { kind: 'opted_out' },
} as const satisfies { readonly [K in Kind]: Extract<Outcome, { kind: K }> };

const KINDS = Object.values(EXAMPLES);
const LOST: Outcome = { kind: 'connection_error', greeted: true };

function which(says: (outcome: Outcome) => boolean): readonly Kind[] {
  return KINDS.filter((outcome) => says(outcome)).map(({ kind }) => kind);
}

/** Kinds by falling rank, those of equal rank together. */
function ordered(by: (outcome: Outcome) => number): readonly (readonly string[])[] {
  const groups = Map.groupBy([...KINDS, LOST], by);
  const named = (outcome: Outcome): string => (outcome === LOST ? 'lost' : outcome.kind);
  return [...groups].toSorted(([x], [y]) => y - x).map(([, outcomes]) => outcomes.map(named));
}

const SERVERS_SAID = [
  ['rcpt_deferred'],
  ['policy_rejected'],
  ['protocol_error', 'unexpected_code'],
  ['deferred'],
  ['mail_from_rejected'],
  ['ehlo_rejected'],
  ['no_banner'],
  ['lost'],
  ['timeout'],
  ['connection_error'],
  ['mx_lookup_failed'],
];

describe('rank', () => {
  it('orders the evidence of one host: verdicts, then replies, then failures', () => {
    const [verdicts, ...others] = ordered(rank);
    expect(verdicts).toEqual(which(isVerdict));
    expect(others).toEqual([...SERVERS_SAID, ['mx_private'], ['unprobed']]);
  });
});

describe('rankAcrossHosts', () => {
  it('ranks what one host has from DNS alone below what another host has from a server', () => {
    expect(ordered(rankAcrossHosts)).toEqual([
      ['no_smtputf8', 'mailbox_full', 'no_such_mailbox', 'accepted', 'opted_out'],
      ...SERVERS_SAID,
      ['no_mail_domain', 'mx_hosts_missing', 'mx_private', 'provider_blocks_probe'],
      ['unprobed'],
    ]);
  });
});

describe('isDoubtful', () => {
  it('doubts what a host without DNS or network would report of every address', () => {
    expect(which(isDoubtful)).toEqual([
      'no_mail_domain',
      'mx_lookup_failed',
      'mx_hosts_missing',
      'mx_private',
      'connection_error',
      'timeout',
    ]);
  });

  it.each([
    ['nxdomain', true],
    ['null_mx', true],
    ['no_records', true],
    ['implicit_mx_silent', true],
    ['address_literal', false],
  ] as const)('doubts that a domain takes no mail because of %s: %s', (why, doubtful) => {
    expect(isDoubtful({ kind: 'no_mail_domain', why })).toBe(doubtful);
  });
});

describe('isTurnedAway', () => {
  it('holds for outcomes in which the server refused our address', () => {
    const turnedAway = ['no_banner', 'ehlo_rejected', 'mail_from_rejected', 'policy_rejected'];
    expect(which(isTurnedAway)).toEqual(turnedAway);
  });

  it.each([
    ['4.7.1', 'busy', true],
    ['4.7.650', 'busy', true],
    ['4.7.1', 'greylisting', false],
    ['4.2.1', 'busy', false],
    [null, 'busy', false],
  ] as const)('knows whether the server turned us away with %s at RCPT that is %s: %s', (enhanced, cause, isAway) => {
    const said = { code: 451, enhanced };
    expect(isTurnedAway({ kind: 'rcpt_deferred', reply: said, deferral: { cause, askedS: null } })).toBe(isAway);
  });
});

describe('whyNotLearnt', () => {
  it('treats a server that hangs up before its greeting as a lost connection', () => {
    expect(whyNotLearnt({ kind: 'no_banner', refused: false })).toBe('connection_error');
  });
});

describe('OUTCOMES', () => {
  it('has a row for every reason of the interface that a probe can give', () => {
    const elsewhere = ['invalid_syntax', 'accept_all'];
    const given = new Set(Object.values(OUTCOMES).flatMap(({ reason }) => (reason === null ? [] : [reason])));
    expect([...given, ...elsewhere].toSorted()).toEqual([...REASONS].toSorted());
  });
});
