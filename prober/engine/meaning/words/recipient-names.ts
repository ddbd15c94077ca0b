import type { Recipient } from '../../ports/recipient.ts';
import { fold } from './fold.ts';
import { standsFor } from './lexicon.ts';
import { replaceAddresses } from './masks.ts';

// Servers say a recipient's name back: whole, without its domain, cut short, or encoded. A customer chooses that name,
// so none of its words may be read as the server's.

const TOKEN = /[^\s<>"'()[\]{},;:=]+/g;
const ENCODED = /[=%]([2-7][0-9a-f])/gi;
const PLAIN_LOCAL = /^[\p{L}\p{N}._+-]+$/u;
/** A piece shorter than this may be the server's own word. */
const PIECE_CHARS_MIN = 6;
/** As many first letters of a name must stand in the text for it to be looked for. */
const FIRST_CHARS = 3;

/** Classes of words that a local part may be without being taken for anything else: `user@`, `mail@`. */
const HARMLESS = new Set(['BOX', 'EMAIL', 'MSG', 'DROP']);
/** Of a local part that is one of these, the server speaks more likely than not: `abuse@`, `policy@`. */
const BLAMING = new Set(['SPAM', 'POLICY']);

/** What stands for an address or a local part, for a domain, and for our envelope sender. */
export type Names = {
  readonly address: string;
  /** For an address at another domain than the one asked for: what is said of it alone is not said of the recipient. */
  readonly elsewhere: string;
  readonly host: string;
  readonly sender: string;
};

/** Between whom the mail would go. */
type Asked = { readonly recipient: Recipient | undefined; readonly sender: string | undefined };

/** What is known of the name that the server may repeat: the recipient told, or else the first address in the text. */
type Name = { readonly local: string; readonly host: string; readonly isTold: boolean; readonly isRepeated: boolean };

/**
 * Puts stand-ins for all addresses in a text, and for the recipient's local part and domain wherever one stands without
 * the other.
 * @param text without links
 * @param asked whom the command asked for; if nobody said, the first address in the text is taken. And our envelope
 *   sender, unless it is the one asked for
 */
export function maskRecipient(text: string, asked: Asked, stand: Names): string {
  const told = asked.recipient;
  const sender = told !== undefined && addressOf(told) === asked.sender?.toLowerCase() ? undefined : asked.sender;
  let first: string | undefined;
  const masked = replaceAddresses(prepare(text, told, stand), (address) => {
    if (address.replace(/^<|>$/g, '').toLowerCase() === sender?.toLowerCase()) return stand.sender;
    first ??= address;
    return told === undefined || isAt(address, told.domain) || isSameLocal(address, told)
      ? stand.address
      : stand.elsewhere;
  });
  const recipient = told ?? parse(first);
  if (recipient === null) return masked;
  const name: Name = {
    local: fold(unquote(recipient.local)),
    host: fold(recipient.domain),
    isTold: told !== undefined,
    isRepeated: first !== undefined,
  };
  const folded = fold(masked);
  const occurs = folded.includes(name.local.slice(0, FIRST_CHARS)) || folded.includes(name.host.slice(0, FIRST_CHARS));
  return occurs ? maskParts(masked, name, stand) : masked;
}

/** Decodes what is encoded, and takes out a local part that is no plain word, with all that stands in its quotes. */
function prepare(text: string, told: Recipient | undefined, stand: Names): string {
  const decoded = decode(text);
  if (told === undefined || PLAIN_LOCAL.test(told.local)) return decoded;
  const bare = fold(unquote(told.local));
  const escaped = bare.replace(/["\\]/g, '\\$&');
  return [escaped, bare].reduce((masked, name) => replaceAll(masked, name, stand.address), decoded);
}

function maskParts(text: string, name: Name, stand: Names): string {
  let before = '';
  return text.replace(TOKEN, (token: string, at: number) => {
    const folded = fold(token);
    const word = folded.endsWith('.') ? folded.replace(/\.+$/, '') : folded;
    const last = before;
    before = word;
    if (word === name.local) return mayBeName(name, isNamed(text, at, token.length, last)) ? stand.address : token;
    if (!name.isTold) return token;
    if (word === name.host || word.endsWith(`.${name.host}`)) return stand.host;
    return isPiece(word, name) ? stand.address : token;
  });
}

/** Whether a word that equals the local part is it: `spam` or `quota` only where it is plain that it names somebody. */
function mayBeName({ local, isTold, isRepeated }: Name, isPlainlyNamed: boolean): boolean {
  const stands = standsFor(local);
  if (stands === undefined) return isTold;
  if (HARMLESS.has(stands)) return false;
  return BLAMING.has(stands) ? isPlainlyNamed || isRepeated : isTold && isPlainlyNamed;
}

/** In quotes or brackets, or right behind a word for a mailbox: `user quota unknown`. */
function isNamed(text: string, at: number, length: number, last: string): boolean {
  if (/["'<([]/.test(text[at - 1] ?? '') && /["'>)\]]/.test(text[at + length] ?? '')) return true;
  return standsFor(last) === 'BOX';
}

/** Part of the address that is no word of a language: `mailbox-is-fu`, `local+tag`, `quota-full.exam`. */
function isPiece(word: string, { local, host }: Name): boolean {
  if (word.length < PIECE_CHARS_MIN || /^\p{L}+$/u.test(word)) return false;
  return `${local}@${host}`.includes(word) || (local.length >= PIECE_CHARS_MIN && word.includes(local));
}

function parse(address: string | undefined): Recipient | null {
  if (address === undefined) return null;
  const bare = address.replace(/^<|>$/g, '');
  const at = bare.lastIndexOf('@');
  return { local: bare.slice(0, at), domain: bare.slice(at + 1) };
}

/** At the domain, at one below it, or at none. */
function isAt(address: string, domain: string): boolean {
  const host = fold(address.slice(address.lastIndexOf('@') + 1).replace(/>$/, ''));
  const asked = fold(domain);
  return host === asked || host.endsWith(`.${asked}`) || asked.endsWith(`.${host}`);
}

/** The recipient as the server rewrites it: at the domain that it delivers to. */
const isSameLocal = (address: string, { local }: Recipient): boolean =>
  fold(address.slice(0, address.lastIndexOf('@')).replace(/^</, '')) === fold(local);

const addressOf = ({ local, domain }: Recipient): string => `${local}@${domain}`.toLowerCase();

/** Only what begins with a quote has anything to take off: a backslash stands in quotes alone. */
function unquote(local: string): string {
  return local.startsWith('"') ? local.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1') : local;
}

/** `=2D` and `%40` back to what they stand for. */
function decode(text: string): string {
  if (!text.includes('=') && !text.includes('%')) return text;
  return text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function replaceAll(text: string, name: string, stand: string): string {
  const lower = text.toLowerCase();
  if (name === '' || lower.length !== text.length) return text;
  let out = '';
  let from = 0;
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, from)) {
    out += text.slice(from, at) + stand;
    from = at + name.length;
  }
  return out + text.slice(from);
}
