import type { Journal } from '../../../../schema/client/index.ts';
import { explain } from '../../../../schema/words/cases.ts';
import type { Open } from '../../../../schema/words/open.ts';
import { type OpenResult, isWorthAsking } from '../../../../schema/words/result.ts';
import { countStatuses, type StatusCounts } from '../../../../schema/words/status-counts.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';
import { breather } from '../reading/breather.ts';

const UNANSWERED = 0;
const KINDS_MAX = 65_535;

/** A kind of result: what addresses have in common whose results are equal in words. */
export type Kind = {
  readonly status: Open<Status>;
  readonly title: string;
  readonly advice: string;
  /** They were put off, and may be asked again. */
  readonly isWaiting: boolean;
};

/** As many answers are kept whole. */
const WHOLE_MAX = 10;

/** What is known of each address of a list, in two bytes each: which kind of result it has. */
export class ListResults {
  /** Kinds by their number; 0 stands for no answer. */
  readonly kinds: Kind[] = [];
  /** Of a list that is short enough: the whole results, by address. */
  readonly answers: OpenResult[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #kindOf: Uint16Array;
  readonly #counts: number[] = [0];

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

  get counts(): StatusCounts {
    return countStatuses(this.kinds.map(({ status }, index) => [status, this.countOf(index)]));
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

  /** Takes over what earlier runs have learnt. */
  async read(journal: Journal): Promise<void> {
    const breathe = breather();
    for (let index = 0; index < this.size; index += 1) {
      const record = await journal.known(index);
      if (record !== null) this.set(index, record.result);
      await breathe();
    }
  }

  set(index: number, result: OpenResult): void {
    const before = this.#kindOf[index];
    if (before === undefined) return;
    if (this.isShort) this.answers[index] = result;
    const number = this.#numberOf(result);
    this.#kindOf[index] = number;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
  }

  #numberOf(result: OpenResult): number {
    const { status } = result;
    const { title, advice } = explain(result);
    const isWaiting = isWorthAsking(result);
    const name = JSON.stringify([status, title, isWaiting]);
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    // A hundred or so, unless the service makes up words: all beyond the last number are one.
    if (this.kinds.length === KINDS_MAX) return KINDS_MAX;
    this.kinds.push({ status, title, advice, isWaiting });
    this.#counts.push(0);
    this.#numbers.set(name, this.kinds.length);
    return this.kinds.length;
  }
}
