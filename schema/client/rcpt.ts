import { SYSTEM_CLOCK, type Clock } from './base/clock.ts';
import type { Attempt, Means } from './wire/service.ts';
import { readCredits } from './wire/credits.ts';
import { withoutEndSlashes } from './base/end-slashes.ts';
import { RcptError } from './base/errors.ts';
import { refuseUnknown, whole, type VerifyOptions } from './run/options.ts';
import { Pace } from './wire/pace.ts';
import type { OpenResult } from '../words/result.ts';
import type { List, Listed } from './list/source.ts';
import { Verification } from './run/verification.ts';

export type RcptOptions = {
  /** `svc_live_…` */
  readonly apiKey: string;
  /** Where the service is, such as `https://verify.example.com`. */
  readonly baseURL: string;
  /** For one request with its whole answer. Default 100 s: the service takes 90 s at most. */
  readonly timeoutMs?: number | undefined;
  /** How often in a row a request may fail before the run does. Default 5. */
  readonly maxRetries?: number | undefined;
  /** Default: the runtime's. */
  readonly fetch?: typeof fetch | undefined;
  /** Told of each request once it has ended: for your log. What it throws is ignored. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Default: the runtime's; for tests. */
  readonly clock?: Clock | undefined;
};

/** More than a timer of 32 bits can wait would be no time at all. */
const TIMEOUT_MOST_MS = 86_400_000;
/** No white space, so that nothing can be read into a header. */
const API_KEY = /^[\x21-\x7e]+$/;

/** A client of the service. All that it verifies shares the key's rate limit. */
export class Rcpt {
  readonly #means: Means;
  #lastResponse: Attempt | null = null;

  /** @throws TypeError for options that make no sense */
  constructor(options: RcptOptions) {
    refuseUnknown(options, ['apiKey', 'baseURL', 'timeoutMs', 'maxRetries', 'fetch', 'onAttempt', 'clock']);
    const { apiKey, baseURL, clock = SYSTEM_CLOCK } = options;
    if (typeof apiKey !== 'string' || !API_KEY.test(apiKey))
      throw new TypeError('apiKey is missing or contains invalid characters.');
    const service = {
      apiKey,
      clock,
      baseURL: readBase(baseURL),
      timeoutMs: whole('timeoutMs', options.timeoutMs ?? 100_000, 1, TIMEOUT_MOST_MS),
      // Called as a plain function, as browsers and Workers want it.
      fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
      onAttempt: (attempt: Attempt): void => this.#note(attempt, options.onAttempt),
    };
    this.#means = { service, pace: new Pace(clock), maxRetries: whole('maxRetries', options.maxRetries ?? 5, 0) };
  }

  /** The latest request that got a response; null before the first. */
  get lastResponse(): Attempt | null {
    return this.#lastResponse;
  }

  #note(attempt: Attempt, tell: RcptOptions['onAttempt']): void {
    if (attempt.status !== null) this.#lastResponse = attempt;
    try {
      tell?.(attempt);
    } catch {
      // A log that fails must not cost a result that was paid for.
    }
  }

  /**
   * Verifies a list that fits into memory.
   * @returns one result for each entry, in their order
   * @throws TypeError for what makes no sense; RcptError with what is known in `results`; the signal's reason
   */
  async verify(list: readonly Listed[], options: VerifyOptions = {}): Promise<OpenResult[]> {
    const verification = this.verifyAll(list, options);
    const results = Array.from(list, (): OpenResult | null => null);
    try {
      for await (const { index, result } of verification) results[index] = result;
    } catch (error) {
      throw error instanceof RcptError ? error.with({ results }) : error;
    }
    return results.flatMap((result) => result ?? []);
  }

  /**
   * Verifies a list of any length in constant memory. Results come as they are known, each with what stood in the list.
   * If something goes wrong, everything that is known comes first, and then the error. Leaving the loop stops the run.
   *
   * @param list addresses, or objects with an `email`. In an array every address is asked once, wherever it stands; of
   * a stream those in one request
   * @throws TypeError for options that make no sense
   */
  verifyAll<Input extends Listed>(list: List<Input>, options: VerifyOptions = {}): Verification<Input> {
    return new Verification(this.#means, list, options);
  }

  /** @throws TypeError, RcptError; the signal's reason */
  async credits(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<number> {
    refuseUnknown(options, ['signal']);
    return readCredits(this.#means, options.signal ?? null);
  }
}

/** @throws TypeError */
function readBase(text: string): string {
  try {
    const { protocol, origin, pathname } = new URL(text);
    if (protocol === 'https:' || protocol === 'http:') return `${origin}${withoutEndSlashes(pathname)}`;
  } catch {
    // Reported below.
  }
  throw new TypeError(`baseURL is ${JSON.stringify(text)}: it must be like "https://verify.example.com".`);
}
