import { signal } from '@preact/signals';
import type { PageBalance } from '../../../schema/pages-api.ts';
import { call } from './api.ts';

/** The account's balance as it was read last; null before that. */
export const balance = signal<PageBalance | null>(null);

const PAUSE_MS = 1_000;
const PAUSES = 4;

/** Reads it until nothing is held any more, or for some seconds: a run has ended, and its last credits come back. */
export async function settleBalance(): Promise<void> {
  await refreshBalance();
  for (let pauses = 0; pauses < PAUSES && (balance.value?.held.batches ?? 0) > 0; pauses += 1) {
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
    await refreshBalance();
  }
}

let isLookingAgain = false;

// What another tab, a program or a colleague has spent is read when the reader returns to the page. A tab that is
// selected again fires both events; a window beside another one only the second.
for (const what of ['visibilitychange', 'focus'])
  addEventListener(what, () => {
    if (document.visibilityState === 'visible' && balance.value !== null && !isLookingAgain) void lookAgain();
  });

async function lookAgain(): Promise<void> {
  isLookingAgain = true;
  await refreshBalance();
  isLookingAgain = false;
}

/** Reads it again. What was known stays if that fails: the views that need it say so themselves. */
export async function refreshBalance(): Promise<void> {
  try {
    balance.value = await call<PageBalance>('GET', 'balance');
  } catch {
    // Shown by the view.
  }
}
