// How receivers are known beyond a batch: by numbers made of their names, and never by the names.

/** A domain that somebody asked about. */
export type Receiver = {
  /** Equal for equal names. */
  readonly domain: number;
  /** Equal for names of one owner. */
  readonly zone: number;
};

/** FNV-1a, 32 bits with a sign, which take no memory of their own. Names that fall together count once, which harms nobody. */
export function receiverOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash;
}

/** Under a country these are nobody's own: `example.co.uk`, `example.com.br`. */
const SHARED = /^(?:ac|co|com|edu|go|gob|gov|gv|ne|net|or|org)$/;

/**
 * The part of a domain that somebody registered, so that its owner counts once: two labels, or three under the
 * like of `co.uk`. A shared suffix that is missing here makes several owners one, which only makes them count less.
 * @param name a domain in A-labels
 */
export function zoneOf(name: string): string {
  const labels = name.split('.');
  const [second = '', first = ''] = labels.slice(-2);
  return labels.slice(first.length === 2 && SHARED.test(second) ? -3 : -2).join('.');
}
