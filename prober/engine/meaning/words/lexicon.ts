import { CJK } from './cjk.ts';
import { ENGLISH } from './english.ts';
import { GERMANIC } from './germanic.ts';
import { createInflection } from './inflection.ts';
import { NORTHERN } from './northern.ts';
import { OTHERS } from './others.ts';
import { ROMANCE } from './romance.ts';
import { SLAVIC } from './slavic.ts';
import type { WordTable } from './word-table.ts';

type Entry = { readonly rest: readonly string[]; readonly stands: string };

const PHRASE_WORDS_MAX = 4;

// Rows are folded like replies (see fold.ts), so words are without accents there; umlauts in both spellings.
const words = new Map<string, string>();
const phrases = new Map<string, Entry[]>();
const unspaced = new Map<string, string>();
/** Words inside a phrase, but not first: known spellings too. */
const further = new Set<string>();

for (const table of [ENGLISH, GERMANIC, NORTHERN, ROMANCE, SLAVIC, OTHERS]) eachEntry(table, learn);
eachEntry(CJK, (phrase, stands) => {
  const standIn = `cjk${stands.toLowerCase().replaceAll(' ', '')}`;
  words.set(standIn, stands);
  unspaced.set(
    phrase
      .replaceAll('_', ' ')
      .normalize('NFKD')
      .replace(/\p{M}+/gu, ''),
    ` ${standIn} `,
  );
});
for (const entries of phrases.values()) entries.sort((a, b) => b.rest.length - a.rest.length);

/** English nouns are known only as in the table: they decide the subject, and other words are formed like them. */
const formOf = createInflection(words, () => {
  const nouns: string[] = [];
  eachEntry(ENGLISH, (word, stands) => {
    if (!/^[a-z]+$/.test(stands)) nouns.push(word);
  });
  return nouns;
});

/** Japanese, Chinese and Korean, whose letters fold into their parts, and Thai. */
const UNSPACED_TEXT = /[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]/;
const UNSPACED_PHRASE = new RegExp([...unspaced.keys()].toSorted((a, b) => b.length - a.length).join('|'), 'g');

/** Thousands of them at every start of a process: nothing is allocated for an entry but what is kept. */
function eachEntry(table: WordTable, onEntry: (entry: string, stands: string) => void): void {
  for (const [stands, row] of Object.entries(table))
    for (const entry of row.split(/\s+/)) if (entry !== '') onEntry(entry, stands);
}

function learn(entry: string, stands: string): void {
  if (!entry.includes('_')) {
    words.set(entry, stands);
    return;
  }
  const [first = '', ...rest] = entry.split('_');
  if (rest.length >= PHRASE_WORDS_MAX) return;
  for (const word of rest) further.add(word);
  const known = phrases.get(first);
  if (known === undefined) phrases.set(first, [{ rest, stands }]);
  else known.push({ rest, stands });
}

/** What a folded word represents; undefined for one that is in no table, nor a form of one there. */
export const standsFor = (word: string): string | undefined => words.get(word) ?? words.get(formOf(word) ?? '');

/**
 * Chinese, Japanese, Korean and Thai are read by phrases: each known one becomes a placeholder that `canonical` knows.
 */
export function spaceOutCjk(text: string): string {
  if (!UNSPACED_TEXT.test(text)) return text;
  return text.replace(UNSPACED_PHRASE, (phrase) => unspaced.get(phrase) ?? phrase);
}

/** Words in order, each as the word that represents it; unknown ones unchanged. */
export function canonical(read: readonly string[]): string[] {
  const tokens = read.map(spell);
  const out: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] ?? '';
    const phrase = phrases.get(token)?.find(({ rest }) => rest.every((word, i) => tokens[at + 1 + i] === word));
    at += 1 + (phrase?.rest.length ?? 0);
    const stands = phrase?.stands ?? standsFor(token) ?? (token.length > 1 || token === '.' ? token : 'DROP');
    if (stands !== 'DROP') out.push(stands === 'SELF' ? token : stands);
  }
  return out;
}

function spell(token: string): string {
  if (token === '!' || token === '?' || token === ';') return '.';
  if (token >= '0' && token < ':') return 'n';
  if (words.has(token) || phrases.has(token) || further.has(token)) return token;
  return formOf(token) ?? token;
}
