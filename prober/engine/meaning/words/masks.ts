// What in a reply is a name and no word: it must neither decide (an address may contain any word) nor be kept.
// All patterns are linear: every repetition is bounded or cannot overlap with what follows it.

const URL = /(?:https?:\/\/|\bwww\.)[^\s<>"()]+/gi;
const WHITE_SPACE = /\s/g;
const ADDRESS =
  /<?(?:"[^"\n]{1,64}"|[^\s<>@"(),;:[\]]{1,64})@(?:\[[^\]\s]{1,80}\]|[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,12})>?/gu;
const IPV4 = /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const IPV6 =
  /(?<![\w:])(?:[0-9a-f]{1,4}:){1,7}(?::[0-9a-f]{0,4}){1,7}|(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b/gi;
/** What every IPv6 address has. Most replies have colons, and few have these: looking for them is much cheaper. */
const NEAR_COLONS = /:[0-9a-f]{0,4}:/i;
const STATUS_CODE = /#?\b[245]\.\d{1,3}\.\d{1,3}\b/g;
/** All in one case, because `blocked.For` and `RESOLVER.ADR.RecipNotFound` are words that lost their spaces. */
const HOST_NAME =
  /\b(?:[a-z0-9_-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}\b(?!\.[A-Za-z])|\b(?:[A-Z0-9_-]{1,63}\.){1,10}[A-Z][A-Z0-9-]{1,62}\b/g;

/** What every host name has. Most replies name none, and all have dots: looking for it is much cheaper. */
const DOT_BEFORE_LETTER = /\.[a-z]/i;

/** Whether a host name may stand in a text. */
export const mayNameHost = (text: string): boolean => DOT_BEFORE_LETTER.test(text);

/** Says what stands in for a link, an address, a host name and so on. */
export type Stand = {
  readonly link: (text: string) => string;
  readonly host: (text: string) => string;
  readonly address: string;
  readonly ip: string;
};

/** Puts stand-ins for links: before all else, for anything may stand in one. Bounded text only: the cost is linear. */
export function maskLinks(text: string, stand: Stand): string {
  return text.includes('://') || text.includes('www.') ? text.replace(URL, stand.link) : text;
}

/**
 * Puts stand-ins for addresses. Behind the word that has the last @ none can begin, and none reaches past that word:
 * the rest, which is most of a reply, is not looked at.
 */
export function replaceAddresses(text: string, standFor: (address: string) => string): string {
  const last = text.lastIndexOf('@');
  if (last < 0) return text;
  WHITE_SPACE.lastIndex = last;
  const end = WHITE_SPACE.exec(text)?.index ?? text.length;
  return text.slice(0, end).replace(ADDRESS, standFor) + text.slice(end);
}

/** Puts stand-ins for IP addresses and host names, and takes status codes out. */
export function maskHosts(text: string, stand: Stand): string {
  let masked = text;
  if (masked.includes('.')) {
    masked = masked.replace(IPV4, stand.ip).replace(STATUS_CODE, ' ');
    if (mayNameHost(masked)) masked = masked.replace(HOST_NAME, stand.host);
  }
  return NEAR_COLONS.test(masked) ? masked.replace(IPV6, stand.ip) : masked;
}
