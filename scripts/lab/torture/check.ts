import type { Books } from './books.ts';
import { describeGrowth, type Series } from './growth.ts';
import { isRefused } from './lists.ts';
import type { LoadFigures } from './load.ts';
import { type Upheaval, UPHEAVALS, type UpheavalName } from './upheavals.ts';

// What callers, mail servers and ledgers saw of a run, side by side: everybody has one true answer, and paid for it once.

export type Report = {
  readonly upheaval: UpheavalName;
  /** Lists that were answered, and calls before that broke off or ended with 500. */
  readonly answered: number;
  readonly brokenOff: number;
  readonly failed: number;
  /** Addresses whose time ran out. */
  readonly timedOut: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Mailboxes by how often mail servers were asked about them: the first never, the next once, … */
  readonly askedTimes: readonly number[];
  readonly books: Pick<Books, 'batches' | 'held' | 'charged' | 'exact' | 'free' | 'returned' | 'paidBefore'>;
  /** Of a long run. */
  readonly growth: readonly Series[];
  /** What must not be; empty: all held. */
  readonly faults: readonly string[];
};

const FAULTS_SHOWN = 10;

export type Seen = {
  readonly load: LoadFigures;
  /** By address: how many RCPTs named it. */
  readonly askings: ReadonlyMap<string, number>;
  readonly books: Books;
  readonly growth: readonly Series[];
};

/** Goes through what everybody saw. */
export function check(upheaval: UpheavalName, { load, askings, books: all, growth }: Seen): Report {
  const { faults, ...books } = all;
  const tookMs = load.asked.map((asked) => asked.tookMs).toSorted((a, b) => a - b);
  const share = (part: number): number => Math.round(tookMs[Math.floor(tookMs.length * part)] ?? 0);
  return {
    upheaval,
    answered: load.asked.length,
    brokenOff: load.brokenOff,
    failed: load.failed.size,
    timedOut: load.timedOut,
    p50Ms: share(0.5),
    p99Ms: share(0.99),
    askedTimes: countAskings(load, askings),
    books,
    growth,
    faults: [
      ...firstOf(load.faults),
      ...firstOf(faultsOfAskings(UPHEAVALS[upheaval], load, askings)),
      ...firstOf(faults),
      ...describeGrowth(growth).faults,
    ],
  };
}

const mailboxesOf = (emails: readonly string[]): readonly string[] => [
  ...new Set(emails.filter((email) => email.includes('@') && !isRefused(email))),
];

function countAskings({ asked }: LoadFigures, askings: Seen['askings']): readonly number[] {
  const counts: number[] = [];
  for (const email of asked.flatMap(({ emails }) => mailboxesOf(emails))) {
    const times = askings.get(email) ?? 0;
    counts[times] = (counts[times] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

function faultsOfAskings(
  { askedMost, breaksCalls = false }: Upheaval,
  { asked, brokenOff }: LoadFigures,
  askings: Seen['askings'],
): readonly string[] {
  const tooOften = asked.flatMap(({ emails, calls }) =>
    mailboxesOf(emails)
      .map((email) => askings.get(email) ?? 0)
      .filter((times) => times > calls * askedMost)
      .map((times) => `an address was asked about ${times} times in ${calls} calls`),
  );
  return [...tooOften, ...(brokenOff > 0 && !breaksCalls ? [`${brokenOff} calls broke off`] : [])];
}

/** The first of them stand for all. */
function firstOf(faults: readonly string[]): readonly string[] {
  const rest = faults.length - FAULTS_SHOWN;
  return rest <= 0 ? faults : [...faults.slice(0, FAULTS_SHOWN), `and ${rest} more of these`];
}
