import type { Engine, ProbeBatch } from '../../prober/engine/batch.ts';
import type { Recipient } from '../../prober/engine/ports/recipient.ts';
import type { Evidence, Outcome } from '../../schema/evidence.ts';

export type ScriptedEngine = Engine & {
  /** Batches as they came: their recipients. */
  readonly batches: Array<readonly Recipient[]>;
  /** Batches under way, by domain. */
  readonly running: Set<string>;
  mostAtOnce: number;
};

/** Evidence with nothing in it but an outcome. */
export function evidenceOf(outcome: Outcome): Evidence {
  return { mx: [], mxFound: false, signals: { disposable: false, free: false, role: false, typoOf: null }, outcome };
}

export const DELIVERABLE: Outcome = {
  kind: 'accepted',
  reply: { code: 250, enhanced: '2.1.5' },
  madeUp: { kind: 'refused' },
};

/**
 * An engine that knows its answers. As the real one it reports each recipient once, and those it did not reach when
 * the signal fires as unprobed.
 * @param answer the outcome, or a promise for it
 */
export function scriptedEngine(
  answer: (recipient: Recipient, batch: ProbeBatch) => Outcome | Promise<Outcome>,
): ScriptedEngine {
  const engine: ScriptedEngine = {
    batches: [],
    running: new Set(),
    mostAtOnce: 0,
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
          batch.report(index, evidenceOf(outcome));
        }
      } finally {
        engine.running.delete(domain);
      }
    },
  };
  return engine;
}
