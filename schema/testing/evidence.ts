import type { Evidence, Outcome, Signals } from '../evidence.ts';

const NO_SIGNALS = { disposable: false, free: false, role: false, typoOf: null };

/** Evidence with nothing remarkable but its outcome and these signals. */
export function seen(outcome: Outcome, signals: Partial<Signals> = {}): Evidence {
  return { mx: ['mx.a.test'], mxFound: true, signals: { ...NO_SIGNALS, ...signals }, outcome };
}

/** What a mailbox that exists comes to if made-up ones do not. */
export const DELIVERABLE = {
  kind: 'accepted',
  reply: { code: 250, enhanced: '2.1.5' },
  madeUp: { kind: 'refused' },
} as const satisfies Outcome;

export const ACCEPTED = seen(DELIVERABLE);
export const POLICY = seen({ kind: 'policy_rejected', reply: { code: 550, enhanced: '5.7.1' } });
export const NO_BANNER = seen({ kind: 'no_banner', refused: false });
export const TIMEOUT = seen({ kind: 'timeout', greeted: false });
export const UNPROBED_HOST = seen({ kind: 'unprobed', why: 'host', waitS: null });
