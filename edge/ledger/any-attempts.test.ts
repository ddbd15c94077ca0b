import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SlotIndex } from '../base/indexes.ts';
import { AttemptModel } from '../testing/attempt-model.ts';
import { ALL, AttemptingAccount, endOf, places } from '../testing/attempting-account.ts';
import { settle } from './settle.ts';
import { DROP_OLD_IDEMPOTENCY_KEYS } from './settle-attempt.ts';
import { sweep } from './sweep.ts';
import { runs } from '../../schema/testing/fuzz.ts';

// Random sequences of requests, ends, losses and sweeps, compared with a model in memory.

const MINUTE_MS = 60_000;

type Step =
  | { readonly kind: 'begin'; readonly key: number; readonly body: number; readonly told: number }
  | { readonly kind: 'answer'; readonly nth: number; readonly mask: number; readonly told: number }
  | { readonly kind: 'fail'; readonly nth: number }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'pass'; readonly ms: number };

const SEQUENCES = runs(200);
const FEW = 15;
const BODIES = [ALL, places(1, 4), []] as const;
const anOf = fc.record;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: anOf({
      kind: fc.constant('begin'),
      key: fc.nat({ max: 1 }),
      body: fc.constantFrom(0, 0, 0, 1, 2),
      told: fc.constantFrom(1, 1, 2),
    }),
  },
  {
    weight: 5,
    arbitrary: anOf({
      kind: fc.constant('answer'),
      nth: fc.nat({ max: 3 }),
      mask: fc.nat({ max: 63 }),
      told: fc.constantFrom(1, 2),
    }),
  },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('fail'), nth: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: anOf({ kind: fc.constant('sweep') }) },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('drop') }) },
  {
    weight: 3,
    arbitrary: anOf({
      kind: fc.constant('pass'),
      ms: fc.constantFrom(1_000, 2 * MINUTE_MS, 4 * MINUTE_MS, 7 * 60 * MINUTE_MS),
    }),
  },
);

/** Carries out each step on D1 and on the model. */
class Beside {
  readonly #model = new AttemptModel(FEW);
  readonly #acme = new AttemptingAccount(FEW);
  readonly #begun: Begun[] = [];
  readonly met: Set<string>;

  constructor(met: Set<string>) {
    this.met = met;
  }

  async take(taken: Step): Promise<void> {
    const { db } = this.#acme;
    const { now, pass, rows } = this.#acme.database;
    switch (taken.kind) {
      case 'begin':
        await this.#begin(taken.key, taken.body, taken.told);
        break;
      case 'answer':
        await this.#end(taken.nth, taken.told, (due) => due.filter((place) => (taken.mask >> place) % 2 === 1));
        break;
      case 'fail':
        await this.#end(taken.nth, 1, () => null);
        break;
      case 'sweep':
        await sweep(db);
        this.#model.sweep(now());
        break;
      case 'drop':
        await db.prepare(DROP_OLD_IDEMPOTENCY_KEYS).run();
        this.#model.drop(now());
        break;
      case 'pass':
        pass(taken.ms);
        break;
    }
    expect(this.#acme.balance).toBe(this.#model.balance);
    expect(rows('SELECT sum(delta) AS sum FROM ledger')).toEqual([{ sum: this.#model.balance }]);
  }

  async #begin(number: number, body: number, told: number): Promise<void> {
    const [batchId, key, now] = [this.#acme.nextBatch(), `key-${number}`, this.#acme.database.now()];
    const asked = { body, billable: BODIES[body] ?? [] };
    const { kind, due } = this.#model.expected(key, asked, now);
    if (kind === 'held') this.#model.claim(key, asked, { batchId, due }, now);
    const before = [...(this.#model.keys.get(key)?.charged ?? [])];
    for (let n = 0; n < told; n += 1) {
      const answer = await this.#acme.begin({ batchId, key, body: `body-${body}`, billable: asked.billable });
      expect(answer.kind).toBe(kind);
      if (answer.kind === 'held') expect([answer.credits, answer.charged]).toEqual([due.length, new Set(before)]);
      this.met.add(answer.kind);
    }
    if (kind === 'held') this.#begun.push({ batchId, key, due, before });
  }

  async #end(
    nth: number,
    told: number,
    choose: (due: readonly SlotIndex[]) => readonly SlotIndex[] | null,
  ): Promise<void> {
    const one = this.#begun.at(-1 - nth);
    if (one === undefined) return;
    const { batchId, key, due, before } = one;
    const charged = choose(due);
    const back = charged === null ? ('all' as const) : due.length - charged.length;
    const attempt = endOf(charged === null ? null : [...before, ...charged], key);
    for (let n = 0; n < told; n += 1) await settle(this.#acme.db, [{ batchId, back, attempt }]);
    this.#model.end(batchId, key, charged);
  }
}

type Begun = {
  readonly batchId: string;
  readonly key: string;
  readonly due: readonly SlotIndex[];
  /** What was charged before it. */
  readonly before: readonly SlotIndex[];
};

/** Rare cases: more requests than a key allows, and more than there are credits for. */
const MANY: readonly Step[] = Array.from({ length: 12 }, (_, key) => [
  { kind: 'begin' as const, key: 0, body: 0, told: 1 },
  { kind: 'answer' as const, nth: 0, mask: key % 2, told: 1 },
]).flat();
const DEAR: readonly Step[] = [0, 1, 2].map((key) => ({ kind: 'begin', key, body: 0, told: 2 }));

it('any sequence of requests, ends, losses and sweeps charges an element at most once per key and day', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50, size: 'max' }), async (steps) => {
      const beside = new Beside(met);
      for (const one of steps) await beside.take(one);
    }),
    { numRuns: SEQUENCES, examples: [[[...MANY]], [[...DEAR]]] },
  );
  expect([...met].toSorted()).toEqual(['another_body', 'held', 'in_progress', 'too_few_credits', 'too_many_attempts']);
}, 120_000);
