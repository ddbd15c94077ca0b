import type { Rule } from './rule.ts';

/** The dialogue went wrong: that says nothing of anybody. */
export const PROTOCOL_RULES = [
  {
    id: 'protocol/sequence',
    says: 'unexpected',
    when: [
      'COMMAND … COMMAND',
      'bad|gone COMMAND',
      'COMMAND failed|not|gone|bad',
      'HELO HELO? first',
      'required|send HELO',
      'MANY gone COMMAND',
      'norecipients',
    ],
    unless: ['HELO … COMMAND … refused'],
    from: '503 5.5.1 Bad sequence of commands.',
  },
  {
    id: 'protocol/internal',
    says: 'unexpected',
    when: [
      'internal … failed',
      'internal HOST failed',
      'HOST configuration failed',
      'failed … table|INFRA|queue',
      'INFRA|queue … failed|away',
    ],
    from: '550 5.3.5 <user@example.com>... Internal System Error',
  },
  {
    id: 'protocol/loop',
    says: 'unexpected',
    when: ['hop', 'hops', 'loop', 'loops'],
    from: '554 5.4.14 Hop count exceeded - possible mail loop ATTR34',
  },
] as const satisfies readonly Rule[];
