import { createInflection } from './inflection.ts';
import { UNSPACED, WORDS } from './kept-words.ts';
import { SortedText } from './sorted-text.ts';

type Phrase = { readonly rest: readonly string[]; readonly stands: string };
type Entry = {
  /** What the word represents; undefined: it is known from phrases alone. */
  readonly stands: string | undefined;
  readonly hasForms: boolean;
  /** Those that begin with it, the longest first. */
  readonly phrases: readonly Phrase[];
};

const words = new SortedText(WORDS);
/** Those that were read already: they are in the tables, so there is an end to them. */
const entries = new Map<string, Entry>();

const formOf = createInflection((head) =>
  words.beginningWith(head).flatMap((word) => {
    const { stands, hasForms = false } = entryOf(word) ?? {};
    return stands === undefined ? [] : [{ word, stands, hasForms }];
  }),
);

/** Japanese, Chinese and Korean, whose letters fold into their parts, and Thai. */
const UNSPACED_TEXT = /[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]/;
let unspaced: { readonly phrase: RegExp; readonly standIns: ReadonlyMap<string, string> } | null = null;

function entryOf(word: string): Entry | undefined {
  const read = entries.get(word);
  if (read !== undefined) return read;
  const line = words.get(word);
  if (line === null) return undefined;
  const [said = '', ...phrases] = line.split('|');
  const entry = {
    stands: said.replace('!', '') || undefined,
    hasForms: !said.endsWith('!'),
    phrases: phrases.map((phrase) => {
      const [rest = '', stands = ''] = phrase.split('=');
      return { rest: rest.split('_'), stands };
    }),
  };
  entries.set(word, entry);
  return entry;
}

/** What a folded word represents; undefined for one that is in no table, nor a form of one there. */
export const standsFor = (word: string): string | undefined =>
  entryOf(word)?.stands ?? entryOf(formOf(word) ?? '')?.stands;

/**
 * Chinese, Japanese, Korean and Thai are read by phrases: each known one becomes a placeholder that `canonical` knows.
 */
export function spaceOutCjk(text: string): string {
  if (!UNSPACED_TEXT.test(text)) return text;
  unspaced ??= readUnspaced();
  const { phrase, standIns } = unspaced;
  return text.replace(phrase, (found) => ` ${standIns.get(found) ?? found} `);
}

function readUnspaced(): NonNullable<typeof unspaced> {
  const standIns = new Map<string, string>();
  for (const line of UNSPACED.split('\n')) {
    const [phrase = '', standIn = ''] = line.split('=');
    standIns.set(phrase, standIn);
  }
  const longestFirst = [...standIns.keys()].toSorted((a, b) => b.length - a.length);
  return { phrase: new RegExp(longestFirst.join('|'), 'g'), standIns };
}

/** Words in order, each as the word that represents it; unknown ones unchanged. */
export function canonical(read: readonly string[]): string[] {
  const tokens = read.map(spell);
  const out: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] ?? '';
    const phrases = entryOf(token)?.phrases;
    const phrase = phrases?.find(({ rest }) => rest.every((word, i) => tokens[at + 1 + i] === word));
    at += 1 + (phrase?.rest.length ?? 0);
    const stands = phrase?.stands ?? standsFor(token) ?? (token.length > 1 || token === '.' ? token : 'DROP');
    if (stands !== 'DROP') out.push(stands === 'SELF' ? token : stands);
  }
  return out;
}

function spell(token: string): string {
  if (token === '!' || token === '?' || token === ';') return '.';
  if (token >= '0' && token < ':') return 'n';
  return entryOf(token) === undefined ? (formOf(token) ?? token) : token;
}
