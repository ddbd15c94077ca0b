import { Rate } from './rate.ts';

/** One go at a list: how fast it is, what it waits for, and how it is ended. */
export class Attempt {
  readonly rate = new Rate();
  /** Requests in progress are finished. */
  readonly stop = new AbortController();
  /** At once. */
  readonly abort = new AbortController();
  /** Requests that wait until the service has ended an interrupted one. */
  conflicts = 0;
  /** Addresses that are asked again later, and when the first of them is. */
  putOff: { readonly addresses: number; readonly untilMs: number } | null = null;
}
