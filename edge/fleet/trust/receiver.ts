// How receivers are identified beyond a batch: by hashes of their names, never by the names.

/** A domain that was asked about. */
export type Receiver = {
  /** Equal for equal names. */
  readonly domain: number;
  /** Equal for names of one owner. */
  readonly zone: number;
};

/** FNV-1a, a signed 32-bit integer, which takes no heap memory. Names that collide count once, which does no harm. */
export function receiverOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash;
}

/** Under a country these are not registered by anyone: `example.co.uk`, `example.com.br`. */
const SHARED = /^(?:ac|co|com|edu|go|gob|gov|gv|ne|net|or|org)$/;

/**
 * The registered part of a domain, so that its owner counts once: two labels, or three under the like of `co.uk`. A
 * shared suffix missing here makes several owners one, which only makes them count less.
 * @param name a domain in A-labels
 */
export function zoneOf(name: string): string {
  const labels = name.split('.');
  const [second = '', first = ''] = labels.slice(-2);
  return labels.slice(first.length === 2 && SHARED.test(second) ? -3 : -2).join('.');
}
