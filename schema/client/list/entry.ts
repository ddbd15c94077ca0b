import { spelling, type OpenResult } from '../../words/result.ts';

const utf8 = new TextEncoder();
const ASCII = /^[\0-\x7f]*$/;
/** In an address of RFC 5321 and 6531 there is something on both sides of an @, and at most 254 octets in A-labels. */
const MAYBE_ADDRESS = /.@./su;
const MAYBE_ADDRESS_LENGTH_MAX = 1_400;

/** One place of a list. */
export type Place<Input> = { readonly index: number; readonly input: Input };

/** One address of a list on its way to its result. */
export type Entry<Input> = Place<Input> & {
  /** As it is sent: the service trims too. */
  readonly email: string;
  /** Addresses of one domain wait for each other. */
  readonly domain: string;
  /** Of its JSON string with a comma. */
  readonly bytes: number;
  /** The other places of the list where it stands. */
  readonly copies: ReadonlyArray<Place<Input>>;
  /** How many times it was answered, and the best answer so far. */
  asked: number;
  result: OpenResult | null;
};

export function makeEntry<Input>(place: Place<Input>, text: string, copies: ReadonlyArray<Place<Input>>): Entry<Input> {
  const email = text.trim();
  const domain = spelling(email.slice(email.lastIndexOf('@') + 1));
  const bytes = octets(JSON.stringify(email)) + 1;
  return { ...place, email, domain, bytes, copies, asked: 0, result: null };
}

/** Equal for entries that the service takes for the same address; it may find more that are. */
export function identityOf(email: string): string {
  return spelling(email).normalize('NFC');
}

/** Whether it may be an address, and cost a credit. The service alone knows; this errs on the dear side. */
export function mayBeAddress(email: string): boolean {
  const text = email.trim();
  return text.length <= MAYBE_ADDRESS_LENGTH_MAX && MAYBE_ADDRESS.test(text);
}

/** Whether a result can be that of this entry. Letters beyond ASCII are left to the service's Unicode version. */
export function answers(result: OpenResult, email: string): boolean {
  return result.email === spelling(email) || !ASCII.test(email);
}

export function octets(text: string): number {
  return ASCII.test(text) ? text.length : utf8.encode(text).length;
}
