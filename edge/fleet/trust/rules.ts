import type { Outcome } from '../../../schema/evidence.ts';
import type { LinkEvidence } from '../../../schema/link.ts';
import {
  type Claim,
  isDoubtful,
  isOurFault,
  isRest,
  isTurnedAway,
  isUnprobed,
  OUTCOMES,
  rankAcrossHosts,
  wasGreeted,
} from '../../../schema/outcomes.ts';
import type { HostRef } from './host.ts';

// How far a host is trusted: three rules, pure. Hosts are the operator's own machines: they break, but do not collude.
//
// (a) A denial by DNS is final when two hosts report it. A third decides between two that differ; if none can in time,
//     the address is unprobed and not charged. A lone host is trusted while its self-check passes.
// (b) Silence is accepted from a working host; otherwise another host is asked.
// (c) One address in fifty is asked from other hosts too. A host that alone differs five times in a hundred, for three
//     accounts, is out. So is one that is silent about everything while another answers. With fewer accounts or hosts
//     nobody can be outvoted: what differs is shown, and left to the operator.

/** The number of the empty MX row; rows of a job begin at 500. */
export const NO_MX = 0;

/** What one host reported about one address. */
export type Heard = {
  readonly from: HostRef;
  readonly evidence: LinkEvidence;
  /** The host knows no MX: any server it reached is at the domain's own address, which a resolver may have invented. */
  readonly isImplicit: boolean;
};

/** Which other host to ask: any, or one with another egress address. */
export type Wanted = 'host' | 'egress';
export type Decision =
  | { readonly kind: 'final'; readonly evidence: LinkEvidence }
  /** `late`: the evidence that counts if no host is asked in time; `alone`: if there is no other host. */
  | { readonly kind: 'open'; readonly wants: Wanted; readonly late: LinkEvidence; readonly alone: LinkEvidence };

/** Whether a host without a resolver or a route would report the same. A server that greeted us rules that out. */
function isInDoubt(outcome: Outcome): boolean {
  return isDoubtful(outcome) && !wasGreeted(outcome);
}

/** Whether it rests on a resolver alone: the domain takes no mail, or the resolver gave no answer. */
function isDenial(outcome: Outcome): boolean {
  return isInDoubt(outcome) && OUTCOMES[outcome.kind].claim !== null;
}

/** The same address, as if no host had been asked about it. */
function notBelieved(evidence: LinkEvidence): LinkEvidence {
  return { ...evidence, mx: NO_MX, outcome: { kind: 'unprobed', why: 'host', waitS: null } };
}

/**
 * Rules (a) and (b) for one address, and which of several answers counts: the one that got furthest.
 * @param heard what hosts reported about it, at least one, each host once, the latest last
 * @param works whether a host's self-check passes, and some server, a customer's or a canary's, has answered it lately
 */
export function decide(heard: readonly [Heard, ...Heard[]], works: (host: HostRef) => boolean): Decision {
  const answers = heard.filter(({ evidence: { outcome } }) => !isUnprobed(outcome) && !isInDoubt(outcome));
  const counted = heard.filter(({ from, evidence: { outcome } }) => isInDoubt(outcome) && works(from));
  const denials = counted.filter(({ evidence: { outcome } }) => isDenial(outcome));
  const best = furthest(answers);
  if (best !== null) {
    // A server behind a published MX refutes a denial. One at an address that a resolver may have invented does not.
    const isDisputed = denials.length > 0 && answers.every(({ isImplicit }) => isImplicit);
    if (!isDisputed) return answered(best, heard);
    if (answers.length >= 2) return final(best);
    return agreed(denials) ?? open('host', notBelieved(best.evidence));
  }
  const inDoubt = heard.find(({ evidence: { outcome } }) => isInDoubt(outcome));
  if (inDoubt === undefined) return unprobed(heard);
  const [first] = counted;
  if (first === undefined) return open('host', notBelieved(inDoubt.evidence));
  const silent = furthest(counted.filter((one) => !denials.includes(one)));
  if (silent !== null && denials.length === 0) return final(silent);
  const isOnly = heard.every((one) => one === first || isOurFault(one.evidence.outcome));
  return agreed(counted) ?? open('host', notBelieved(first.evidence), isOnly ? first.evidence : null);
}

/** A server answered. If it rejected the host, one with another egress address may learn more. */
function answered(best: Heard, heard: readonly Heard[]): Decision {
  const tries = heard.filter(({ evidence: { outcome } }) => !isUnprobed(outcome)).length;
  return isTurnedAway(best.evidence.outcome) && tries < 2 ? open('egress', best.evidence) : final(best);
}

/** What two hosts agree on. If they found different things missing, the one that found most of the domain counts. */
function agreed(counted: readonly Heard[]): Decision | null {
  const alike = counted.filter((one) => counted.some((other) => other !== one && doubtOf(other) === doubtOf(one)));
  const found = alike.find(({ isImplicit }) => !isImplicit) ?? alike[0];
  return found === undefined ? null : final(found);
}

/** The domain has nothing, the resolver gave no answer, or (null) there is a server and it is silent. */
function doubtOf({ evidence: { outcome } }: Heard): Claim | null {
  return OUTCOMES[outcome.kind].claim;
}

function unprobed(heard: readonly [Heard, ...Heard[]]): Decision {
  const last = heard.at(-1) ?? heard[0];
  const { outcome } = last.evidence;
  if (isUnprobed(outcome) && outcome.why === 'deadline') return final(last);
  return open(isRest(outcome) ? 'egress' : 'host', last.evidence);
}

function furthest(heard: readonly Heard[]): Heard | null {
  const [first] = heard;
  if (first === undefined) return null;
  const rankOf = ({ evidence }: Heard): number => rankAcrossHosts(evidence.outcome);
  return heard.reduce((best, one) => (rankOf(one) > rankOf(best) ? one : best), first);
}

function final({ evidence }: Heard): Decision {
  return { kind: 'final', evidence };
}

function open(wants: Wanted, late: LinkEvidence, alone: LinkEvidence | null = null): Decision {
  return { kind: 'open', wants, late, alone: alone ?? late };
}

// Rule (c).

export type Said = { readonly host: string; readonly word: Claim };

/** Whether to ask one more host for a comparison: a second, or a third that decides between two that differ. */
export function wantsWitness(said: readonly Said[]): boolean {
  return said.length < 2 || (said.length === 2 && said[0]?.word !== said[1]?.word);
}

/**
 * How a host stood out, and what that weighs against it. A look-up fails now and then at any host. `busy`: it was
 * silent, and reported on other servers meanwhile, so it may only have more to do. `apart`: two differ, and there is no
 * third.
 */
const WEIGHTS = { differs: 1, silent: 1, fails: 1 / 4, busy: 0, apart: 0 } as const;
export type Odd = keyof typeof WEIGHTS;

/** The hosts that stand out about an address, which others have answered. */
export function oddAmong(said: readonly Said[]): ReadonlyMap<string, Odd> {
  const claims = said.filter(({ word }) => word !== 'fails');
  const odd = new Map<string, Odd>();
  if (claims.length > 0) for (const { host, word } of said) if (word === 'fails') odd.set(host, 'fails');
  const single = claims.filter(({ word }) => claims.filter((one) => one.word === word).length === 1);
  if (claims.length === 2) for (const { host } of single) odd.set(host, 'apart');
  else if (single.length === 1) for (const { host } of single) if (claims.length > 2) odd.set(host, 'differs');
  return odd;
}

/** The results of the latest compared addresses of one host. Names and accounts are kept as derived numbers. */
export type Tally = {
  /** How many were compared in all. */
  readonly of: number;
  /** The positions in that count at which it stood out, for the last hundred. */
  readonly odd: ReadonlyArray<Asked & { readonly at: number; readonly how: Odd }>;
};
/** `silentAtMs`: when another host answered what this one was silent about; null: it said something else. */
export type Asked = { readonly account: number; readonly zone: number; readonly silentAtMs: number | null };
export const NEW_TALLY: Tally = { of: 0, odd: [] };
const OF = 100;
const ODD_MAX = 5;
const ACCOUNTS_MIN = 3;

/** @param how null: it did not stand out */
export function afterCompared({ of, odd }: Tally, how: Odd | null, asked: Asked): Tally {
  const recent = odd.filter(({ at }) => at > of + 1 - OF);
  return { of: of + 1, odd: how === null ? recent : [...recent, { at: of + 1, ...asked, how }] };
}

/** Whether a host stands out too often for it to be the domains' fault: one owner of domains counts once. */
export function isOdd({ odd }: Tally): boolean {
  const weights = new Map<number, number>();
  for (const { zone, how } of odd) weights.set(zone, Math.max(weights.get(zone) ?? 0, WEIGHTS[how]));
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0) >= ODD_MAX;
}

/** Whether it and another differ as often, and nobody can tell which of them is wrong. */
export function isApart({ odd }: Tally): boolean {
  return new Set(odd.filter(({ how }) => how === 'apart').map(({ zone }) => zone)).size >= ODD_MAX;
}

/** Whether a host is out. One owner of domains, or one account, that treats each host differently puts none out. */
export function isOut(tally: Tally): boolean {
  const counted = tally.odd.filter(({ how }) => WEIGHTS[how] > 0);
  return isOdd(tally) && new Set(counted.map(({ account }) => account)).size >= ACCOUNTS_MIN;
}
