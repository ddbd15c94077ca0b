import { describe, expect, test } from 'vitest';
import { rawReply } from '../../../testing/raw-reply.ts';
import { classify } from '../classify.ts';
import { SPECIFIC_RULES } from './decide.ts';
import { LAST_RULES, VAGUE_RULES } from './vague.ts';

const RULES = [...SPECIFIC_RULES, ...VAGUE_RULES, ...LAST_RULES];

describe('rules', () => {
  test.each(RULES)('$id decides the reply that made it', ({ id, says, from }) => {
    const classified = classify('rcpt', rawReply(from));
    expect(classified.rule).toBe(id);
    const meant = { limit: 'policy_rejected', odd_form: 'unexpected' } as const;
    expect(classified.meaning).toBe(says === 'limit' || says === 'odd_form' ? meant[says] : says);
  });

  test('have ids of their own', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  test('say nothing of a mailbox by what only names nobody', () => {
    expect([...VAGUE_RULES, ...LAST_RULES].every(({ says }) => says === 'policy_rejected')).toBe(true);
  });
});
