import type { Rule } from './rule.ts';

const LATER = 'try|retry|again ~ temporarily|moment|moments|seconds|minutes|minute|hour|hours';

/** What holds for the moment, or for one look: a retry may find otherwise. */
export const FOR_NOW = [
  'BOX|addr|DOMAIN … temporarily … gone|away|not|blocked',
  'temporarily BOX addr? gone|away|blocked',
  `BOX|addr|DOMAIN … gone|exist|away|blocked *** ${LATER}`,
  `gone|exist|away BOX *** ${LATER}`,
  'BOX|addr … gone by another|other',
  'temporarily … not accept|such|hosted|exist',
  'not accept|hosted|exist … MSG|EMAIL? ** temporarily|during|while|until|retry|resend',
  'BOX|addr … gone temporarily|while|until',
  '(?<!or\\s)not exist? yet',
  'exist … INFRA? please? retry|try again?',
  'gone INFRA … retry|try',
] as const;

export const FOR_NOW_RULE = {
  id: 'mailbox/for-now',
  says: 'unexpected',
  when: FOR_NOW,
  from: '550 5.7.1 <user@example.com>: Recipient address rejected: User user@example.com temporary locked. Please try again later!',
} as const satisfies Rule;
