import { describe, expect, test } from 'vitest';
import { createSpelling } from './spelling.ts';

const meant = createSpelling(
  () =>
    new Map([
      ['exceeded', 'exceeded'],
      ['recipient', 'BOX'],
      ['sender', 'SENDER'],
      ['tender', 'BOX'],
      ['existing', 'exist'],
      ['exiting', 'gone'],
    ]),
);

describe('a misspelt word', () => {
  test.each([
    ['a letter missing', 'exeeded', 'exceeded'],
    ['a letter too many', 'exceeeded', 'exceeded'],
    ['a wrong letter', 'excaeded', 'exceeded'],
    ['two letters swapped', 'recipeint', 'recipient'],
    ['nothing wrong', 'recipient', 'recipient'],
  ])('with %s is found', (_what, word, known) => {
    expect(meant(word)).toBe(known);
  });

  test.each([
    ['two letters wrong', 'exxxeded'],
    ['its first letter wrong', 'render'],
    ['a letter moved further than to its neighbour', 'reipcient'],
    ['fewer than six letters', 'sendr'],
    ['more letters than any word', 'e'.repeat(5_000)],
  ])('with %s is left alone', (_what, word) => {
    expect(meant(word)).toBeUndefined();
  });

  test('near to words of two meanings is left alone', () => {
    expect(meant('exsting')).toBeUndefined();
    expect(meant('existting')).toBe('existing');
  });
});
