import { CLIENT_RULES, LIMIT_RULES } from './client.ts';
import { MAILBOX_RULES } from './mailbox.ts';
import { PROTOCOL_RULES } from './protocol.ts';
import { QUOTA_RULES } from './quota.ts';
import { RELAY_RULES } from './relay.ts';
import { compileRule, type CompiledRule, type Rule } from './rule.ts';
import { SENDER_RULES } from './sender.ts';
import { VAGUE_RULES } from './vague.ts';

/** In the order in which they are asked: words about us before words about the mailbox. */
export const SPECIFIC_RULES: readonly Rule[] = [
  ...PROTOCOL_RULES,
  ...CLIENT_RULES,
  ...LIMIT_RULES,
  ...RELAY_RULES,
  ...SENDER_RULES,
  ...QUOTA_RULES,
  ...MAILBOX_RULES,
];

const specific = SPECIFIC_RULES.map(compileRule);
const vague = VAGUE_RULES.map(compileRule);
const quota = QUOTA_RULES.map(compileRule);

export const specificRule = (gist: string): CompiledRule | undefined => specific.find((rule) => rule.matches(gist));
export const vagueRule = (gist: string): CompiledRule | undefined => vague.find((rule) => rule.matches(gist));
export const quotaRule = (gist: string): CompiledRule | undefined => quota.find((rule) => rule.matches(gist));
