import type { Entry } from './entries.ts';

const FOUND_MAX = 12;
const AROUND = 60;

export type FoundEntry = Entry & {
  /** The text around the first word that was found in it. */
  readonly snippet: string;
};

/** The entries that have every word of a query, those that have them in their titles first. Pure. */
export function findEntries(entries: readonly Entry[], query: string): readonly FoundEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const weigh = ({ title }: Entry): number => words.filter((word) => title.toLowerCase().includes(word)).length;
  return entries
    .filter(({ title, text }) => words.every((word) => `${title}\n${text}`.toLowerCase().includes(word)))
    .toSorted((a, b) => weigh(b) - weigh(a))
    .slice(0, FOUND_MAX)
    .map((entry) => ({ ...entry, snippet: snippetOf(entry.text, words) }));
}

function snippetOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - AROUND / 2);
  const start = places.length === 0 ? 0 : from;
  const piece = text
    .slice(start, start + AROUND * 2)
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ');
  return `${start > 0 ? '… ' : ''}${piece}${start + AROUND * 2 < text.length ? ' …' : ''}`;
}
