import { signal } from '@preact/signals';
import { type Trouble } from '../session/api.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { troubleOfRun } from '../session/run-trouble.ts';
import { refreshBalance } from '../session/balance.ts';
import { view } from '../session/me.ts';

export type Slot = { readonly email: string; readonly result: OpenResult | null };

// What was verified last: it is gone with the tab, which keeps it over a reload (kept-pasted.ts).
export const slots = signal<readonly Slot[]>([]);
export const isRunning = signal(false);
export const trouble = signal<Trouble | null>(null);
export const bill = signal<{ readonly charged: number; readonly returned: number } | null>(null);
/** What is typed. */
export const text = signal('');
let stop = new AbortController();

let verifiedFor: string | null = null;
// After a sign-out the results are still there when the person comes back.
view.subscribe((shown) => {
  if (shown === null || shown === verifiedFor) return;
  if (verifiedFor !== null) forget();
  verifiedFor = shown;
});

/** Ends what is under way, and leaves nothing: not for the next person or account that this page shows either. */
export function forget(): void {
  stop.abort();
  stop = new AbortController();
  slots.value = [];
  isRunning.value = false;
  trouble.value = null;
  bill.value = null;
  text.value = '';
}

/** Verifies these; their results appear in `slots` as they come. Never costs more than one credit for each. */
export async function verify(emails: readonly string[]): Promise<void> {
  stop.abort();
  const mine = (stop = new AbortController());
  const results = emails.map((email): Slot => ({ email, result: null }));
  slots.value = [...results];
  isRunning.value = true;
  trouble.value = null;
  bill.value = null;
  try {
    const { client } = await import('../session/client.ts');
    const run = client.verifyAll(emails, { signal: mine.signal, maxCredits: emails.length });
    let isShown = true;
    for await (const { index, input, result } of run) {
      results[index] = { email: input, result };
      if (!isShown) continue;
      isShown = false;
      // Once a frame is enough, however fast they come.
      requestAnimationFrame(() => {
        isShown = true;
        if (mine === stop) slots.value = [...results];
      });
    }
    if (mine === stop) bill.value = { charged: run.tally.charged, returned: run.tally.returned };
  } catch (error) {
    if (mine === stop && !mine.signal.aborted) trouble.value = troubleOfRun(error);
  } finally {
    if (mine === stop) {
      slots.value = [...results];
      isRunning.value = false;
      void refreshBalance();
    }
  }
}

/** What was not answered yet costs nothing. */
export function cancel(): void {
  stop.abort();
}
