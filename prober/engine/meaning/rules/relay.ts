import type { Rule } from './rule.ts';

/** The host does not serve the recipient's domain. Words about credentials are about us and were asked for before. */
export const RELAY_RULES = [
  {
    id: 'relay/denied',
    says: 'relay_denied',
    when: [
      'RELAY … refused|blocked|restricted',
      'RELAY … not … allowed|accept|exist|hosted',
      'refused|blocked|bad RELAY',
      'not RELAY',
      'not allowed|accept|exist … RELAY',
      'not … allowed|exist|hosted … you? … RELAY',
      'use me … RELAY',
    ],
    unless: ['bad AUTH', 'RELAY IP'],
    from: '554 5.7.1 <user@example.com>: Relay access denied',
  },
] as const satisfies readonly Rule[];
