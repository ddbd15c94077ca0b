import { trim, withoutStrayMarks } from '../../../schema/words/unseen.ts';

/** More than that is a list: its own page reads it from a file, and goes on after a crash. */
export const PASTED_MAX = 5_000;

const SEPARATORS = /[\n\r,;\t]+/;
const IN_BRACKETS = /<([^<>]+)>\s*$/;

/**
 * The addresses in what was typed or pasted: one a line, or separated by commas, semicolons or spaces; `Ann <ann@…>`
 * counts as the address in brackets. Each is given once, as it was first written. Pure.
 */
export function addressesIn(text: string): string[] {
  const seen = new Map<string, string>();
  for (const piece of withoutStrayMarks(text).split(SEPARATORS)) {
    const bracketed = IN_BRACKETS.exec(piece)?.[1];
    const words = bracketed === undefined ? wordsOf(piece) : [bracketed];
    for (const word of words) {
      const email = trim(word);
      const identity = email.toLowerCase().normalize('NFC');
      if (email !== '' && !seen.has(identity)) seen.set(identity, email);
    }
  }
  return [...seen.values()];
}

/** A space separates addresses, unless it stands in one that is quoted or in something that has but one @. */
function wordsOf(piece: string): readonly string[] {
  const words = trim(piece).split(/\s+/);
  return !piece.includes('"') && words.every((word) => word.includes('@')) ? words : [piece];
}
