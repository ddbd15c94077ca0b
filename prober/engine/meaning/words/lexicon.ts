import { CJK } from './cjk.ts';
import { ENGLISH } from './english.ts';
import { GERMANIC } from './germanic.ts';
import { ROMANCE } from './romance.ts';
import { SLAVIC } from './slavic.ts';
import type { WordTable } from './word-table.ts';

type Entry = { readonly rest: readonly string[]; readonly stands: string };

const PHRASE_WORDS_MAX = 4;

// Rows are folded like replies (see fold in gist.ts), so words stand in them without accents; umlauts in both spellings.
const words = new Map<string, string>();
const phrases = new Map<string, Entry[]>();
const cjkPhrases = new Map<string, string>();

for (const table of [ENGLISH, GERMANIC, ROMANCE, SLAVIC]) {
  for (const [stands, entry] of entriesOf(table)) learn(entry.split('_'), stands);
}
for (const [stands, phrase] of entriesOf(CJK)) {
  const standIn = `cjk${stands.toLowerCase()}`;
  words.set(standIn, stands);
  cjkPhrases.set(phrase.normalize('NFKD').replace(/\p{M}+/gu, ''), ` ${standIn} `);
}
for (const entries of phrases.values()) entries.sort((a, b) => b.rest.length - a.rest.length);

const CJK_TEXT = /[\u3040-\u30ff\u3400-\u9fff]/;
const CJK_PHRASE = new RegExp([...cjkPhrases.keys()].toSorted((a, b) => b.length - a.length).join('|'), 'g');

function entriesOf(table: WordTable): [stands: string, entry: string][] {
  return Object.entries(table).flatMap(([stands, row]): [string, string][] =>
    row.split(/\s+/).flatMap((entry): [string, string][] => (entry === '' ? [] : [[stands, entry]])),
  );
}

function learn(parts: readonly string[], stands: string): void {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) words.set(first, stands);
  else if (rest.length < PHRASE_WORDS_MAX) phrases.set(first, [...(phrases.get(first) ?? []), { rest, stands }]);
}

/** Chinese and Japanese have no spaces: each known phrase becomes a stand-in that `canonical` knows. */
export function spaceOutCjk(text: string): string {
  if (!CJK_TEXT.test(text)) return text;
  return text.replace(CJK_PHRASE, (phrase) => cjkPhrases.get(phrase) ?? phrase);
}

/** Words in order, each as the word that stands for it; unknown ones as they are. Spam and policy as the mailbox's own name are `addr`. */
export function canonical(tokens: readonly string[], localPart: string | null): string[] {
  const out: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = spell(tokens[at] ?? '');
    const phrase = phrases.get(token)?.find(({ rest }) => rest.every((word, i) => tokens[at + 1 + i] === word));
    at += 1 + (phrase?.rest.length ?? 0);
    const stands = phrase?.stands ?? words.get(token) ?? (token.length > 1 || token === '.' ? token : 'DROP');
    if (stands !== 'DROP') out.push(token === localPart && mayNameMailbox(stands) ? 'addr' : stands);
  }
  return out;
}

function spell(token: string): string {
  if (token === '!' || token === '?' || token === ';') return '.';
  return token >= '0' && token < ':' ? 'n' : token;
}

/** Only these: a mailbox may well be called `sender` too, but then doubt must not make it a dead one. */
const mayNameMailbox = (noun: string): boolean => noun === 'SPAM' || noun === 'POLICY';
