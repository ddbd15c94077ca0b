import type { Rule } from './rule.ts';

/** The dialogue went wrong: that says nothing about anyone. */
export const PROTOCOL_RULES = [
  {
    id: 'protocol/sequence',
    says: 'unexpected',
    when: [
      'bad|gone BOX? COMMAND',
      'not such|exist? BOX? COMMAND',
      'COMMAND BOX? failed|not|gone|bad',
      'not SENDER given|specified|yet',
      'SENDER not yet? given|specified',
      'HELO HELO? first',
      'norecipients|hop|hops|loop|loops',
    ],
    from: '503 5.5.1 Bad sequence of commands.',
  },
  {
    id: 'protocol/internal',
    says: 'unexpected',
    when: [
      'internal … failed',
      'internal HOST failed',
      'HOST configuration failed',
      'failed … INFRA|queue',
      'HOST for BOX away|gone',
      'INFRA|queue … failed|away',
      'not … open BOX THING',
      'disk … full|insufficient|exceeded|not',
      'not storage … THING|HOST',
    ],
    unless: ['storage|disk|full *** BOX', 'disk? quota', 'allocated disk', 'failed not such? BOX'],
    from: '550 5.3.5 <user@example.com>... Internal System Error',
  },
] as const satisfies readonly Rule[];

/**
 * Something that is neither ours nor the recipient's is bad, missing or broken. Tried after everything about either.
 */
export const THING_RULE = {
  id: 'protocol/thing',
  says: 'unexpected',
  when: ['bad|gone FORM|THING', 'FORM|THING … failed|not|gone|bad|away|exist', 'not such? THING|queue|SERVICE'],
  unless: ['BOX|addr … gone|not|bad', 'DOMAIN'],
  from: '554 5.3.5 no such file',
} as const satisfies Rule;
