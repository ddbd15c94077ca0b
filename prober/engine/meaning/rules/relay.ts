import type { Rule } from './rule.ts';

/** The host does not serve the recipient's domain. Statements about credentials are about us and were tried before. */
export const RELAY_RULES = [
  {
    id: 'relay/denied',
    says: 'relay_denied',
    when: [
      'RELAY … refused|blocked|restricted',
      'RELAY for MSG|EMAIL not allowed|accept',
      'RELAY THING refused',
      'RELAY … not … allowed|accept|exist|hosted',
      'refused|blocked|bad RELAY',
      'not RELAY',
      'not … allowed|exist|hosted … you? … RELAY',
      'RELAY MSG|EMAIL? fqdn|DOMAIN|addr? … not allowed|accept|exist',
      'not gateway',
      'not … hosted|accept … MSG|EMAIL? … for fqdn|DOMAIN|addr',
      'not hosted … DOMAIN|fqdn',
      'not HOST for? fqdn',
      'not RDOMAIN',
      'DOMAIN not … hosted',
      'not responsible *** DOMAIN',
      'not … list|one for? *** DOMAIN',
    ],
    unless: [
      'bad AUTH',
      'AUTH SENDER',
      'BOX not allowed … RELAY',
      'RELAY IP',
      'SENDER … gone|not|bad',
      'accept MSG|EMAIL? … from',
      'not accept SENDER',
      'SENDER DOMAIN … gone|not|bad',
      'gone|bad|not SENDER',
      'use CLIENT|your',
    ],
    from: '554 5.7.1 <user@example.com>: Relay access denied',
  },
] as const satisfies readonly Rule[];
