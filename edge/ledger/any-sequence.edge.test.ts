import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleEdge, startLocalEdge } from '../local/miniflare.ts';
import { newModel, type Model } from '../testing/ledger-model.ts';
import { explain } from '../testing/ledger-order.ts';
import {
  type Answer,
  JUMPS_MS,
  type Operation,
  PRICES,
  type Result,
  resultSchema,
  type State,
  type Step,
} from '../testing/worker/ledger-steps.ts';

// Random sequences against the real D1 inside workerd, held against a ledger in memory after every step. Two accounts,
// so that a sweep meets both; operations at once, with a bad line to D1; and time that jumps.

const ENTRY = fileURLToPath(new URL('../testing/worker/ledger.ts', import.meta.url));
const SEQUENCES = Number(process.env['LEDGER_RUNS'] ?? 1_000);

type Started = Awaited<ReturnType<typeof startLocalEdge>>;
let worker: Started;
beforeAll(async () => {
  worker = await startLocalEdge({ script: await bundleEdge(ENTRY), port: 0, state: null, vars: {}, onLog: () => {} });
});
afterAll(() => worker.mf.dispose());

const account = fc.integer({ min: 0, max: 1 });
const key = fc.integer({ min: 0, max: 1 });
const batch = fc.integer({ min: 0, max: PRICES.length - 1 });
const id = fc.integer({ min: 0, max: 3 });
const few = fc.integer({ min: 1, max: 4 });
const many = fc.integer({ min: 5, max: 60 });
const fault = fc.constantFrom('before' as const, 'after' as const, 'none' as const);
const faults = fc.oneof(
  { weight: 3, arbitrary: fc.array(fault, { maxLength: 0 }) },
  { weight: 1, arbitrary: fc.array(fault, { maxLength: 4 }) },
);
const earned = fc.integer({ min: 0, max: 9 });
const several = fc.uniqueArray(fc.tuple(batch, earned), { minLength: 1, maxLength: 4, selector: ([number]) => number });
const anOf = fc.record;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: anOf({ kind: fc.constant('grant'), account, id, credits: fc.oneof(few, many), faults }) },
  { weight: 2, arbitrary: anOf({ kind: fc.constant('correct'), account, id, credits: fc.oneof(few, many), faults }) },
  {
    weight: 8,
    arbitrary: anOf({ kind: fc.constant('hold'), batch, key, faults }),
  },
  { weight: 6, arbitrary: anOf({ kind: fc.constant('settle'), batch, back: earned, faults }) },
  { weight: 3, arbitrary: anOf({ kind: fc.constant('settleTogether'), batches: several, faults }) },
  { weight: 2, arbitrary: anOf({ kind: fc.constant('disconnect'), batch, faults }) },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('prove'), account, key, faults }) },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('deleteKey'), account, key }) },
  { weight: 3, arbitrary: anOf({ kind: fc.constant('sweep'), faults }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: anOf({ kind: fc.constant('together'), operations: fc.array(operation, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('later'), ms: fc.constantFrom(...JUMPS_MS) }) },
);

/** Something to spend, so that not every hold meets an empty account. */
const START: Step = {
  kind: 'together',
  operations: [0, 1].map((number) => ({ kind: 'grant', account: number, id: -1, credits: 20, faults: [] })),
};
/** However a sequence ends: a day or two later the sweep has returned what nobody settled. */
const END: readonly Step[] = [
  { kind: 'later', ms: 2 * JUMPS_MS[1] },
  { kind: 'together', operations: [{ kind: 'sweep', faults: [] }] },
];

async function carryOut(steps: readonly Step[]): Promise<Result> {
  const answer = await fetch(worker.url, { method: 'POST', body: JSON.stringify(steps) });
  if (!answer.ok) throw new Error(await answer.text());
  return resultSchema.parse(await answer.json());
}

/** What must hold whatever the model says. */
function checkInvariants(state: State): void {
  for (const { id: name, balance } of state.accounts) {
    const rows = state.ledger.filter(([owner]) => owner === name);
    expect(rows.reduce((sum, [, , , delta]) => sum + delta, 0)).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  for (const [name, , credits, closedBy, returned] of state.holds) {
    const rows = state.ledger.filter(([, ref]) => ref === name).map(([, , kind, delta]) => [kind, delta]);
    const back = returned === null || returned === 0 ? [] : [['return', returned]];
    expect(rows).toEqual([['hold', -credits], ...back]);
    if (closedBy === 'sweep') expect(returned).toBe(credits);
  }
}

function checkStep(before: Model, taken: Step, answers: readonly Answer[], state: State): Model {
  checkInvariants(state);
  const operations = taken.kind === 'together' ? taken.operations : [];
  const start = taken.kind === 'later' ? { ...before, now: before.now + taken.ms } : before;
  const after = explain(start, operations, answers, state);
  if (after === null)
    throw new Error(
      `No order of ${JSON.stringify(operations)} after ${JSON.stringify([...before.rows.values()])} ` +
        `explains the answers ${JSON.stringify(answers)} and the state ${JSON.stringify(state)}`,
    );
  return after;
}

/** Every one of these must have been met, or the sequences prove less than they say. */
const MUST_MEET: readonly Answer['kind'][] = [
  'granted',
  'repeated',
  'conflict',
  'corrected',
  'held',
  'unknown_key',
  'too_few_credits',
  'proven',
  'settled',
  'swept',
  'lost',
  'refused',
];

it('any sequence of what may happen to credits leaves what a ledger in memory has, after every step', async () => {
  const met = new Map<Answer['kind'], number>();
  let sequences = 0;
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12, size: 'max' }), async (random) => {
      const all = [START, ...random, ...END];
      const result = await carryOut(all);
      let model = newModel();
      for (const [at, taken] of all.entries()) {
        const { answers, state } = result[at] ?? {
          answers: [],
          state: { accounts: [], ledger: [], holds: [], refunded: [] },
        };
        model = checkStep(model, taken, answers, state);
        for (const { kind } of answers) met.set(kind, (met.get(kind) ?? 0) + 1);
      }
      expect(result.at(-1)?.state.holds.every(([, , , closedBy]) => closedBy !== null)).toBe(true);
      sequences += 1;
      steps += all.length;
    }),
    { numRuns: SEQUENCES },
  );
  const counts = [...met].map(([kind, times]) => `${kind} ${times}`).join(', ');
  process.stdout.write(`ledger: ${sequences} sequences, ${steps} steps, answers: ${counts}\n`);
  expect(MUST_MEET.filter((kind) => !met.has(kind))).toEqual([]);
}, 120_000);
