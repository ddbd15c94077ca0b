/** What a labelled reply was judged as, next to what its label allows. */
export type Judged = { readonly expected: string; readonly also: readonly string[]; readonly got: string };

export type OutcomeFigures = {
  readonly outcome: string;
  readonly expected: number;
  readonly judged: number;
  /** Of what was judged so, the share that the label names (strict) or allows (lenient); null if nothing was judged so. */
  readonly precision: { readonly strict: number; readonly lenient: number } | null;
  /** Of what the label names so, the share that was judged so (strict) or as something else that the label allows (lenient). */
  readonly recall: { readonly strict: number; readonly lenient: number } | null;
};

export type Figures = {
  readonly total: number;
  readonly strict: number;
  readonly lenient: number;
  /** Judged no_such_mailbox although the label does not allow it: a living mailbox called invalid. */
  readonly falseDead: number;
  /** Judged accepted or mailbox_full although no label allows it. */
  readonly falseLiving: number;
  readonly outcomes: readonly OutcomeFigures[];
  /** `matrix[expected][got]`, a row per outcome that occurs. */
  readonly matrix: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

export const isStrict = (one: Judged): boolean => one.got === one.expected;
export const isLenient = (one: Judged): boolean => isStrict(one) || one.also.includes(one.got);
export const isFalseDead = (one: Judged): boolean => one.got === 'no_such_mailbox' && !isLenient(one);

export const isFalseLiving = (one: Judged): boolean =>
  (one.got === 'accepted' || one.got === 'mailbox_full') && !isLenient(one);

/** Figures of a classifier over labelled cases, in the order of `outcomes`. Pure. */
export function measure(cases: readonly Judged[], outcomes: readonly string[]): Figures {
  return {
    total: cases.length,
    strict: cases.filter(isStrict).length,
    lenient: cases.filter(isLenient).length,
    falseDead: cases.filter(isFalseDead).length,
    falseLiving: cases.filter(isFalseLiving).length,
    outcomes: outcomes.map((outcome) => measureOutcome(cases, outcome)),
    matrix: Object.fromEntries(outcomes.map((expected) => [expected, countRow(cases, expected, outcomes)])),
  };
}

function measureOutcome(cases: readonly Judged[], outcome: string): OutcomeFigures {
  const expected = cases.filter((one) => one.expected === outcome);
  const judged = cases.filter((one) => one.got === outcome);
  return {
    outcome,
    expected: expected.length,
    judged: judged.length,
    precision: shares(judged),
    recall: shares(expected),
  };
}

function shares(cases: readonly Judged[]): { strict: number; lenient: number } | null {
  if (cases.length === 0) return null;
  return {
    strict: cases.filter(isStrict).length / cases.length,
    lenient: cases.filter(isLenient).length / cases.length,
  };
}

function countRow(cases: readonly Judged[], expected: string, outcomes: readonly string[]): Record<string, number> {
  const row = cases.filter((one) => one.expected === expected);
  return Object.fromEntries(outcomes.map((got) => [got, row.filter((one) => one.got === got).length]));
}
