import type { Outcome } from '../../../schema/evidence.ts';
import { further, type RecipientProbe } from '../recipients/recipient-probe.ts';

type Dead = Extract<Outcome, { kind: 'no_such_mailbox' }>;

/** Recipients that tests have shown dead, kept back for as long as a later test may contradict. */
export class KeptBack {
  /** Null once one of the tests took all back. */
  #shown: { readonly recipient: RecipientProbe; readonly outcome: Dead }[] | null = [];

  /** Keeps one back; if all were taken back before, it stays open. */
  add(recipient: RecipientProbe, outcome: Dead): void {
    recipient.best = further(recipient.best, { kind: 'unexpected_code', reply: outcome.reply });
    if (this.#shown === null) return;
    recipient.state = 'held';
    this.#shown.push({ recipient, outcome });
  }

  /** A test contradicted: all are open again, and none is shown any more. */
  takeBack(): void {
    for (const { recipient } of this.#shown ?? []) recipient.state = 'open';
    this.#shown = null;
  }

  /** No test follows. */
  settle(report: (recipient: RecipientProbe, outcome: Outcome) => void): void {
    for (const { recipient, outcome } of this.#shown ?? []) report(recipient, outcome);
  }
}
