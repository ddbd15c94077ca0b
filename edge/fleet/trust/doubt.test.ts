import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import type { LinkEvidence } from '../../../schema/link.ts';
import { ACCEPTED, seen, TIMEOUT, UNPROBED_HOST } from '../../../schema/testing/link-evidence.ts';
import { believed, better, isInDoubt, NO_MX, provesReach } from './doubt.ts';
import type { HostRef } from './roster.ts';

const host = (name: string): HostRef => ({ host: name, instance: name, egress: [name] });
const trustOf = ({ instance }: HostRef) => (instance === 'sick' ? 'unproven' : 'proven');
const NXDOMAIN = seen({ kind: 'no_mail_domain', why: 'nxdomain' });
const NO_ANSWER = seen({ kind: 'mx_lookup_failed' });
const PRIVATE = seen({ kind: 'mx_private' });
const REFUSED = seen({ kind: 'connection_error', greeted: false });

describe('isInDoubt', () => {
  it.each<[Outcome, boolean]>([
    [{ kind: 'timeout', greeted: false }, true],
    [{ kind: 'timeout', greeted: true }, false],
    [{ kind: 'connection_error', greeted: true }, false],
    [{ kind: 'mx_private' }, true],
    [{ kind: 'no_mail_domain', why: 'address_literal' }, false],
    [{ kind: 'no_banner', refused: false }, false],
  ])('of %j: %s', (outcome, doubted) => {
    expect(isInDoubt(outcome)).toBe(doubted);
  });
});

it.each<[Outcome, boolean]>([
  [{ kind: 'no_banner', refused: false }, true],
  [{ kind: 'ehlo_rejected' }, true],
  [{ kind: 'connection_error', greeted: true }, true],
  [{ kind: 'connection_error', greeted: false }, false],
  [{ kind: 'provider_blocks_probe' }, false],
  [{ kind: 'unprobed', why: 'cooldown', waitS: 9 }, false],
])('%j proves that a mail server was there: %s', (outcome, proves) => {
  expect(provesReach(outcome)).toBe(proves);
});

describe('better', () => {
  it.each<[string, LinkEvidence, string, LinkEvidence, string, 'first' | 'second']>([
    ['what is known over what is in doubt', NO_ANSWER, 'a', seen({ kind: 'provider_blocks_probe' }), 'b', 'second'],
    ['a host that is believed over one that is not', TIMEOUT, 'sick', NXDOMAIN, 'b', 'second'],
    ['a host that is believed over one that is not', NXDOMAIN, 'a', TIMEOUT, 'sick', 'first'],
    ['an answer of DNS over none', NO_ANSWER, 'a', PRIVATE, 'b', 'second'],
    ['what got further', NXDOMAIN, 'a', REFUSED, 'b', 'second'],
    ['the first of equals', TIMEOUT, 'a', TIMEOUT, 'b', 'first'],
    ['anything over nothing', UNPROBED_HOST, 'a', TIMEOUT, 'sick', 'second'],
    ['what a server said, whoever heard it', TIMEOUT, 'a', ACCEPTED, 'sick', 'second'],
  ])('takes %s', (_name, first, from, second, then, taken) => {
    const heard = { first: { from: host(from), evidence: first }, second: { from: host(then), evidence: second } };
    expect(better(heard.first, heard.second, trustOf)).toBe(heard[taken]);
  });
});

describe('believed', () => {
  it('makes of a sick host’s doubtful word that nobody was asked, and keeps none of what it said of DNS', () => {
    const evidence = believed({ from: host('sick'), evidence: { ...TIMEOUT, mx: 501 } }, trustOf);
    expect(evidence).toEqual({ ...UNPROBED_HOST, mx: NO_MX });
  });

  it.each([
    ['a server’s own word from it', 'sick', ACCEPTED],
    ['the doubtful word of another', 'well', TIMEOUT],
  ])('takes %s as it is', (_name, from, evidence) => {
    expect(believed({ from: host(from), evidence }, trustOf)).toBe(evidence);
  });
});
