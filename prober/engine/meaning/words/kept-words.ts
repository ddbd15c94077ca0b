import { CJK } from './cjk.ts';
import { ENGLISH } from './english.ts';
import { GERMANIC } from './germanic.ts';
import { NORTHERN } from './northern.ts';
import { OTHERS } from './others.ts';
import { ROMANCE } from './romance.ts';
import { SLAVIC } from './slavic.ts';
import { sortedText } from './sorted-text.ts';
import type { WordTable } from './word-table.ts';

// All tables as texts to be searched: a process makes nothing of thousands of entries as it starts. A bundle contains
// these texts and not the tables: `scripts/bundle/settings.ts`.

/** `entry` and what it stands for, of each row. */
const entriesOf = (table: WordTable): [entry: string, stands: string][] =>
  Object.entries(table).flatMap(([stands, row]) =>
    row
      .split(/\s+/)
      .filter((entry) => entry !== '')
      .map((entry): [string, string] => [entry, stands]),
  );

const standInOf = (stands: string): string => `cjk${stands.toLowerCase().replaceAll(' ', '')}`;

/** Of a word: what it stands for, with `!` if it has no other forms, and the phrases that begin with it. */
const about = new Map<string, [stands: string, ...phrases: string[]]>();

function of(word: string): [stands: string, ...phrases: string[]] {
  const known = about.get(word);
  if (known !== undefined) return known;
  const added: [string] = [''];
  about.set(word, added);
  return added;
}

for (const table of [ENGLISH, GERMANIC, NORTHERN, ROMANCE, SLAVIC, OTHERS])
  for (const [entry, stands] of entriesOf(table)) {
    const [first = '', ...rest] = entry.split('_');
    // Words inside a phrase, but not first, are known spellings too.
    for (const word of rest) of(word);
    if (rest.length > 0) of(first).push(`${rest.join('_')}=${stands}`);
    // English nouns have no other forms: they decide the subject, and other words are formed like them.
    else if (of(first)[0] === '') of(first)[0] = table === ENGLISH && !/^[a-z]+$/.test(stands) ? `${stands}!` : stands;
  }
for (const stands of Object.keys(CJK)) of(standInOf(stands))[0] = stands;

/** Words, and after each `stands|phrase=stands|...`, the longest phrase first. */
export const WORDS: string = sortedText(
  [...about].map(([word, [stands, ...phrases]]) => {
    const longestFirst = phrases.toSorted((a, b) => b.split('_').length - a.split('_').length);
    return `${word} ${[stands, ...longestFirst].join('|')}`;
  }),
);

/** Phrases of languages that leave no space between words, folded, and the word that stands in for each. */
export const UNSPACED: string = entriesOf(CJK)
  .map(([entry, stands]) => {
    const phrase = entry.replaceAll('_', ' ').normalize('NFKD');
    return `${phrase.replace(/\p{M}+/gu, '')}=${standInOf(stands)}`;
  })
  .join('\n');
