import type { Journal } from '../journal/journal.ts';

/** How a list is verified. */
export type VerifyOptions = {
  /** Ends the run: requests in progress are stopped, and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the run gently: nothing more is asked, requests in progress are finished, then the iteration throws its reason. */
  readonly stop?: AbortSignal | undefined;
  /**
   * How many seconds a request may take, 1 to 90: an address that is not finished by then is `unknown`, free, and has a
   * `retry_after`. For a sign-up form, where a person waits. Default: as long as the service takes, 90 s.
   */
  readonly waitS?: number | undefined;
  /** Requests in progress at once. Default 4. */
  readonly inFlight?: number | undefined;
  /** How many times an address is asked if it was deferred (greylisted, busy, unprobed). Default 1. */
  readonly rounds?: number | undefined;
  /** An address that was deferred for longer is not asked again. Default 15 minutes. */
  readonly waitAtMostMs?: number | undefined;
  /** Credits that the list may cost: in all runs with its journal together, retries included. Default: no limit. */
  readonly maxCredits?: number | undefined;
  /**
   * The `Idempotency-Key` of the list: 1 to 200 printable characters. Another call with the same list and the same key,
   * within 24 h, also of another process, is charged for nothing twice. For at most 100 entries of an array, one round and
   * no journal. If their bytes fill several requests, the second has the key with `-2`, and so on. Default: a random one for
   * each request, for its own repetitions.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * A name of the list, 1 to 200 printable characters, best at random: the keys of its requests begin with it, so that all
   * its runs are one line on the account's statement. Default: a random one for each run.
   */
  readonly listId?: string | undefined;
  /** Where results survive. */
  readonly journal?: Journal | undefined;
};

/** The options of a run, checked, with their defaults. `waitS` null: as long as it takes. */
export type Settled = ReturnType<typeof settle>;

const NAMES = [
  'signal',
  'stop',
  'waitS',
  'inFlight',
  'rounds',
  'waitAtMostMs',
  'maxCredits',
  'idempotencyKey',
  'listId',
  'journal',
] satisfies readonly (keyof VerifyOptions)[];

/** @throws TypeError for what makes no sense */
export function settle(options: VerifyOptions) {
  refuseUnknown(options, NAMES);
  const { waitS = null, maxCredits = Infinity, idempotencyKey = null } = options;
  return {
    inFlight: whole('inFlight', options.inFlight ?? 4, 1),
    waitS: waitS === null ? null : whole('waitS', waitS, 1, 90),
    rounds: whole('rounds', options.rounds ?? 1, 1),
    waitAtMostMs: whole('waitAtMostMs', options.waitAtMostMs ?? 900_000, 0),
    maxCredits: maxCredits === Infinity ? Infinity : whole('maxCredits', maxCredits, 0),
    idempotencyKey: idempotencyKey === null ? null : readName('idempotencyKey', idempotencyKey),
    listId: readName('listId', options.listId ?? crypto.getRandomValues(new Uint32Array(4)).join('')),
  };
}

/** A misspelt `maxCredits` would be no ceiling at all. @throws TypeError */
export function refuseUnknown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`Unknown option ${unknown}: there are ${known.join(', ')}.`);
}

/** @throws TypeError */
export function whole(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} is ${String(value)}: it must be a whole number from ${least} to ${most}.`);
}

/** Of a key's 255 characters; the rest is for the number of the request. */
const PRINTABLE = /^(?! )[\x20-\x7e]{1,200}(?<! )$/;

function readName(name: string, text: string): string {
  if (typeof text === 'string' && PRINTABLE.test(text)) return text;
  throw new TypeError(`${name} must be 1 to 200 printable ASCII characters, without a space at either end.`);
}
