import { importSecret } from '../base/keyed-hash.ts';

// An API key is prefix + 8 characters that name its account, of which the first names the account's database, + 22
// random ones + 8 of a tag, all in base62. The tag is an HMAC over everything before it, so that a key that was never
// issued is refused without a lookup, and what an issued one says about its account is true. Only the SHA-256 of a key
// is stored: with 130 random bits a slow hash would protect nothing more.

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** All characters between prefix and tag. */
export const STEM_LENGTH = 30;
export const TAG_LENGTH = 8;

const SECRET_PART = new RegExp(`^[0-9A-Za-z]{${STEM_LENGTH + TAG_LENGTH}}$`);
const TAG_SPACE = BigInt(BASE62.length) ** BigInt(TAG_LENGTH);

const utf8 = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * The tag of a key.
 * @param stem the key without its tag: prefix and random part
 * @param secret one of `KEY_SECRETS`
 * @returns 8 characters of base62
 */
export async function tagOf(stem: string, secret: string): Promise<string> {
  return inBase62(await crypto.subtle.sign('HMAC', await importSecret(secret), utf8.encode(stem)));
}

/**
 * The start of all keys of an account, after their prefix: 8 characters of base62, the first for its database. Pure.
 * @param database its number, below 16: an account stays there for good
 */
export async function accountPartOf(accountId: string, database: number): Promise<string> {
  const name = inBase62(await crypto.subtle.digest('SHA-256', utf8.encode(`account:${accountId}`)));
  return BASE62.charAt(database) + name.slice(1);
}

/** The name of an account's limiter: hashed again, because the platform's operators see object names. */
export function limiterOf(accountPart: string): Promise<string> {
  return hashKey(`account:${accountPart}`);
}

/** What is shown of a key: its last four characters. */
export function hintOf(key: string): string {
  return key.slice(-4);
}

/** The number of the database that a key's account is in. @param accountPart as `accountPartOf` made it */
export function databaseOf(accountPart: string): number {
  return BASE62.indexOf(accountPart.charAt(0));
}

function inBase62(digest: ArrayBuffer): string {
  // 62 ** 8 is below 2 ** 48: from here on numbers are exact.
  let rest = Number(new DataView(digest).getBigUint64(0) % TAG_SPACE);
  let text = '';
  for (let i = 0; i < TAG_LENGTH; i += 1) {
    text += BASE62.charAt(rest % BASE62.length);
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}

/** Whether a key has the live form and a tag made with one of the secrets. It may have been deleted since. */
export async function isIssued(key: string, prefix: string, secrets: readonly string[]): Promise<boolean> {
  if (!key.startsWith(prefix) || !SECRET_PART.test(key.slice(prefix.length))) return false;
  const stem = key.slice(0, -TAG_LENGTH);
  const tag = key.slice(-TAG_LENGTH);
  for (const secret of secrets) if (isSame(await tagOf(stem, secret), tag)) return true;
  return false;
}

/** The stored form of a key: SHA-256 in lower-case hexadecimal. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(key));
  let hex = '';
  for (const byte of new Uint8Array(digest)) hex += HEX[byte];
  return hex;
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
