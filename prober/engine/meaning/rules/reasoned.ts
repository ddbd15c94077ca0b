import { EITHER_FULL } from './quota.ts';
import type { Rule } from './rule.ts';

const ABOUT_US = [
  'CLIENT',
  'IP',
  'SENDER',
  'HELO',
  'RDNS',
  'LIST',
  'SPF',
  'you',
  'RELAY',
  'TAGUS',
  'MANY',
  'TLS',
] as const;

/**
 * A plain statement about the mailbox, and beside it the reason: a policy, abuse, no login for a year. The reason is the
 * mailbox's own, so it must not be read as one that we gave.
 */
export const REASONED_RULES = [
  {
    id: 'reasoned/either',
    says: 'unexpected',
    when: [
      'BOX … gone|not|bad|away|exist or … you|CLIENT|IP|SENDER',
      'either … you|CLIENT|IP|SENDER … or',
      'BOX … gone|not|bad|away or blocked|refused … POLICY|SPAM',
      'you … blocked|refused|listed or BOX',
    ],
    unless: ['RELAY', 'BOX allowed or'],
    from: '550 Either the user is unknown or your host is blocked',
  },
  {
    id: 'reasoned/alternatives',
    says: 'unexpected',
    when: EITHER_FULL,
    from: '550 Mailbox might be disabled, full, or may not exist',
  },
  {
    id: 'reasoned/state',
    says: 'no_such_mailbox',
    when: [
      'BOX … POLICY? gone … for|because|by|due|reason|reasons|after|at *** SPAM|POLICY|AUTH',
      'BOX blocked … for|because|due *** SPAM|POLICY|AUTH',
      'BOX POLICY gone',
      'BOX addr? AUTH exist|accept *** MSG|EMAIL',
      'BOX … gone *** not AUTH',
      'BOX … gone for|due|because *** SPAM|POLICY',
      'BOX … gone POLICY',
    ],
    unless: [
      ...ABOUT_US,
      'MSG … blocked|refused',
      'temporarily',
      'your',
      'AUTH required',
      'required AUTH',
      'SPAM … BOX',
    ],
    from: '554 Mailaddress is administratively disabled. (#5.2.1)',
  },
] as const satisfies readonly Rule[];
