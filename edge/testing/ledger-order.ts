import { isDeepStrictEqual } from 'node:util';
import { apply, knownOf, type Model, stateOf } from './ledger-model.ts';
import type { OperationResult, Operation, State } from './worker/ledger-steps.ts';

// Concurrent operations must look as if they had happened one after the other, in some order: this finds it.

/** How often each operation is tried over a bad connection: what the ledger promises its callers. */
const ATTEMPTS: Readonly<Record<Operation['kind'], number>> = {
  grant: 2,
  correct: 2,
  hold: 2,
  prove: 2,
  settle: 4,
  settleTogether: 4,
  sweep: 1,
  deleteKey: 1,
  close: 1,
  closeAll: 1,
  audit: 1,
};

type Run = {
  readonly operation: Operation;
  /** What the caller got. */
  readonly answer: OperationResult;
  /** How many attempts reach D1 without their answer arriving, and whether a last one's does. */
  readonly unheard: number;
  readonly heard: boolean;
};

/** The model after the operations in an order that explains all answers and the state; null if there is none. */
export function explain(
  model: Model,
  operations: readonly Operation[],
  answers: readonly OperationResult[],
  state: State,
): Model | null {
  const runs = operations.map((operation, at): readonly Run[] => {
    const answer = answers[at];
    if (answer === undefined) throw new Error('An operation without an answer');
    return arrivals(operation, answer).map((arrival) => ({ operation, answer, ...arrival }));
  });
  for (const chosen of oneOfEach(runs)) {
    const found = search(model, chosen, state);
    if (found !== null) return found;
  }
  return null;
}

function oneOfEach(runs: ReadonlyArray<readonly Run[]>): ReadonlyArray<readonly Run[]> {
  return runs.reduce<ReadonlyArray<readonly Run[]>>(
    (chosen, variants) => chosen.flatMap((before) => variants.map((run) => [...before, run])),
    [[]],
  );
}

type Arrivals = Pick<Run, 'unheard' | 'heard'>;

/** What may have happened to an operation's attempts. */
function arrivals(operation: Operation, answer: OperationResult): readonly Arrivals[] {
  // A sweep that finds nothing sends nothing that could be lost.
  if (answer.kind === 'swept' && answer.holds === 0) return [{ unheard: 0, heard: true }];
  const faults = 'faults' in operation ? operation.faults : [];
  const attempts = ATTEMPTS[operation.kind];
  const first = trip(faults, attempts);
  if (operation.kind !== 'hold' || !first.heard) return [first];
  // A hold that opened nothing tries again, and asks why, in a second trip.
  const heardAt = faults.findIndex((fault) => fault === 'none');
  const second = trip(heardAt === -1 ? [] : faults.slice(heardAt + 1), attempts);
  const both = { unheard: first.unheard + 1 + second.unheard, heard: second.heard };
  if (answer.kind === 'lost') return [both];
  return second.unheard > 0 ? [first, both] : [first];
}

/** One trip, repeated until its answer arrives or the attempts are used up. */
function trip(faults: readonly string[], most: number): Arrivals {
  const attempts = Array.from({ length: most }, (_, at) => faults[at] ?? 'none');
  const first = attempts.indexOf('none');
  const lost = first === -1 ? attempts : attempts.slice(0, first);
  return { unheard: lost.filter((fault) => fault === 'after').length, heard: first !== -1 };
}

function search(model: Model, runs: readonly Run[], state: State): Model | null {
  if (runs.length === 0) return looksLike(model, state) ? model : null;
  for (const [at, run] of runs.entries()) {
    const next = structuredClone(model);
    const rest = proceed(next, run);
    if (rest === 'impossible') continue;
    const others = runs.filter((_, other) => other !== at);
    const found = search(next, rest === 'over' ? others : [...others, rest], state);
    if (found !== null) return found;
  }
  return null;
}

/** Lets one attempt of a run arrive. */
function proceed(model: Model, run: Run): Run | 'over' | 'impossible' {
  const { operation, answer, unheard, heard } = run;
  if (unheard === 0 && !heard) return answer.kind === 'lost' ? 'over' : 'impossible';
  const given = apply(model, operation);
  // A refusal counts as received even if an answer would be lost: nothing was carried out.
  if (unheard > 0 && given.kind !== 'refused') return { ...run, unheard: unheard - 1 };
  return isDeepStrictEqual(given, answer) ? 'over' : 'impossible';
}

/** Calendar years and the running clock against the model's round ones. */
const TOLERANCE_MS = 2 * 24 * 3_600_000;

function looksLike(model: Model, state: State): boolean {
  const lasts = model.accounts.every(({ expiresAt }, at) => {
    const leftMs = state.accounts[at]?.leftMs ?? 0;
    return expiresAt === -Infinity ? leftMs < 0 : Math.abs(expiresAt - model.now - leftMs) < TOLERANCE_MS;
  });
  return lasts && isDeepStrictEqual(sorted(knownOf(state)), sorted(stateOf(model)));
}

function sorted(state: ReturnType<typeof stateOf>): unknown {
  return Object.entries(state).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).toSorted()]);
}
