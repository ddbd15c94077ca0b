import { spelling, type OpenResult } from '../../words/result.ts';
import { trim } from '../../words/unseen.ts';

const utf8 = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;
const CONTROL = /\p{Cc}/u;

/** One place of a list. */
export type Place<Input> = { readonly index: number; readonly input: Input };

/** One address of a list, and its state in a run. */
export type Entry<Input> = Place<Input> & {
  /** As it is sent: trimmed, as the service does. */
  readonly email: string;
  /** The service asks addresses of one domain one after the other. */
  readonly domain: string;
  /** Of its JSON string with a comma. */
  readonly bytes: number;
  /** The places of its duplicates. */
  readonly copies: ReadonlyArray<Place<Input>>;
  /** How many results it has had, and the best so far. */
  asked: number;
  result: OpenResult | null;
};

export function makeEntry<Input>(place: Place<Input>, text: string, copies: ReadonlyArray<Place<Input>>): Entry<Input> {
  const email = trim(text);
  const domain = spelling(email.slice(email.lastIndexOf('@') + 1));
  const bytes = octets(JSON.stringify(email)) + 1;
  return { ...place, email, domain, bytes, copies, asked: 0, result: null };
}

/** Equal for one mailbox in any case, in Unicode and in A-labels; the service may find more duplicates. */
export function identityOf(email: string): string {
  const plain = spelling(email).normalize('NFC');
  const at = plain.lastIndexOf('@') + 1;
  const domain = plain.slice(at);
  return isPlain(domain) ? plain : plain.slice(0, at) + asciiName(domain);
}

/** A name without A-labels, which is how most are written. */
function isPlain(domain: string): boolean {
  return /^[a-z0-9.-]*$/.test(domain) && !domain.includes('xn--');
}

/** What a URL gives another meaning stays as it is. */
const NAME = /^[^\s/?#@:\\[\]%<>|^]+$/;

function asciiName(domain: string): string {
  return NAME.test(domain) && URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
}

/** Whether a result can belong to this entry. Beyond ASCII the service's Unicode version decides, but adds no control characters. */
export function answers(result: OpenResult, email: string): boolean {
  return result.email === spelling(email) || (!ASCII.test(email) && !CONTROL.test(result.email));
}

export function octets(text: string): number {
  return ASCII.test(text) ? text.length : utf8.encode(text).length;
}
