import type { Recipient } from '../../ports/ports.ts';
import { fold } from './fold.ts';
import { standsFor } from './lexicon.ts';
import { replaceAddresses } from './masks.ts';

// Servers repeat a recipient's name, whole or without its domain. A customer chooses that name, so none of its words
// may be read as the server's.

const TOKEN = /[^\s<>"'()[\]{},;:=]+/g;
/** Classes of words that a local part may be without being mistaken for anything else: `user@`, `mail@`. */
const HARMLESS = new Set(['BOX', 'EMAIL', 'MSG', 'DROP']);

/** An address or a local part; a domain; our envelope sender. */
const [ADDRESS, HOST, SENDER] = [' addr ', ' fqdn ', ' sender '];
/** An address at another domain than the recipient's: a statement about it alone is not about the recipient. */
export const ELSEWHERE = ' elsewhere ';

type Masking = {
  readonly recipient: Recipient | undefined;
  readonly sender: string | undefined;
  readonly keepsWords: boolean;
};

/**
 * Replaces all addresses in a text by placeholders, and the recipient's local part and domain where they stand alone.
 * @param text without links
 * @param recipient the recipient of the command
 * @param sender our envelope sender
 * @param keepsWords a word that equals the local part is none behind a word for a mailbox: `Mailbox full` about full@
 */
export function maskRecipient(text: string, { recipient, sender, keepsWords }: Masking): string {
  const us = recipient !== undefined && addressOf(recipient) === sender?.toLowerCase() ? undefined : sender;
  const masked = replaceAddresses(text, (spelt) => {
    const address = spelt.replace(/^<|>$/g, '');
    if (address.toLowerCase() === us?.toLowerCase()) return SENDER;
    return recipient === undefined || isAt(address, recipient.domain) || isSameLocal(address, recipient)
      ? ADDRESS
      : ELSEWHERE;
  });
  if (recipient === undefined) return masked;
  const local = fold(recipient.local);
  const host = fold(recipient.domain);
  const folded = fold(masked);
  if (!folded.includes(local) && !folded.includes(host)) return masked;
  let before = '';
  return masked.replace(TOKEN, (token: string, at: number) => {
    const word = fold(token).replace(/\.+$/, '');
    const last = before;
    before = word;
    if (word === local) return mayBeName(local, isNamed(masked, at, token, keepsWords ? '' : last)) ? ADDRESS : token;
    return word === host || word.endsWith(`.${host}`) ? HOST : token;
  });
}

/** Whether a recipient's local part is a word of replies too, such as `full` or `unknown`. */
export const isWord = (local: string): boolean => !HARMLESS.has(standsFor(fold(local)) ?? 'BOX');

/** Whether a word that equals the local part is that: `spam` or `quota` only if it clearly names someone. */
function mayBeName(local: string, isPlainlyNamed: boolean): boolean {
  const stands = standsFor(local);
  if (stands === undefined) return true;
  return !HARMLESS.has(stands) && isPlainlyNamed;
}

/** In quotes or brackets, or right after a word for a mailbox: `user quota unknown`. */
function isNamed(text: string, at: number, token: string, last: string): boolean {
  if (/["'<([]/.test(text[at - 1] ?? '') && /["'>)\]]/.test(text[at + token.length] ?? '')) return true;
  return standsFor(last) === 'BOX';
}

/** At the domain, at a subdomain, or without one. */
function isAt(address: string, domain: string): boolean {
  const host = fold(address.slice(address.lastIndexOf('@') + 1));
  const asked = fold(domain);
  return host === asked || host.endsWith(`.${asked}`) || asked.endsWith(`.${host}`);
}

/** The recipient as rewritten by the server: at the domain that it delivers to. */
const isSameLocal = (address: string, { local }: Recipient): boolean =>
  fold(address.slice(0, address.lastIndexOf('@'))) === fold(local);

const addressOf = ({ local, domain }: Recipient): string => `${local}@${domain}`.toLowerCase();
