import { client, memoryJournal } from '../session/client.ts';
import type { Patience } from '../session/patience.ts';
import { isPassing } from '../session/run-trouble.ts';
import { noteAnswer } from '../session/service-state.ts';
import type { OpenResult } from '../../../schema/words/result.ts';

type Waits = { readonly signal: AbortSignal; readonly stop: AbortSignal; readonly patience: Patience };
type Listener = {
  readonly onResult: (index: number, email: string, result: OpenResult) => void;
  /** What it has cost so far. */
  readonly onBill: (bill: { readonly charged: number; readonly returned: number }) => void;
};

/** While the service cannot verify it is tried again. @throws what is for the reader to mend */
export async function runUntilServed(
  emails: readonly string[],
  { signal, stop, patience }: Waits,
  { onResult, onBill }: Listener,
): Promise<void> {
  // By it the next try repeats what was cut off, and pays for nothing twice.
  const journal = memoryJournal();
  const listId = crypto.getRandomValues(new Uint32Array(4)).join('');
  patience.reset();
  while (!signal.aborted && !stop.aborted) {
    const run = client.verifyAll(emails, { signal, stop, maxCredits: emails.length, journal, listId });
    try {
      for await (const { index, input, result } of run) onResult(index, input, result);
      return;
    } catch (error) {
      if (signal.aborted || stop.aborted) return;
      if (!isPassing(error)) throw error;
      noteAnswer(null);
      await patience.wait(AbortSignal.any([signal, stop]));
    } finally {
      onBill({ charged: run.tally.charged, returned: run.tally.returned });
    }
  }
}
