import type { RowResult } from '../lists/columns/result-columns.ts';
import { explain } from '../words/cases.ts';
import type { Open } from '../words/open.ts';
import { isWorthAsking, type OpenResult } from '../words/result.ts';
import { countStatuses, type StatusCounts } from '../words/status-counts.ts';
import type { Status } from '../words/verdicts.ts';
import type { Scan } from './scan.ts';

const UNANSWERED = 0;
const KINDS_MAX = 65_535;

/** A kind of result: what addresses have in common whose results are equal in words. */
export type Kind = {
  readonly status: Open<Status>;
  readonly title: string;
  readonly advice: string;
  /** They were put off, and may be asked again. */
  readonly isWaiting: boolean;
  /** They were asked more than once. */
  readonly isAgain: boolean;
};

/** What is known of a list, in addresses or in rows. */
export type Counts = {
  readonly done: number;
  readonly verdicts: StatusCounts;
  /** Of them, those that were asked more than once. */
  readonly askedAgain: number;
  /** Answers `unknown` that asking later may settle, and the seconds after which the first of them may be asked. */
  readonly putOff: number;
  readonly putOffS: number;
};

/** As many answers are kept whole. */
const WHOLE_MAX = 10;

/** What is known of each address of a list, in two bytes each: which kind of result it has. */
export class Results {
  /** Kinds by their number; 0 stands for no answer. */
  readonly kinds: Kind[] = [];
  /** Of a list that is short enough: the whole results, by address. */
  readonly answers: OpenResult[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #kindOf: Uint16Array;
  readonly #counts: number[] = [0];
  #soonestS = Infinity;

  constructor(addresses: number) {
    this.#kindOf = new Uint16Array(addresses);
    this.#counts[UNANSWERED] = addresses;
  }

  get size(): number {
    return this.#kindOf.length;
  }

  get isShort(): boolean {
    return this.size <= WHOLE_MAX;
  }

  get answered(): number {
    return this.size - this.left;
  }

  /** Addresses without an answer. */
  get left(): number {
    return this.#counts[UNANSWERED] ?? 0;
  }

  /** Addresses that were put off, and may be asked again. */
  get waiting(): number {
    return this.kinds.reduce((sum, { isWaiting }, index) => sum + (isWaiting ? this.countOf(index) : 0), 0);
  }

  /** @param scan of the list whose rows are counted: an address counts in each of them; null: addresses are counted */
  counts(scan: Scan | null = null): Counts {
    const sizes = scan === null ? this.#counts : this.#rowsByKind(scan);
    const sum = (isIn: (kind: Kind) => boolean): number =>
      this.kinds.reduce((all, kind, number) => all + (isIn(kind) ? (sizes[number + 1] ?? 0) : 0), 0);
    const putOff = sum(({ status, isWaiting }) => isWaiting && status === 'unknown');
    return {
      done: sum(() => true),
      verdicts: countStatuses(this.kinds.map(({ status }, number) => [status, sizes[number + 1] ?? 0])),
      askedAgain: sum(({ isAgain }) => isAgain),
      putOff,
      putOffS: putOff === 0 ? 0 : this.#soonestS,
    };
  }

  /** How many addresses have this kind of result. */
  countOf(kind: number): number {
    return this.#counts[kind + 1] ?? 0;
  }

  /** Which kind the address has; null before its answer. */
  kindOf(index: number): number | null {
    const number = this.#kindOf[index] ?? UNANSWERED;
    return number === UNANSWERED ? null : number - 1;
  }

  set(index: number, { result, asked }: RowResult): void {
    const before = this.#kindOf[index];
    if (before === undefined) return;
    if (this.isShort) this.answers[index] = result;
    if (result.status === 'unknown') this.#soonestS = Math.min(this.#soonestS, result.retry_after ?? Infinity);
    const number = this.#numberOf(result, asked > 1);
    this.#kindOf[index] = number;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
  }

  #rowsByKind(scan: Scan): readonly number[] {
    const sizes = this.#counts.map(() => 0);
    for (let row = 0; row < scan.totals.rows; row += 1) {
      const number = this.#kindOf[scan.numberOf(row) ?? -1] ?? UNANSWERED;
      sizes[number] = (sizes[number] ?? 0) + 1;
    }
    return sizes;
  }

  #numberOf(result: OpenResult, isAgain: boolean): number {
    const { status } = result;
    const { title, advice } = explain(result);
    const isWaiting = isWorthAsking(result);
    const name = JSON.stringify([status, title, isWaiting, isAgain]);
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    // A hundred or so, unless the service makes up words: all beyond the last number are one.
    if (this.kinds.length === KINDS_MAX) return KINDS_MAX;
    this.kinds.push({ status, title, advice, isWaiting, isAgain });
    this.#counts.push(0);
    this.#numbers.set(name, this.kinds.length);
    return this.kinds.length;
  }
}
