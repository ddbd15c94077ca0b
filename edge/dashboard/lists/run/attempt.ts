import { Speed } from '../../../../schema/list-job/speed.ts';

/** One go at a list: how fast it is, what it waits for, and how it is ended. */
export class Attempt {
  /** Requests in progress are finished. */
  readonly stop = new AbortController();
  /** At once. */
  readonly abort = new AbortController();
  /** Requests that wait until the service has ended an interrupted one. */
  conflicts = 0;
  /** Addresses that are asked again later, and when the first of them is. */
  putOff: { readonly addresses: number; readonly untilMs: number } | null = null;
  /** How many addresses of the list are asked, of a sample; null: all that have no answer. */
  sample: number | null = null;
  readonly speed: Speed;
  readonly #before: number;

  /** @param answered addresses of the list that have an answer already */
  constructor(atMs: number, answered: number) {
    this.speed = new Speed(atMs);
    this.#before = answered;
  }

  /** @param answered addresses of the list that have an answer by now. @param left those that have none */
  note(atMs: number, answered: number, left: number): void {
    const done = answered - this.#before;
    const asked = this.sample === null ? left : this.sample - done;
    this.speed.note(atMs, done, asked - (this.putOff?.addresses ?? 0));
  }
}
