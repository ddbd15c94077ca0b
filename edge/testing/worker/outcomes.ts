import type { Evidence, Outcome } from '../../../schema/evidence.ts';

// What the scripted fleet reports, by the domain of the address. Domains not listed here make it misbehave: see
// `fleet.ts`.

const ok = { code: 250, enhanced: '2.1.5' } as const;

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'good.test': { kind: 'accepted', reply: ok, madeUp: { kind: 'refused' } },
  'catchall.test': { kind: 'accepted', reply: ok, madeUp: { kind: 'accepted' } },
  'late.test': { kind: 'accepted', reply: ok, madeUp: { kind: 'refused' } },
  'dead.test': { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } },
  'policy.test': { kind: 'policy_rejected', reply: { code: 550, enhanced: '5.7.1' } },
  'nobanner.test': { kind: 'no_banner', refused: true },
  'grey.test': {
    kind: 'rcpt_deferred',
    reply: { code: 450, enhanced: '4.2.0' },
    deferral: { cause: 'greylisting', askedS: null },
  },
  'unprobed.test': { kind: 'unprobed', why: 'host', waitS: null },
};

/** The evidence of an address in this domain; null if the script has none. */
export function scriptedEvidence(domain: string): Evidence | null {
  const outcome = OUTCOMES[domain];
  if (outcome === undefined) return null;
  const signals = { disposable: false, free: false, role: false, typoOf: null };
  return { mx: [`mx.${domain}`], mxFound: true, signals, outcome };
}
