import type { Evidence } from '../../../schema/evidence.ts';
import type { Canary } from '../../../schema/link.ts';

/** What a host says instead of the truth, and which of its canaries show it. */
export type Lie = {
  readonly name: string;
  readonly tells: (truth: Evidence) => Evidence;
  readonly failing: readonly Canary[];
  /** The most verdicts that may be wrong and charged before the host is out. */
  readonly wrongMax: number;
};

const LATER = { code: 451, enhanced: '4.7.1' };

/** From some moment on a host's resolver, or what stands between it and all mail servers, says this of everybody. */
export const LIES: readonly Lie[] = [
  {
    name: 'its resolver denies all names but the canaries',
    tells: (truth) => ({ ...truth, mx: [], mxFound: false, outcome: { kind: 'no_mail_domain', why: 'nxdomain' } }),
    failing: [],
    wrongMax: 20,
  },
  {
    name: 'its resolver answers for the canaries alone',
    tells: (truth) => ({ ...truth, mx: [], mxFound: false, outcome: { kind: 'mx_lookup_failed' } }),
    failing: [],
    wrongMax: 20,
  },
  {
    name: 'everybody is accepted',
    tells: (truth) => ({
      ...truth,
      outcome: { kind: 'accepted', reply: { code: 250, enhanced: null }, madeUp: { kind: 'accepted' } },
    }),
    failing: ['mailbox'],
    // Nothing but the canaries shows it, and those are asked each minute: a third of what is asked in that time.
    wrongMax: 500,
  },
  {
    name: 'everybody is deferred, as too much for the client',
    tells: (truth) => ({
      ...truth,
      outcome: { kind: 'rcpt_deferred', reply: LATER, deferral: { cause: 'busy', askedS: null } },
    }),
    failing: ['mailbox'],
    wrongMax: 20,
  },
];
