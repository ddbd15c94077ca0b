import { CLIENT_RULES, LIMIT_RULES } from './client.ts';
import { FOR_NOW_RULE } from './for-now.ts';
import { FORM_RULE } from './form.ts';
import { MAILBOX_RULES } from './mailbox.ts';
import { PROTOCOL_RULES, THING_RULE } from './protocol.ts';
import { REASONED_RULES } from './reasoned.ts';
import { CROWDED_RULE, QUOTA_RULE } from './quota.ts';
import { RELAY_RULE } from './relay.ts';
import { compileRule, type CompiledRule, type Rule } from './rule.ts';
import { SENDER_RULES } from './sender.ts';
import { LAST_RULE, VAGUE_RULES } from './vague.ts';

/** In the order in which they are tried: statements about us before statements about the mailbox. */
export const SPECIFIC_RULES: readonly Rule[] = [
  ...REASONED_RULES,
  FORM_RULE,
  ...PROTOCOL_RULES,
  CROWDED_RULE,
  ...CLIENT_RULES,
  ...LIMIT_RULES,
  RELAY_RULE,
  ...SENDER_RULES,
  QUOTA_RULE,
  THING_RULE,
  FOR_NOW_RULE,
  ...MAILBOX_RULES,
];

export const specificRule = firstOf(SPECIFIC_RULES);
export const vagueRule = firstOf(VAGUE_RULES);
export const lastRule = firstOf([LAST_RULE]);

/** The first of `rules` that matches a gist under a code. */
function firstOf(rules: readonly Rule[]): (gist: string, code: number) => CompiledRule | undefined {
  const compiled = rules.map(compileRule);
  return (gist, code) => compiled.find((candidate) => candidate.matches(gist, code));
}
