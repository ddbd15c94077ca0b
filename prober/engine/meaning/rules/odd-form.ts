import type { Recipient } from '../../ports/recipient.ts';

/** Dots and dashes between letters and digits: what every server takes. */
const PLAIN_LOCAL = /^[a-z0-9](?:[a-z0-9]|[._+-](?=[a-z0-9])){0,63}$/i;
const PLAIN_DOMAIN = /^[a-z0-9](?:[a-z0-9]|[.-](?=[a-z0-9])){0,253}$/i;
const LOCAL_CHARS_MAX = 64; // RFC 5321 §4.5.3.1.1

/** Whether a server may dislike the form of an address: quotes, `%`, `!`, `|`, letters beyond ASCII, or more of them than RFC 5321 allows. */
export function hasOddForm({ local, domain }: Recipient): boolean {
  return local.length > LOCAL_CHARS_MAX || !PLAIN_LOCAL.test(local) || !PLAIN_DOMAIN.test(domain);
}
