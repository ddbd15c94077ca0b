import { describe, expect, it } from 'vitest';
import { explainReply } from './explain.ts';

const explained = (code: number, ...lines: readonly string[]) =>
  explainReply('rcpt', { code, enhanced: null, lines: [...lines] });

describe('an explanation', () => {
  it.each([
    '550 User unknown',
    '550 mailbox full',
    '550 Client host blocked using zen.spamhaus.org',
    '550 relaying denied',
    '550 no such user here',
  ])('of %j shows, for each rule that matches, one of its patterns and the words that it found', (text) => {
    const { gist, matches } = explained(550, text.slice(4));
    expect(matches.length).toBeGreaterThan(0);
    for (const { found } of matches) {
      expect(found).not.toBe('');
      expect(gist).toContain(found);
    }
  });

  it('names the rule that decides', () => {
    const { classified, why } = explained(550, 'User unknown');
    expect(classified).toMatchObject({ by: 'rule' });
    expect(why).toBe(`${classified.rule} is the first rule that matches and is not out of play`);
  });

  it('says that a rule found its words in a condition', () => {
    const { matches } = explained(550, 'Rejected. If the user is unknown, ask us.');
    expect(matches.find(({ rule }) => rule === 'mailbox/gone')?.outOfPlay).toBe('stands in a condition');
  });

  it('says that a reply is too long to be read whole', () => {
    expect(explained(550, `User unknown ${'-'.repeat(2_000)}`).why).toMatch(/too long to be read whole/);
  });

  it.each([
    [250, /acceptance/],
    [299, /acceptance/],
    [400, /4xx/],
    [499, /4xx/],
    [500, /no rule decides|is the first rule|no rule and no code/],
  ])('of %i says why by its first digit', (code, words) => {
    expect(explained(code, 'Zodiac').why).toMatch(words);
  });
});
