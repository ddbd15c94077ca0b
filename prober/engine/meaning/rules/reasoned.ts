import { ABOUT_US } from './client.ts';
import type { Rule } from './rule.ts';

/** Possible reasons of a refusal besides the mailbox. */
const OTHER = `${ABOUT_US}|RELAY|you|refused|restricted|access|temporarily|exceeded`;

/**
 * A plain statement about the mailbox with its reason: a policy, abuse, no login for a year. It is the mailbox's own
 * reason, so it must not be read as one that we gave.
 */
export const REASONED_RULES = [
  {
    id: 'reasoned/either',
    says: 'unexpected',
    when: [
      'gone|bad BOX|addr or gone|bad? COMMAND|THING',
      `FORM|BOX|EMAIL|addr|DOMAIN … gone|not|bad|away|exist ** or MSG? … ${OTHER}`,
      `gone|not|bad|away|FORM ~ BOX|addr|DOMAIN ** or MSG? … ${OTHER}`,
      'TAGBOX|BOX|addr|DOMAIN|fqdn|FORM ** or access|refused|temporarily',
      `${ABOUT_US}|RELAY … [a-z]+ or ** BOX|addr|RDOMAIN … gone|not|bad|away|exist|FORM`,
      '(?<!BOX\\s)(?:refused|restricted|access) or BOX|gone|bad|FORM|not(?!\\s(?:allowed|AUTH))',
      // One of them a full mailbox.
      'gone|away|bad|exist|blocked … or BOX? … full|overquota|quota',
      'full|overquota … or BOX? … gone|away|bad|exist|blocked',
      'gone|away|bad full or',
    ],
    unless: ['BOX or AUTH', 'or contact', 'you not AUTH see'],
    from: '550 Either the user is unknown or your host is blocked',
  },
  {
    id: 'reasoned/state',
    says: 'no_such_mailbox',
    when: [
      'BOX … POLICY? gone … for|because|by|due|reason|reasons|after|at *** SPAM|POLICY|AUTH',
      'BOX blocked … for|because|due *** SPAM|POLICY|AUTH',
      'BOX blocked for|because|due gone',
      'BOX POLICY gone',
      'BOX addr? AUTH exist|accept *** MSG|EMAIL',
      'BOX … gone *** not AUTH',
    ],
    unless: [
      'CLIENT|IP|SENDER|HELO|RDNS|LIST|SPF|you|RELAY|TAGUS|MANY|TLS|RATE|REPUTE|INFRA|GREY',
      'MSG … blocked|refused',
      'temporarily',
      'your',
      'AUTH required',
    ],
    from: '554 Mailaddress is administratively disabled. (#5.2.1)',
  },
] as const satisfies readonly Rule[];
