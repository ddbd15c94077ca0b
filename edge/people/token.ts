import { hashKey } from '../access/key.ts';
import { randomBase62 } from '../access/mint.ts';

// Sessions, mailed links and challenges are random bearer tokens. D1 has only their SHA-256.

/** 256 bits. */
export const TOKEN_LENGTH = 43;

export function newToken(): string {
  return randomBase62(TOKEN_LENGTH);
}

/** The stored form of a token. */
export function hashToken(token: string): Promise<string> {
  return hashKey(token);
}

const ID_LENGTH = 16;

/** An id for something that we create: it grants no access. */
export function newId(kind: 'per' | 'ses' | 'inv' | 'key' | 'ord'): string {
  return `${kind}_${randomBase62(ID_LENGTH)}`;
}

/** Accounts have lower-case ids. */
export function newAccountId(): string {
  return `acc_${crypto.randomUUID().replaceAll('-', '').slice(0, ID_LENGTH)}`;
}
