import type { Evidence, Outcome } from '../evidence.ts';

const NO_SIGNALS = { disposable: false, free: false, role: false, typoOf: null };

/** Evidence with nothing remarkable but its outcome. */
export function seen(outcome: Outcome): Evidence {
  return { mx: ['mx.a.test'], mxFound: true, signals: NO_SIGNALS, outcome };
}

export const ACCEPTED = seen({
  kind: 'accepted',
  reply: { code: 250, enhanced: '2.1.5' },
  madeUp: { kind: 'refused' },
});
export const POLICY = seen({ kind: 'policy_rejected', reply: { code: 550, enhanced: '5.7.1' } });
export const NO_BANNER = seen({ kind: 'no_banner', refused: false });
export const TIMEOUT = seen({ kind: 'timeout', greeted: false });
export const UNPROBED_HOST = seen({ kind: 'unprobed', why: 'host', waitS: null });
