import type { Evidence, Outcome } from '../../../schema/evidence.ts';
import type { Recipient } from './mail-world.ts';

/** What hosts say instead of the truth, while their canaries pass. */
export type Lie = {
  readonly name: string;
  readonly tells: (truth: Evidence, recipient: Recipient) => Evidence;
  /** How many of the three hosts lie so. */
  readonly liars: number;
  /** The most verdicts that may be wrong and charged. */
  readonly wrongMax: number;
  /** With this many accounts the operator must be told of the liars within a minute; Infinity: they lie to few. */
  readonly toldFrom: number;
};

const WRONG_MAX = 20;
const TAKEN = { code: 250, enhanced: null };
const says =
  (outcome: Outcome) =>
  (truth: Evidence): Evidence => ({ ...truth, outcome });
const denies =
  (outcome: Outcome) =>
  (truth: Evidence): Evidence => ({ ...truth, mx: [], mxFound: false, outcome });
const deferred = (cause: 'greylisting' | 'busy', code: number, enhanced: string) =>
  says({ kind: 'rcpt_deferred', reply: { code, enhanced }, deferral: { cause, askedS: null } });
const accepted = says({ kind: 'accepted', reply: TAKEN, madeUp: { kind: 'refused' } });
const refused = says({ kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } });
/** The opposite of the truth. */
const turned = (truth: Evidence): Evidence => (truth.outcome.kind === 'accepted' ? refused : accepted)(truth);
const only =
  (isLied: (recipient: Recipient) => boolean, tells: (truth: Evidence) => Evidence) =>
  (truth: Evidence, recipient: Recipient): Evidence =>
    isLied(recipient) ? tells(truth) : truth;
const everybody = (name: string, tells: Lie['tells'], liars = 1): Lie => ({
  name,
  tells,
  liars,
  wrongMax: WRONG_MAX,
  toldFrom: 1,
});

/** From some moment on hosts, or what stands between them and all mail servers, say this. */
export const LIES: readonly Lie[] = [
  // The names of one account may be its own, and answer each host differently.
  { ...everybody('its resolver denies all names', denies({ kind: 'no_mail_domain', why: 'nxdomain' })), toldFrom: 2 },
  { ...everybody('its resolver answers nothing', denies({ kind: 'mx_lookup_failed' })), toldFrom: 2 },
  everybody('everybody is accepted', accepted),
  everybody('every domain is a catch-all', says({ kind: 'accepted', reply: TAKEN, madeUp: { kind: 'accepted' } })),
  everybody('everybody is refused', refused),
  everybody('everybody is greylisted', deferred('greylisting', 451, '4.7.1')),
  everybody('everybody is deferred', deferred('greylisting', 450, '4.2.0')),
  // As many of each as the others say: nothing but samples shows it, one answer in fifty.
  { ...everybody('every answer is the opposite', turned), wrongMax: 100 },
  everybody('two of three accept everybody', accepted, 2),
  everybody('its address is blocked', deferred('busy', 451, '4.7.1')),
  {
    ...everybody(
      'everybody at one provider is accepted',
      only(({ domain }) => domain.startsWith('google'), accepted),
    ),
    toldFrom: Infinity,
  },
  {
    ...everybody(
      'everybody of one account is accepted',
      only(({ domain }) => domain.endsWith('-0.test'), accepted),
    ),
    toldFrom: Infinity,
  },
  {
    ...everybody(
      'every tenth answer is the opposite',
      only(({ local }) => local.endsWith('7'), turned),
    ),
    wrongMax: 100,
    toldFrom: Infinity,
  },
];
