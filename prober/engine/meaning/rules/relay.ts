import { FOR_NOW } from './for-now.ts';
import type { Rule } from './rule.ts';

/** The host does not serve the recipient's domain. Statements about credentials are about us and were tried before. */
export const RELAY_RULE = {
  id: 'relay/denied',
  says: 'relay_denied',
  when: [
    'RELAY … refused|blocked|restricted',
    'RELAY for MSG|EMAIL not allowed|accept',
    'RELAY THING refused',
    'RELAY … not … allowed|accept|exist|hosted',
    'refused|blocked|bad|not RELAY',
    'not … allowed|exist|hosted … you? … RELAY',
    'RELAY MSG|EMAIL? fqdn|DOMAIN|addr? … not allowed|accept|exist',
    'not gateway|RDOMAIN',
    'not … hosted|accept … MSG|EMAIL? … for fqdn|DOMAIN|addr',
    'not hosted … DOMAIN|fqdn',
    'not HOST for? fqdn',
    'DOMAIN not … hosted',
    'not responsible *** DOMAIN|fqdn|addr',
    'not … list|one for? *** DOMAIN',
  ],
  unless: [
    'bad AUTH',
    'BOX not allowed … RELAY',
    'RELAY IP',
    'accept MSG|EMAIL? … from',
    'SENDER DOMAIN? … gone|not|bad',
    'gone|bad|not SENDER',
    'use CLIENT|your',
    ...FOR_NOW,
  ],
  unlessAhead: ['SENDER|HELO', 'CLIENT not'],
  from: '554 5.7.1 <user@example.com>: Relay access denied',
} as const satisfies Rule;
