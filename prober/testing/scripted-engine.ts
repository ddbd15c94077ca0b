import type { Evidence, Outcome } from '../../schema/evidence.ts';
import { seen } from '../../schema/testing/evidence.ts';
import type { Engine, ProbeBatch } from '../engine/batch.ts';
import type { Recipient } from '../engine/ports/ports.ts';

/** An engine whose batches the test answers itself. */
export class ScriptedEngine implements Engine {
  readonly batches: Array<ProbeBatch & { readonly end: () => void }> = [];
  #arrived: Array<() => void> = [];
  readonly #answer: ((batch: ProbeBatch) => void) | null;

  /** @param answer reports results, after which the batch ends; null leaves that to the test */
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

  endIdle(): void {}

  cooling(): number {
    return 0;
  }

  /** ProbeBatch number `n`, as soon as it is here. */
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

export type AnsweringEngine = Engine & {
  /** Batches as received: their recipients. */
  readonly batches: Array<readonly Recipient[]>;
  /** Batches in progress, by domain. */
  readonly running: Set<string>;
  mostAtOnce: number;
};

/**
 * An engine that knows its answers, for one domain at a time. Like the real one it reports each recipient once, and
 * those it did not reach when the signal fires as unprobed.
 * @param answer the outcome, or a promise for it
 */
export function answeringEngine(
  answer: (recipient: Recipient, batch: ProbeBatch) => Outcome | Promise<Outcome>,
): AnsweringEngine {
  const engine: AnsweringEngine = {
    batches: [],
    running: new Set(),
    mostAtOnce: 0,
    endIdle() {},
    cooling: () => 0,
    async probe(batch) {
      const domain = batch.recipients[0]?.domain ?? '';
      if (engine.running.has(domain)) throw new Error('a domain is probed twice at a time');
      engine.running.add(domain);
      engine.batches.push(batch.recipients);
      engine.mostAtOnce = Math.max(engine.mostAtOnce, engine.running.size);
      const ended = new Promise<Outcome>((resolve) => {
        const unprobed = (): void => resolve({ kind: 'unprobed', why: 'deadline', waitS: null });
        if (batch.signal.aborted) unprobed();
        else batch.signal.addEventListener('abort', unprobed, { once: true });
      });
      try {
        for (const [index, recipient] of batch.recipients.entries()) {
          const outcome = await Promise.race([answer(recipient, batch), ended]);
          batch.report(index, { ...seen(outcome), mx: [], mxFound: false });
        }
      } finally {
        engine.running.delete(domain);
      }
    },
  };
  return engine;
}
