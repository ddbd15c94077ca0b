const NOT_ASCII = /[^\0-\x7f]/;
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l', ı: 'i', œ: 'oe' };

/** Lower case without accents, so that a server's own transliterations and its proper spelling meet. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘´]/g, "'")
    .replace(/。/g, '. ')
    .replace(/[\u2000-\u206f\u3000-\u303f]/g, ' ')
    .replace(/[ßæøđłıœ]/g, (letter) => LETTERS[letter] ?? letter);
}
