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
      'gone|such|away|bad|blocked ** or ** full|overquota|quota|storage',
      'not|exist exist|not ** or ** full|overquota|quota',
      'full|overquota|quota ** or ** gone|away|bad|not|blocked(?!\\slimit)',
      'gone|away|bad full or',
      // Dutch `of`.
      'gone|exist not? BOX? for BOX? full|overquota',
      'full|overquota for BOX? gone|not|exist',
    ],
    unless: ['BOX or AUTH', 'or contact', 'you not AUTH see'],
    from: '550 Either the user is unknown or your host is blocked',
  },
  {
    id: 'reasoned/state',
    says: 'no_such_mailbox',
    when: [
      'BOX|addr … POLICY? gone … for|because|by|due|reason|reasons|after|at|violated *** SPAM|POLICY|AUTH',
      'BOX blocked … for|because|due *** SPAM|POLICY|AUTH',
      'BOX blocked for|because|due gone',
      'BOX POLICY gone',
      'BOX gone SPAM .',
      'BOX addr? AUTH exist|accept *** MSG|EMAIL',
      'BOX … gone *** not AUTH',
      'BOX gone|blocked … SPAM … sent … from',
    ],
    unless: [
      'CLIENT|IP|SENDER|HELO|RDNS|LIST|SPF|RELAY|TAGUS|MANY|TLS|RATE|REPUTE|INFRA|GREY|temporarily|your',
      'you(?!\\s(?:writing|trying|tried|mailing|wrote|requested|specified))',
      'MSG … blocked|refused',
      'access|delivery|MSG for? BOX|addr',
      'AUTH required',
    ],
    from: '554 Mailaddress is administratively disabled. (#5.2.1)',
  },
] as const satisfies readonly Rule[];
