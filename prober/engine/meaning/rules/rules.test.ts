import { describe, expect, test } from 'vitest';
import { rawReply } from '../../../testing/raw-reply.ts';
import { classify } from '../classify.ts';
import { ENGLISH } from '../words/english.ts';
import { standsFor } from '../words/lexicon.ts';
import { SPECIFIC_RULES } from './decide.ts';
import { gistOf } from '../words/gist.ts';
import { compilePatterns, compileRule, type Rule } from './rule.ts';
import { LAST_RULES, VAGUE_RULES } from './vague.ts';

const RULES: readonly Rule[] = [...SPECIFIC_RULES, ...VAGUE_RULES, ...LAST_RULES];

describe('rules', () => {
  test.each(RULES)('$id decides the reply that made it', ({ id, says, from }) => {
    const classified = classify('rcpt', rawReply(from));
    expect(classified.rule).toBe(id);
    const meant = { limit: 'policy_rejected', odd_form: 'unexpected' } as const;
    expect(classified.meaning).toBe(says === 'limit' || says === 'odd_form' ? meant[says] : says);
  });

  test('are stated by each gist that one of their patterns is found in', () => {
    const always = RULES.filter(({ unless, unlessAhead, codes }) => (unless ?? unlessAhead ?? codes) === undefined);
    const gists = RULES.map(({ from }) => gistOf(from)).filter((gist) => !/ (?:if|maybe) /.test(gist));
    for (const rule of always) {
      const found = compilePatterns(rule.when);
      const { matches } = compileRule(rule);
      for (const gist of gists) expect(matches(gist, 550), `${rule.id} in${gist}`).toBe(found.test(gist));
    }
  });

  test.each([
    ['DOMAIN gone', ' RDOMAIN gone . '],
    ['BOX|IP bad?', ' IP . '],
    ['^ not(?!\\sBOX) … gone', ' not here gone . '],
  ])('are stated by words that a pattern has no word for: %s', (pattern, gist) => {
    expect(compileRule({ id: 'any', says: 'unexpected', when: [pattern], from: '' }).matches(gist, 550)).toBe(true);
  });

  test('have ids of their own', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  test('name no word that stands for another one: no gist has it', () => {
    const patterns = RULES.flatMap(({ when, unless = [], unlessAhead = [] }: Rule) => [
      ...when,
      ...unless,
      ...unlessAhead,
    ]);
    const classes = new Set(Object.keys(ENGLISH).join(' ').split(' '));
    const words = new Set(patterns.join(' ').match(/(?<![a-zA-Z(\\])[a-z]+(?![a-zA-Z)\\])/g));
    const replaced = [...words].filter(
      (word) => ![undefined, 'SELF', word].includes(standsFor(word)) && !classes.has(word),
    );
    expect(replaced).toEqual([]);
  });

  test('say nothing of a mailbox by what only names nobody', () => {
    expect([...VAGUE_RULES, ...LAST_RULES].every(({ says }) => says === 'policy_rejected')).toBe(true);
  });
});
