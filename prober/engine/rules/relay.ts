import type { Rule } from './rule.ts';

/** The host does not serve the recipient's domain. Words about credentials are about us and were asked for before. */
export const RELAY_RULES = [
  {
    id: 'relay/denied',
    says: 'relay_denied',
    when: [
      'RELAY … refused|blocked|restricted',
      'RELAY … not … allowed|accept|exist',
      'refused|blocked|bad RELAY',
      'not RELAY',
      'not allowed|accept|exist … RELAY',
      'not … allowed|exist … you? … RELAY',
      'use me … RELAY',
    ],
    unless: ['bad AUTH', 'RELAY IP'],
    from: '554 5.7.1 <user@example.com>: Relay access denied',
  },
  {
    id: 'relay/rcpthosts',
    says: 'relay_denied',
    when: ['DOMAIN not … list allowed RELAY', 'not … list allowed RELAY'],
    from: "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  },
] as const satisfies readonly Rule[];
