import { expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { decide } from './dispute.ts';

const SHORT: Readonly<Record<string, Answer>> = { A: 'accepts', R: 'refuses', D: 'defers', C: 'catch_all' };

/** `A! R R`: what hosts a, b and c said; with a mark, as they say of everybody. */
function of(said: string) {
  const { answer, alone, agreed } = decide(
    said.split(' ').map((one, n) => ({
      host: 'abc'[n] ?? '',
      answer: SHORT[one[0] ?? ''] ?? 'other',
      isOneWord: one.endsWith('!'),
    })),
  );
  return [answer, alone.join(''), agreed.join('')];
}

it.each<[string, Answer | null, string, string]>([
  ['A', 'accepts', '', ''],
  ['A A', 'accepts', '', 'ab'],
  ['A R', null, '', ''],
  ['A R R', 'refuses', 'a', 'bc'],
  ['A R C', null, '', ''],
  // The word of those that say one thing of everybody counts for nothing, however many they are.
  ['A! R', 'refuses', 'a', ''],
  ['A! A! R', 'refuses', 'ab', ''],
  ['A! R R', 'refuses', 'a', 'bc'],
  ['A! A', 'accepts', '', 'a'],
  ['A! A!', 'accepts', '', ''],
  // A deferral is no vote against a verdict, and no verdict alone confirms one that is doubted.
  ['D A', 'accepts', '', ''],
  ['D! A', 'accepts', 'a', ''],
  ['D! A A', 'accepts', 'a', 'bc'],
  ['A D D', null, '', ''],
  ['D D', 'defers', '', 'ab'],
])('of %s it believes %s, against %s and for %s', (said, answer, alone, agreed) => {
  expect(of(said)).toEqual([answer, alone, agreed]);
});
