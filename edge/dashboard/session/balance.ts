import { signal } from '@preact/signals';
import type { PageBalance } from '../../../schema/pages-api.ts';
import { call } from './api.ts';

/** The account's balance as it was read last; null before that. */
export const balance = signal<PageBalance | null>(null);

/** Reads it again. What was known stays if that fails: the views that need it say so themselves. */
export async function refreshBalance(): Promise<void> {
  try {
    balance.value = await call<PageBalance>('GET', 'balance');
  } catch {
    // Shown by the view.
  }
}
