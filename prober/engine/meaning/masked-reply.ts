import type { Recipient } from '../ports/ports.ts';
import type { Reply } from '../smtp/wire/reply.ts';
import { fold } from './words/fold.ts';

// Whether a server says the same about two recipients.

/**
 * A reply with everything masked that differs between recipients; in two ways, since its own words may look like a
 * name.
 */
export type MaskedReply = { readonly texts: readonly string[]; readonly namesRecipient: boolean };

/** Placeholders that no server can send: they are removed from its words first. */
const NAME = '\u{e000}';
const ID = '\u{e001}';
const STAND_INS = /[\u{e000}\u{e001}]/gu;

const TIME = /\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\b/g;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_-]*/gu;
/** Where a local part can stand by itself. */
const TOKEN = /[^\s<>"'()[\]{},;:=]+/g;
/** A shorter number is a code of the server's own, as in `OFR_416`: a different one is a different reason. */
const NUMBER_CHARS_MIN = 5;
const ID_CHARS_MIN = 8;

/** Masks the recipient, times, numbers of five digits or more and ids. Code and enhanced code stay as they are. */
export function maskReply({ code, enhanced, lines }: Reply, { local, domain }: Recipient): MaskedReply {
  const address = fold(`${local}@${domain}`);
  const name = fold(local);
  const said = fold(lines.join('\n').replace(STAND_INS, ' '));
  const whole = address === '' ? said : said.replaceAll(address, NAME);
  const apart = whole.replace(TOKEN, (token) => (token.replace(/\.+$/, '') === name ? NAME : token));
  return {
    texts: [...new Set([whole, apart])].map((text) => `${code} ${enhanced ?? ''} ${maskIds(text)}`),
    namesRecipient: whole !== said,
  };
}

/** Whether two replies are the same apart from the recipients. */
export function areAlike(a: MaskedReply | null, b: MaskedReply | null): boolean {
  return a !== null && b !== null && a.texts.some((text) => b.texts.includes(text));
}

function maskIds(text: string): string {
  return text
    .replace(TIME, ID)
    .replace(WORD, (word) => (isId(word) ? ID : word))
    .replace(/\s+/g, ' ')
    .trim();
}

function isId(word: string): boolean {
  if (!/\p{N}/u.test(word)) return false;
  return word.length >= (/^\p{N}+$/u.test(word) ? NUMBER_CHARS_MIN : ID_CHARS_MIN);
}
