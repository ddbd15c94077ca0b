import type { PageKey } from '../../../schema/pages-api.ts';
import { call } from './api.ts';

// The key by which these pages call the public API. It is good for minutes, stays in memory, and is asked for when needed.

/** A key that ends sooner than this is not used for a new request, which may take 90 s. */
const SPARE_MS = 120_000;

let asked: Promise<PageKey> | null = null;

/** @throws Trouble */
export async function pageKey(): Promise<string> {
  let mine = (asked ??= call<PageKey>('POST', 'page-key'));
  const known = await mine.catch(() => null);
  if (known === null || Date.parse(known.expiresAt) - Date.now() < SPARE_MS) {
    if (asked === mine) asked = call<PageKey>('POST', 'page-key');
    mine = asked;
  }
  try {
    return (await mine).key;
  } catch (error) {
    if (asked === mine) asked = null;
    throw error;
  }
}

export function forgetPageKey(): void {
  asked = null;
}
