// Pasted addresses carry marks that nobody sees: zero-width characters, direction marks, soft hyphens.

const UNSEEN = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;
/** U+200C, U+200D and variation selectors spell something in some scripts and in emoji. */
const STRAY = /(?![\u200C\u200D\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu;

/** Without white space and unseen marks at both ends. No expression that ends in `$`: it would look back from each run. */
export function trim(text: string): string {
  let start = 0;
  for (const char of text) {
    if (!UNSEEN.test(char)) break;
    start += char.length;
  }
  let end = text.length;
  while (end > start) {
    const from = end - ((text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1);
    if (!UNSEEN.test(text.slice(from, end))) break;
    end = from;
  }
  return text.slice(start, end);
}

/** Without the unseen marks that spell nothing, wherever they are: what lists, pages and fields do before they ask. */
export function withoutStrayMarks(text: string): string {
  return text.replaceAll(STRAY, '');
}
