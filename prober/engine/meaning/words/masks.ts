// The parts of a reply that are names, not words: they must neither decide (an address may contain any word) nor be
// kept. All patterns are linear: every repetition is bounded or cannot overlap with what follows it.

const URL = /(?:https?:\/\/|\bwww\.)[^\s<>"()]+/gi;
const ADDRESS =
  /<?(?:"[^"\n]{1,64}"|(?<![^\s<>@"(),;:[\]])[^\s<>@"(),;:[\]]{1,320})@(?:\[[^\]\s]{1,80}\]|[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,12})>?/gu;
const IPV4 = /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const IPV6 =
  /(?<![\w:])(?:[0-9a-f]{1,4}:){1,7}(?::[0-9a-f]{0,4}){1,7}|(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b/gi;
const STATUS_CODE = /#?\b[245]\.\d{1,3}\.\d{1,3}\b/g;
/** All in one case, because `blocked.For` and `RESOLVER.ADR.RecipNotFound` are words that lost their spaces. */
const HOST_NAME =
  /\b(?:[a-z0-9_-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}\b(?!\.[A-Za-z])|\b(?:[A-Z0-9_-]{1,63}\.){1,10}[A-Z][A-Z0-9-]{1,62}\b/g;

/** By name, or by a label such as `rbl` with a whole domain after it: `pbl.nl` is a domain like any other. */
const BLOCK_LIST_NAME =
  /spamhaus|spamcop|sorbs|barracuda(?:central|networks)|abusix|cloudmark|abuseat|uceprotect|invaluement|backscatterer|mailspike|surriel|senderscore|dnsbl|dnswl|bl(?:ac|oc)klist|(?:^|[./])(?:[a-z]?bl|bl-\w+)\.[\w-]+\.[a-z]/i;

const GREYLIST_NAME = /gr[ea]y-?list|postgrey/i;

/**
 * Replaces links by placeholders: before all else, since they may contain anything. Bounded text only: the cost is
 * linear.
 */
export function maskLinks(text: string): string {
  return text.replace(URL, (link) => {
    if (GREYLIST_NAME.test(link)) return ' greylist ';
    return BLOCK_LIST_NAME.test(link) ? ' blocklist ' : ' url ';
  });
}

/** Replaces addresses by placeholders. */
export function replaceAddresses(text: string, standFor: (address: string) => string): string {
  return text.includes('@') ? text.replace(ADDRESS, standFor) : text;
}

/** Replaces IP addresses and host names by placeholders, and removes status codes. */
export function maskHosts(text: string): string {
  return text
    .replace(IPV4, ' ipnumber ')
    .replace(STATUS_CODE, ' ')
    .replace(HOST_NAME, (host) => (BLOCK_LIST_NAME.test(host) ? ' blocklist ' : ' fqdn '))
    .replace(IPV6, ' ipnumber ');
}
