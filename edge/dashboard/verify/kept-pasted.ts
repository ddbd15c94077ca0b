import { effect } from '@preact/signals';
import { view } from '../session/me.ts';
import { bill, isRunning, type Slot, slots, text } from './verification.ts';

// What a paste gave outlives a reload: this tab keeps it until it is closed, for the person and account that it shows.

/** Named anew if the form changes: what an older version kept is not read. */
const PLACE = 'rcpt-pasted-1';

type Kept = {
  readonly view: string;
  readonly text: string;
  readonly slots: readonly Slot[];
  readonly bill: typeof bill.value;
};

let begun: string | null = null;

effect(() => {
  const shown = view.value;
  if (shown === null) return;
  if (begun !== shown) {
    begun = shown;
    bring(shown);
  }
  if (!isRunning.value) keep(shown, slots.value);
});

// A reload in the middle of it: what was answered was paid for.
addEventListener('pagehide', () => {
  if (begun !== null && begun === view.value) keep(begun, slots.value);
});

function bring(shown: string): void {
  const kept = read();
  if (kept?.view !== shown || slots.peek().length > 0) return;
  slots.value = kept.slots;
  bill.value = kept.bill;
  if (text.peek() === '') text.value = kept.text;
}

function read(): Kept | null {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
    return kept;
  } catch {
    return null;
  }
}

function keep(shown: string, results: readonly Slot[]): void {
  try {
    if (results.length === 0) return sessionStorage.removeItem(PLACE);
    const kept: Kept = { view: shown, text: text.peek(), slots: results, bill: bill.peek() };
    sessionStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // No room, or storage is forbidden here: a reload loses it then, as it would anyway.
  }
}
