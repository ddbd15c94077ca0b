import { CLIENT_RULES, LIMIT_RULES } from './client.ts';
import { FOR_NOW_RULES } from './for-now.ts';
import { FORM_RULES } from './form.ts';
import { MAILBOX_RULES } from './mailbox.ts';
import { PROTOCOL_RULES, THING_RULES } from './protocol.ts';
import { REASONED_RULES } from './reasoned.ts';
import { CROWDED_RULES, QUOTA_RULES } from './quota.ts';
import { RELAY_RULES } from './relay.ts';
import { compileRule, type CompiledRule, type Rule } from './rule.ts';
import { SENDER_RULES } from './sender.ts';
import { LAST_RULES, VAGUE_RULES } from './vague.ts';

/** In the order in which they are tried: statements about us before statements about the mailbox. */
export const SPECIFIC_RULES: readonly Rule[] = [
  ...REASONED_RULES,
  ...FORM_RULES,
  ...PROTOCOL_RULES,
  ...CROWDED_RULES,
  ...CLIENT_RULES,
  ...LIMIT_RULES,
  ...RELAY_RULES,
  ...SENDER_RULES,
  ...QUOTA_RULES,
  ...THING_RULES,
  ...FOR_NOW_RULES,
  ...MAILBOX_RULES,
];

export const specificRule = firstOf(SPECIFIC_RULES);
export const vagueRule = firstOf(VAGUE_RULES);
export const lastRule = firstOf(LAST_RULES);

/** The first of `rules` that matches a gist under a code. */
function firstOf(rules: readonly Rule[]): (gist: string, code: number) => CompiledRule | undefined {
  const compiled = rules.map(compileRule);
  return (gist, code) => compiled.find((candidate) => candidate.matches(gist, code));
}
