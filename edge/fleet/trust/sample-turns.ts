import { keepLatest } from '../../../schema/keep-latest.ts';

/** Of one host: answers since the last sample, and the lot that says when the next is due. */
type Turn = { readonly count: number; readonly lot: number };

/** Far more than are enrolled; the one heard of longest ago is forgotten. */
const HOSTS_MAX = 1_000;
/** Samples beyond one in `every`: at once, and for each answer in the long run. */
const EXTRA = { most: 100, each: 0.01 };

/**
 * Which answers of a host are compared: one in `every`, and more of one that has just started or was found wrong: then one in
 * twice as many as agreed with others in a row since. Each turn comes by lot, at twice the distance at most.
 */
export class SampleTurns {
  readonly #every: number;
  readonly #random: () => number;
  readonly #turns = new Map<string, Turn>();
  #extra = EXTRA.most;

  /** @param random uniform in [0, 1) */
  constructor(every: number, random: () => number) {
    this.#every = every;
    this.#random = random;
  }

  /** Counts an answer. @param agreed samples in a row in which others said the same */
  isNext(host: string, agreed: number): boolean {
    const { count, lot } = this.#turns.get(host) ?? { count: 0, lot: this.#random() };
    this.#extra = Math.min(EXTRA.most, this.#extra + EXTRA.each);
    const isDue = (every: number): boolean => count + 1 > lot * (2 * every - 1);
    const isOrdinary = isDue(this.#every);
    const isNext = isOrdinary || (this.#extra >= 1 && isDue(Math.min(this.#every, 1 + 2 * agreed)));
    if (isNext && !isOrdinary) this.#extra -= 1;
    keepLatest(this.#turns, host, isNext ? { count: 0, lot: this.#random() } : { count: count + 1, lot }, HOSTS_MAX);
    return isNext;
  }
}
