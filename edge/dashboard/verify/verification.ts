import { signal } from '@preact/signals';
import { Trouble } from '../session/api.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { Patience } from '../session/patience.ts';
import { troubleOfRun } from '../session/run-trouble.ts';
import { refreshBalance, settleBalance } from '../session/balance.ts';
import { view } from '../session/me.ts';

export type Slot = { readonly email: string; readonly result: OpenResult | null };

// What was verified last: it is gone with the tab, which keeps it over a reload (kept-pasted.ts).
export const slots = signal<readonly Slot[]>([]);
export const isRunning = signal(false);
export const isStopping = signal(false);
export const trouble = signal<Trouble | null>(null);
export const bill = signal<{ readonly charged: number; readonly returned: number } | null>(null);
/** Of the one run that there is at a time. */
export const patience = new Patience();
/** What is typed. */
export const text = signal('');
let gently = new AbortController();
let latest = new AbortController();

let verifiedFor: string | null = null;
// After a sign-out the results are still there when the person comes back.
view.subscribe((shown) => {
  if (shown === null || shown === verifiedFor) return;
  if (verifiedFor !== null) forget();
  verifiedFor = shown;
});

/** Ends what is under way, and leaves nothing: not for the next person or account that this page shows either. */
export function forget(): void {
  latest.abort();
  latest = new AbortController();
  slots.value = [];
  isRunning.value = false;
  trouble.value = null;
  bill.value = null;
  text.value = '';
}

/** Verifies these; their results appear in `slots` as they come. Never costs more than one credit for each. */
export async function verify(emails: readonly string[]): Promise<void> {
  latest.abort();
  const mine = (latest = new AbortController());
  gently = new AbortController();
  const results = emails.map((email): Slot => ({ email, result: null }));
  slots.value = [...results];
  isRunning.value = true;
  isStopping.value = false;
  trouble.value = null;
  bill.value = null;
  let isShown = true;
  try {
    const { runUntilServed } = await import('./run-until-served.ts').catch(() => {
      throw new Trouble('This page could not be loaded completely.');
    });
    await runUntilServed(
      emails,
      { signal: mine.signal, stop: gently.signal, patience },
      {
        onResult: (index, email, result) => {
          results[index] = { email, result };
          if (!isShown) return;
          isShown = false;
          // Once a frame is enough, however fast they come.
          requestAnimationFrame(() => {
            isShown = true;
            if (mine === latest) slots.value = [...results];
          });
        },
        onBill: (known) => {
          if (mine === latest) bill.value = known;
        },
      },
    );
  } catch (error) {
    const known = troubleOfRun(error);
    if (known.status === 402) await refreshBalance();
    if (mine === latest) trouble.value = known;
  } finally {
    if (mine === latest) {
      slots.value = [...results];
      isRunning.value = false;
      isStopping.value = false;
      void settleBalance();
    }
  }
}

/** Requests in progress are finished: they are paid for. */
export function cancel(): void {
  isStopping.value = true;
  gently.abort();
}
