import { CLIENT_RULES, LIMIT_RULES } from './client.ts';
import { FORM_RULES } from './form.ts';
import { MAILBOX_RULES } from './mailbox.ts';
import { PROTOCOL_RULES, THING_RULES } from './protocol.ts';
import { PROVIDER_RULES } from './provider.ts';
import { REASONED_RULES } from './reasoned.ts';
import { CROWDED_RULES, QUOTA_RULES } from './quota.ts';
import { RELAY_RULES } from './relay.ts';
import { compileRule, type CompiledRule, type Rule } from './rule.ts';
import { SENDER_RULES } from './sender.ts';
import { LAST_RULES, VAGUE_RULES } from './vague.ts';

/** In the order in which they are asked: words about us before words about the mailbox. */
export const SPECIFIC_RULES: readonly Rule[] = [
  ...REASONED_RULES,
  ...FORM_RULES,
  ...PROTOCOL_RULES,
  ...CROWDED_RULES,
  ...CLIENT_RULES,
  ...LIMIT_RULES,
  ...RELAY_RULES,
  ...SENDER_RULES,
  ...PROVIDER_RULES,
  ...QUOTA_RULES,
  ...THING_RULES,
  ...MAILBOX_RULES,
];

/** Servers repeat themselves, and a gist has no names in it: decisions are cached by gist, this many at most. */
const REMEMBERED_MAX = 500;

export const specificRule = remembering(SPECIFIC_RULES);
export const vagueRule = remembering(VAGUE_RULES);
export const lastRule = remembering(LAST_RULES);
export const quotaRule = remembering(QUOTA_RULES);

/** The first of `rules` that matches a gist under a code. Pure: the cache changes no result. */
function remembering(rules: readonly Rule[]): (gist: string, code: number) => CompiledRule | undefined {
  const compiled = rules.map(compileRule);
  const known = new Map<string, CompiledRule | undefined>();
  return (gist, code) => {
    const key = `${code}${gist}`;
    if (known.has(key)) return known.get(key);
    if (known.size >= REMEMBERED_MAX) known.clear();
    const rule = compiled.find((candidate) => candidate.matches(gist, code));
    known.set(key, rule);
    return rule;
  };
}
