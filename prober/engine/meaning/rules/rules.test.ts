import { describe, expect, test } from 'vitest';
import { rawReply } from '../../../testing/raw-reply.ts';
import { classify } from '../classify.ts';
import { ENGLISH } from '../words/english.ts';
import { standsFor } from '../words/lexicon.ts';
import { SPECIFIC_RULES } from './decide.ts';
import type { Rule } from './rule.ts';
import { LAST_RULE, VAGUE_RULES } from './vague.ts';

const RULES: readonly Rule[] = [...SPECIFIC_RULES, ...VAGUE_RULES, LAST_RULE];

describe('rules', () => {
  test.each(RULES)('$id decides the reply that led to it', ({ id, says, from }) => {
    const classified = classify('rcpt', rawReply(from));
    expect(classified.rule).toBe(id);
    expect(classified.meaning).toBe(says === 'limit' ? 'policy_rejected' : says);
  });

  test('have unique ids', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  test('use no word that is replaced by another one and so never in a gist', () => {
    const patterns = RULES.flatMap(({ when, unless = [], unlessAhead = [] }) => [...when, ...unless, ...unlessAhead]);
    const classes = new Set(Object.keys(ENGLISH).join(' ').split(' '));
    const words = new Set(patterns.join(' ').match(/(?<![a-zA-Z(\\])[a-z]+(?![a-zA-Z)\\])/g));
    const replaced = [...words].filter(
      (word) => ![undefined, 'SELF', word].includes(standsFor(word)) && !classes.has(word),
    );
    expect(replaced).toEqual([]);
  });

  test('conclude nothing about a mailbox from a refusal that names no one', () => {
    expect([...VAGUE_RULES, LAST_RULE].every(({ says }) => says === 'policy_rejected')).toBe(true);
  });
});
