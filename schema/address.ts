import { spelling } from './words/result.ts';
import { suggestion } from './suggestion.ts';
import { withoutStrayMarks } from './words/unseen.ts';

// RFC 5321 `Mailbox` (§4.1.2, §4.1.3) as extended by RFC 6531 §3.3: quoted local parts, address literals and UTF-8
// are valid; comments, folding white space and a closing dot are not. Lengths are octets (RFC 5321 §4.5.3.1).

const LOCAL_OCTETS_MAX = 64;
/** A path is at most 256 octets with its angle brackets. */
const MAILBOX_OCTETS_MAX = 254;
const NAME_OCTETS_MAX = 253;
/** As written, before any expression reads it: in UTF-16, which no address of the octets above exceeds in practice. */
const WRITTEN_MAX = 320;
const LITERAL_MAX = 64;

/** A lone surrogate cannot be written as UTF-8. */
const WELL_FORMED = /^\P{Surrogate}*$/u;
const DOT_STRING =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~\u{80}-\u{10ffff}-]+)*$/iu;
const QUOTED_STRING = /^"([\x20\x21\x23-\x5b\x5d-\x7e\u{80}-\u{10ffff}]|\\[\x20-\x7e])*"$/u;
const HOST_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_NAME = /^[a-z0-9.-]*$/;
/** What a URL parser would read as an IPv4 address: the last label is a number, decimal or hexadecimal. */
const ENDS_IN_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/;
const IPV4 = /^(25[0-5]|2[0-4]\d|1\d\d|0{0,2}\d|0?\d\d)(\.(25[0-5]|2[0-4]\d|1\d\d|0{0,2}\d|0?\d\d)){3}$/;

/**
 * Put behind a name before the URL parser sees it: a label that is not ASCII makes the parser check A-labels too, which
 * it takes as they are in a name of ASCII only, and keeps it from reading a name that ends in a number as IPv4.
 */
const PROBE_LABEL = { unicode: '.\u00e4', ascii: '.xn--4ca' };

// Both runtimes have it; neither runtime's types are visible here.
declare const URL: new (text: string) => { readonly hostname: string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const utf8 = new TextEncoder();

export type DomainKind =
  | 'name'
  /** An address literal, or a name that reads as an IP address: never resolved. */
  | 'address';

export type Address = {
  /** As the caller wrote it, trimmed and lower-cased: what the answer echoes. */
  readonly email: string;
  /** As it goes on the wire: lower-case, NFC. */
  readonly local: string;
  /** As it goes on the wire: lower-case A-labels, or the literal in its brackets. */
  readonly domain: string;
  readonly domainKind: DomainKind;
  /** Equal for duplicates, and only for them. */
  readonly identity: string;
};

/**
 * Parses one entry of a request.
 * @param entry the JSON string as submitted
 * @returns the address, or null if it is not an RFC 5321/6531 mailbox
 */
export function parseAddress(entry: string): Address | null {
  const email = spelling(entry);
  if (email.length > WRITTEN_MAX || !WELL_FORMED.test(email)) return null;
  const at = email.lastIndexOf('@');
  if (at < 1) return null;
  const local = parseLocal(email.slice(0, at));
  const domain = parseDomain(email.slice(at + 1));
  if (local === null || domain === null) return null;
  const mailbox = `${local}@${domain.text}`;
  if (octets(mailbox) > MAILBOX_OCTETS_MAX) return null;
  return { email, local, domain: domain.text, domainKind: domain.kind, identity: mailbox };
}

/**
 * The address that an entry is without the stray marks in its local part, which make it no address (`words/unseen.ts`).
 * @returns null if there are none, or it is no address without them either
 */
export function meantAddress(entry: string): string | null {
  const email = spelling(entry);
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  if (withoutStrayMarks(local) === local) return null;
  const meant = parseAddress(withoutStrayMarks(email));
  return meant === null ? null : suggestion(meant.email);
}

/**
 * The A-label form of a domain name by UTS 46, non-transitional.
 * @param name a domain name in lower case, A-labels or U-labels
 * @returns the name in A-labels, or null if UTS 46 refuses it or it is not a host name
 */
export function toALabels(name: string): string | null {
  if (name.length > WRITTEN_MAX) return null;
  const ascii = ASCII.test(name) && !name.includes('xn--') ? name : uts46(name);
  if (ascii === null || ascii.length > NAME_OCTETS_MAX || !HOST_NAME.test(ascii)) return null;
  return ascii;
}

function parseLocal(text: string): string | null {
  const local = text.normalize('NFC');
  if (octets(local) > LOCAL_OCTETS_MAX || withoutStrayMarks(local) !== local) return null;
  return DOT_STRING.test(local) || QUOTED_STRING.test(local) ? local : null;
}

function parseDomain(text: string): { readonly text: string; readonly kind: DomainKind } | null {
  if (text.startsWith('[')) return isAddressLiteral(text) ? { text, kind: 'address' } : null;
  const name = toALabels(text);
  if (name === null) return null;
  return { text: name, kind: ENDS_IN_NUMBER.test(name) ? 'address' : 'name' };
}

/** The URL parser is the one UTS 46 implementation that workerd and Node share. */
function uts46(name: string): string | null {
  // Only what UTS 46 decides may reach the parser: no ASCII that a URL gives another meaning.
  for (const char of name) if (ASCII.test(char) && !ASCII_NAME.test(char)) return null;
  try {
    const { hostname } = new URL(`http://${name}${PROBE_LABEL.unicode}/`);
    return hostname.slice(0, -PROBE_LABEL.ascii.length);
  } catch {
    return null;
  }
}

/** RFC 5321 §4.1.3. A general literal needs a tag that IANA has registered, and none but IPv6 is. */
function isAddressLiteral(text: string): boolean {
  if (text.length > LITERAL_MAX || !text.endsWith(']')) return false;
  const inner = text.slice(1, -1);
  return inner.startsWith('ipv6:') ? isIpv6(inner.slice(5)) : IPV4.test(inner);
}

/** As the URL parser says. `::` stands for at least two groups here (RFC 5321 IPv6-comp), unlike in RFC 4291. */
function isIpv6(text: string): boolean {
  const groups = text
    .replace(/[^:]*\..*/, '0:0')
    .split(':')
    .filter((group) => group !== '');
  if (!/^[0-9a-f:.]+$/.test(text) || (text.includes('::') && groups.length > 6)) return false;
  try {
    return new URL(`http://[${text}]/`).hostname !== '';
  } catch {
    return false;
  }
}

function octets(text: string): number {
  if (ASCII.test(text)) return text.length;
  return utf8.encode(text).length;
}
