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
  ])('of %j shows, for each matching rule, one of its patterns and the words it found', (text) => {
    const { gist, matches } = explained(550, text.slice(4));
    expect(matches.length).toBeGreaterThan(0);
    for (const { found } of matches) {
      expect(found).not.toBe('');
      expect(gist).toContain(found);
    }
  });

  it('says that a rule found its words in a condition', () => {
    const { matches } = explained(550, 'Rejected. If the user is unknown, ask us.');
    expect(matches.find(({ rule }) => rule === 'mailbox/gone')?.outOfPlay).toBe('stands in a condition');
  });
});
