import type { Evidence } from '../../schema/evidence.ts';
import type { Engine, ProbeBatch } from '../engine/batch.ts';

/** An engine whose batches the test answers itself. */
export class ScriptedEngine implements Engine {
  readonly batches: Array<ProbeBatch & { readonly end: () => void }> = [];
  #arrived: Array<() => void> = [];
  readonly #answer: ((batch: ProbeBatch) => void) | null;

  /** @param answer reports what it likes, after which the batch ends; null leaves that to the test */
  constructor(answer: ((batch: ProbeBatch) => void) | null = null) {
    this.#answer = answer;
  }

  probe(batch: ProbeBatch): Promise<void> {
    return new Promise((resolve) => {
      this.batches.push({ ...batch, end: resolve });
      for (const wake of this.#arrived.splice(0)) wake();
      if (this.#answer === null) batch.signal.addEventListener('abort', () => resolve());
      else {
        this.#answer(batch);
        resolve();
      }
    });
  }

  /** Batch number `n`, as soon as it is here. */
  async batch(n: number): Promise<ProbeBatch & { readonly end: () => void }> {
    for (;;) {
      const batch = this.batches[n];
      if (batch !== undefined) return batch;
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }
}

/** Reports the same for every address. */
export function everyone(evidence: Evidence): (batch: ProbeBatch) => void {
  return (batch) => {
    for (const index of batch.recipients.keys()) batch.report(index, evidence);
  };
}
