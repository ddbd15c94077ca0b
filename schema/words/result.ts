import type { FIELDS, Field, FieldName } from './fields.ts';
import type { Open } from './open.ts';
import { trim } from './unseen.ts';

// The type of a result, made from the rows of its fields.

type Kinds = { readonly text: string; readonly flag: boolean; readonly whole: number; readonly texts: string[] };
type Plain<F extends Field> = F extends { readonly words: readonly (infer Word)[] }
  ? Word
  : Kinds[Exclude<F['kind'], 'word'>];
type Opened<F extends Field> = F extends { readonly kind: 'word' } ? Open<Extract<Plain<F>, string>> : Plain<F>;
type OrNull<F extends Field> = F['nullable'] extends true ? null : never;

/** What this version says of an address. */
export type VerificationResult = {
  -readonly [Name in FieldName]: Plain<(typeof FIELDS)[Name]> | OrNull<(typeof FIELDS)[Name]>;
};

/** What any version says of an address, a newer one with words that this one does not know. */
export type OpenResult = {
  -readonly [Name in FieldName]: Opened<(typeof FIELDS)[Name]> | OrNull<(typeof FIELDS)[Name]>;
};

/** The spelling that a result echoes. */
export function spelling(email: string): string {
  return trim(email).toLowerCase();
}

/** No command named the address: time ran out, or its server is in a cool-down. It cost nothing. */
export function isUnprobed({ result, reason, smtp_check, retry_after }: OpenResult): boolean {
  return result === 'unknown' && reason === 'timeout' && !smtp_check && retry_after !== null;
}

/** Whether asking again later may help: the address was deferred. A full mailbox is a result. */
export function isWorthAsking({ reason, retry_after }: OpenResult): boolean {
  return retry_after !== null && reason !== 'mailbox_full';
}

/**
 * The verdict on an entry that is not an address. Nothing was probed and nothing is charged.
 * @param email in the spelling that a result echoes
 * @param meant the address that it seems to be meant as; null if it resembles none
 */
export function notAnAddress(email: string, meant: string | null = null): VerificationResult {
  return {
    email,
    result: 'undeliverable',
    status: 'invalid',
    score: 0,
    catch_all: false,
    reason: 'invalid_syntax',
    retry_after: null,
    smtp_code: null,
    smtp_enhanced_code: null,
    syntax: false,
    mx_found: false,
    smtp_check: false,
    disposable: false,
    role_based: false,
    free_provider: false,
    did_you_mean: meant,
    mx_records: [],
  };
}
