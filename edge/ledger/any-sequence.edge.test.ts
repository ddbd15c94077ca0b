import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleEdge } from '../local/bundle-edge.ts';
import { startLocalEdge } from '../local/miniflare.ts';
import { newModel, type Model } from '../testing/ledger-model.ts';
import { explain } from '../testing/ledger-order.ts';
import {
  type OperationResult,
  IN_FLIGHT_BOUNDS,
  JUMPS_MS,
  type Operation,
  PRICES,
  type Result,
  resultSchema,
  type State,
  type Step,
} from '../testing/worker/ledger-steps.ts';
import { runs } from '../../schema/testing/fuzz.ts';

// Random sequences against the real D1 inside workerd, compared with a ledger in memory after every step. Two accounts,
// so that a sweep meets both; concurrent operations over a bad connection to D1; a clock that jumps; and the cron's
// chunks interleaved with everything else, so that each may be interrupted anywhere.

const ENTRY = fileURLToPath(new URL('../testing/worker/ledger.ts', import.meta.url));
const DAY_MS = 86_400_000;
const SEQUENCES = runs(100);

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
const less = fc.oneof(few, many).map((credits) => 0 - credits);
const fault = fc.constantFrom('before' as const, 'after' as const, 'none' as const);
const faults = fc.oneof(
  { weight: 3, arbitrary: fc.array(fault, { maxLength: 0 }) },
  { weight: 1, arbitrary: fc.array(fault, { maxLength: 4 }) },
);
const earned = fc.integer({ min: 0, max: 9 });
const several = fc.uniqueArray(fc.tuple(batch, earned), { minLength: 1, maxLength: 4, selector: ([number]) => number });
const maxInFlight = fc.constantFrom(...IN_FLIGHT_BOUNDS);
/** Mostly a chunk of all batches. */
const from = fc.constantFrom(-1, -1, -1, 0, 2);
const through = fc.constantFrom(PRICES.length - 1, PRICES.length - 1, 3);
const anOf = fc.record;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: anOf({ kind: fc.constant('grant'), account, id, credits: fc.oneof(few, many), faults }) },
  {
    weight: 2,
    arbitrary: anOf({ kind: fc.constant('correct'), account, id, credits: fc.oneof(few, less, less), faults }),
  },
  {
    weight: 8,
    arbitrary: anOf({ kind: fc.constant('hold'), batch, key, maxInFlight, faults }),
  },
  { weight: 6, arbitrary: anOf({ kind: fc.constant('settle'), batch, back: earned, faults }) },
  { weight: 3, arbitrary: anOf({ kind: fc.constant('settleTogether'), batches: several, faults }) },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('prove'), account, key, faults }) },
  { weight: 1, arbitrary: anOf({ kind: fc.constant('deleteKey'), account, key }) },
  { weight: 3, arbitrary: anOf({ kind: fc.constant('sweep'), faults }) },
  { weight: 4, arbitrary: anOf({ kind: fc.constant('close'), after: from, through, faults }) },
  { weight: 4, arbitrary: anOf({ kind: fc.constant('audit') }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: anOf({ kind: fc.constant('together'), operations: fc.array(operation, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: anOf({ kind: fc.constant('later'), ms: fc.constantFrom(...JUMPS_MS, JUMPS_MS[2]) }) },
);

const randomSteps = fc.array(step, { minLength: 1, maxLength: 12, size: 'max' });

/** Credits to spend, so that not every hold meets an empty account. */
const START: Step = {
  kind: 'together',
  operations: [0, 1].map((number) => ({ kind: 'grant', account: number, id: -1, credits: 20, faults: [] })),
};
/** Something to close, in some sequences: batches that ended over a week ago, and some that were never settled. */
const HISTORY: readonly Step[] = [
  {
    kind: 'together',
    operations: [0, 1, 2, 3].map((number) => ({ kind: 'hold', batch: number, key: 0, maxInFlight: 0, faults: [] })),
  },
  {
    kind: 'together',
    operations: [0, 1, 2].map((number) => ({ kind: 'settle', batch: number, back: number, faults: [] })),
  },
  { kind: 'later', ms: JUMPS_MS[2] },
];

/**
 * The end of every sequence: the sweep returns what was never settled within days, the books are closed within weeks.
 */
const END: readonly Step[] = [
  { kind: 'later', ms: 2 * JUMPS_MS[1] },
  alone({ kind: 'sweep', faults: [] }),
  { kind: 'later', ms: JUMPS_MS[2] },
  alone({ kind: 'closeAll' }),
];
/** A rare case: a purchase that arrives twice, and once more with other credits. */
const TWICE: readonly Step[] = [10, 10, 11].map((credits) =>
  alone({ kind: 'grant', account: 0, id: 0, credits, faults: [] }),
);
const AUDIT: Step = alone({ kind: 'audit' });

function alone(only: Operation): Step {
  return { kind: 'together', operations: [only] };
}

async function carryOut(steps: readonly Step[]): Promise<Result> {
  const answer = await fetch(worker.url, { method: 'POST', body: JSON.stringify(steps) });
  if (!answer.ok) throw new Error(await answer.text());
  return resultSchema.parse(await answer.json());
}

/** What must always hold, independent of the model. */
function checkInvariants(state: State): void {
  for (const { id: name, balance } of state.accounts) {
    const own = [...state.ledger, ...state.sums].filter(([owner]) => owner === name);
    expect(sumOf(own)).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  for (const [name, , credits, closedBy, returned] of state.holds) {
    const found = state.ledger.filter(([, ref]) => ref === name).map(([, , kind, delta]) => [kind, delta]);
    const back = returned === null || returned === 0 ? [] : [['return', returned]];
    expect(found).toEqual([['hold', -credits], ...back]);
    if (closedBy === 'sweep') expect(returned).toBe(credits);
  }
  for (const [, ref, , , day] of state.sums) expect(new Date(day * DAY_MS).toISOString()).toContain(`${ref}T`);
}

function sumOf(rows: State['ledger']): number {
  return rows.reduce((sum, [, , , delta]) => sum + delta, 0);
}

/** The sums of an account's rows by kind and day, for the days before `before`. */
function byDay(state: State, before: number): ReadonlyMap<string, number> {
  const days = new Map<string, number>();
  for (const [owner, , kind, delta, day] of [...state.ledger, ...state.sums])
    if (day < before) days.set(`${owner} ${kind} ${day}`, delta + (days.get(`${owner} ${kind} ${day}`) ?? 0));
  return days;
}

function checkStep(
  before: Model,
  last: State | null,
  taken: Step,
  answers: readonly OperationResult[],
  state: State,
): Model {
  checkInvariants(state);
  // Closing the books does not change past days. (Jumps of the clock are out of scope.)
  if (taken.kind === 'together' && last !== null) expect(byDay(state, last.today)).toEqual(byDay(last, last.today));
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

function resultOf(result: Result, at: number): Result[number] {
  const found = result[at];
  if (found === undefined) throw new Error('A step without a result');
  return found;
}

/** Each of these must have occurred, or the sequences prove less than they claim. */
const MUST_MEET: readonly string[] = [
  'granted',
  'repeated',
  'conflict',
  'corrected',
  'held',
  'unknown_key',
  'too_few_credits',
  'too_many_in_flight',
  'proven',
  'settled',
  'swept',
  'closed',
  'audited',
  'lost',
  'refused',
];

/** A sweep or a closing that found nothing does not count as one. */
function nameOf(answer: OperationResult): string {
  return 'holds' in answer && answer.holds === 0 ? `${answer.kind} none` : answer.kind;
}

it('any sequence of operations leaves the same books as a ledger in memory, after every step', async () => {
  const met = new Map<string, number>();
  let sequences = 0;
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), randomSteps, async (isOld, random) => {
      const begun = [START, ...(isOld ? HISTORY : []), ...random];
      const all = [...begun, ...END];
      const result = await carryOut([...all, AUDIT]);
      let model = newModel();
      let last: State | null = null;
      for (const [at, taken] of all.entries()) {
        const { answers, state } = resultOf(result, at);
        model = checkStep(model, last, taken, answers, state);
        last = state;
        if (at < begun.length)
          for (const answer of answers) met.set(nameOf(answer), (met.get(nameOf(answer)) ?? 0) + 1);
      }
      expect(last?.holds).toEqual([]);
      expect(last?.ledger.filter(([, , kind]) => kind === 'hold' || kind === 'return')).toEqual([]);
      expect(resultOf(result, all.length).answers).toEqual([{ kind: 'audited', wrong: [] }]);
      sequences += 1;
      steps += all.length;
    }),
    { numRuns: SEQUENCES, examples: [[false, [...TWICE]]] },
  );
  const counts = [...met].map(([kind, times]) => `${kind} ${times}`).join(', ');
  process.stdout.write(`ledger: ${sequences} sequences, ${steps} steps, answers: ${counts}\n`);
  expect(MUST_MEET.filter((kind) => !met.has(kind))).toEqual([]);
}, 300_000);
