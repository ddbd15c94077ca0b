import { type Meaning, MEANINGS } from './meanings.ts';

type Conclusion = { readonly meaning: Meaning; readonly endsSession: boolean };

/** What a rule concludes from words. `limit` is a refusal for asking too much. */
export const SAYS = {
  no_such_mailbox: { meaning: 'no_such_mailbox', endsSession: false },
  relay_denied: { meaning: 'relay_denied', endsSession: false },
  mailbox_full: { meaning: 'mailbox_full', endsSession: false },
  policy_rejected: { meaning: 'policy_rejected', endsSession: false },
  limit: { meaning: 'policy_rejected', endsSession: true },
  unexpected: { meaning: 'unexpected', endsSession: false },
} as const satisfies Readonly<Record<string, Conclusion>>;
export type Says = keyof typeof SAYS;

/**
 * One rule of the classifier: patterns over the gist of a reply (see `meaning/words/gist.ts`), and the reply behind it.
 *
 * A pattern is a row of words: `BOX … not … exist`. Capitals are nouns, the subjects of statements; `a|b` is either;
 * `a?` is optional; `…` is up to six words, none of them a noun and none beyond the sentence, so that a statement
 * sticks to the noun next to it; `~` is up to two such words without a preposition, for statements before their noun;
 * `**` is up to twelve words of any kind, `***` beyond the sentence too; `^` is the beginning; `*` is a word in no table.
 * Anything else in a word is a regular expression, such as `not(?!\sBOX)`.
 */
export type Rule = {
  readonly id: string;
  readonly says: Says;
  readonly when: readonly string[];
  /** Patterns that disable the rule, anywhere in the reply. */
  readonly unless?: readonly string[];
  /**
   * Patterns that disable it if they precede the statement or are in its sentence: then it is not about the mailbox.
   */
  readonly unlessAhead?: readonly string[];
  /** A 5.7.x next to the reply code overrules it. */
  readonly unlessPolicy?: true;
  /** Reply codes that the rule applies to; all if omitted. */
  readonly codes?: readonly number[];
  /** A reply that only this rule explains, as sent on the wire. */
  readonly from: string;
};

export type CompiledRule = Rule & { readonly matches: (gist: string, code: number) => boolean };

/** What stands for more than a word. `*` excludes grammatical words. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['…', '(?:[^A-Z. ]+ ){0,6}?'],
  ['~', '(?:(?!(?:for|by|from|on|at|with|because|while|when|try|via) )[^A-Z. ]+ ){0,2}?'],
  ['**', '(?:[^. ]+ ){0,12}?'],
  ['***', '(?:[^ ]+ ){0,12}?'],
  ['.', '\\. '],
  ['^', '(?<=^ )'],
  [
    '*',
    '(?!(?:for|by|from|on|at|with|because|while|when|try|via|or|if|but|here|you|your|we|our|my|me|more|info|such|one|only|first|url|fqdn|addr|elsewhere|n|exist|not|gone|bad|away|allowed|accept|listed|failed|limit|quota|storage|refused|blocked|required|access|reason|error|hosted|full|resource|resources|object|space|data|gateway|peer|network|caller|country|transaction|port|device|location|handler|plugin|mapping|over|exceeded|size|path|route|luck|thing|value|table|tables|queue|queues|name|record|records|address|book|mail|message) )[a-z]+ ',
  ],
]);

/** Patterns, of which none is compiled before a gist has the words for it: a gist has those of few. */
export type Patterns = {
  readonly test: (gist: string) => boolean;
  /** The leftmost match, of several the one of the first pattern. */
  readonly find: (gist: string) => RegExpExecArray | null;
};

/** All repetition is bounded, so a match costs at most a constant times the gist's length. */
export function compilePatterns(patterns: readonly string[]): Patterns {
  const finders = patterns.map(finderOf);
  return {
    test: (gist) => finders.some((find) => find(gist) !== null),
    find: (gist) =>
      finders.reduce<RegExpExecArray | null>((first, find) => {
        const found = find(gist);
        return found !== null && (first === null || found.index < first.index) ? found : first;
      }, null),
  };
}

function finderOf(pattern: string): Patterns['find'] {
  let needed: string[][] | null = null;
  let compiled: RegExp | null = null;
  return (gist) => {
    needed ??= pattern.split(' ').flatMap(neededOf);
    if (!needed.every((words) => words.some((word) => gist.includes(word)))) return null;
    compiled ??= new RegExp(` ${compilePattern(pattern)}`);
    return compiled.exec(gist);
  };
}

/** Of the words of one place in a pattern, one stands in every gist that matches. None: it may have any other word. */
function neededOf(place: string): string[][] {
  const words = place.split('|').map((word) => PLAIN_WORD.exec(word)?.[1] ?? '');
  return words.includes('') ? [] : [words];
}

/** By itself, or with a condition on what follows it. */
const PLAIN_WORD = /^([a-z]+)(?:\(\?!.*)?$/i;

export function compileRule(rule: Rule): CompiledRule {
  const { codes } = rule;
  const isFinal = isFinalRule(rule);
  const stated = compilePatterns(rule.when);
  const excepted = compilePatterns(rule.unless ?? []);
  const ahead = compilePatterns(rule.unlessAhead ?? []);
  return {
    ...rule,
    matches(whole, code) {
      if (codes !== undefined && !codes.includes(code)) return false;
      // A condition does not withdraw blame of us, and any word about us withdraws a statement about a mailbox.
      const [gist, against] = isFinal ? [withoutConditions(whole), whole] : [whole, withoutConditions(whole)];
      const found = stated.find(gist);
      if (found === null || excepted.test(against)) return false;
      const end = gist.indexOf(' . ', found.index + found[0].length - 2);
      return !ahead.test(end < 0 ? gist : gist.slice(0, end + 3));
    },
  };
}

/** States something about the mailbox, or about its domain. */
function isFinalRule({ says }: Rule): boolean {
  const { refuses, isFull } = MEANINGS[SAYS[says].meaning];
  return refuses || isFull;
}

/** Whether everything that a rule finds in a gist is in conditions. */
export function isConditional(rule: Rule, gist: string): boolean {
  return isFinalRule(rule) && !compilePatterns(rule.when).test(withoutConditions(gist));
}

const CONDITION = / (?:if|maybe) [^.]*/g;

/** `If the user is unknown, ask us` says nothing about the user, nor does `the user might be unknown`. */
function withoutConditions(gist: string): string {
  return gist.includes(' if ') || gist.includes(' maybe ') ? gist.replace(CONDITION, ' ') : gist;
}

const compilePattern = (pattern: string): string =>
  pattern
    .replace(/\bDOMAIN\b/g, 'R?DOMAIN')
    .split(' ')
    .map(compileWord)
    .join('');

function compileWord(word: string): string {
  if (word.endsWith('?')) return `(?:(?:${word.slice(0, -1)}) )?`;
  return SIGNS.get(word) ?? (word.includes('|') ? `(?:${word}) ` : `${word} `);
}
