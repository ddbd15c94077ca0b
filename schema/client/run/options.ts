import type { Journal } from '../journal/journal.ts';
import type { OtherLine } from '../wire/read-line.ts';

/** How a list is verified. */
export type VerifyOptions = {
  /** Ends the run: requests under way are stopped, and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the run gently: nothing more is asked, requests under way are finished, then the iteration throws its reason. */
  readonly stop?: AbortSignal | undefined;
  /** Results in the order of the list. Those behind a slow one wait. Default false. */
  readonly ordered?: boolean | undefined;
  /**
   * For how many seconds a request may be under way, 1 to 90: an address that is not finished by then is `unknown`, free,
   * and has a `retry_after`. For a sign-up form, where a person waits. Default: as long as the service takes, 90 s.
   */
  readonly waitS?: number | undefined;
  /** Requests under way at once. Default 4. */
  readonly inFlight?: number | undefined;
  /** How many times an address is asked if it was put off (greylisted, deferred, never probed). Default 1. */
  readonly rounds?: number | undefined;
  /** An address that was put off for longer is not asked again. Default 15 minutes. */
  readonly waitAtMostMs?: number | undefined;
  /**
   * Credits that the list may cost: in all runs with its journal together, retries and lost answers included. Default: no
   * limit.
   */
  readonly maxCredits?: number | undefined;
  /**
   * Called with each line of an answer that is neither a result nor the bill: of a kind that a newer service has added.
   * It answers no entry and costs nothing.
   */
  readonly onOtherLine?: ((line: OtherLine) => void) | undefined;
  /**
   * The `Idempotency-Key` of the one request that the list is: 1 to 255 printable characters. Another call with the same
   * list and the same key, within 24 h, also of another process, is charged for nothing twice. For at most 100 entries of
   * an array, one round and no journal. Default: a random one for each request, for its own repetitions.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * A name of the list, 1 to 200 printable characters, best at random: the keys of its requests begin with it, so that all
   * runs with it together are one line on the account's statement. Default: a random one for each run.
   */
  readonly listId?: string | undefined;
  /** Where results survive. */
  readonly journal?: Journal | undefined;
  /** What the journal knows the list by. Default: a hash of an array, nothing for a stream. */
  readonly fingerprint?: string | undefined;
};

export type Settled = {
  readonly ordered: boolean;
  readonly inFlight: number;
  /** Null: as long as it takes. */
  readonly waitS: number | null;
  readonly rounds: number;
  readonly waitAtMostMs: number;
  readonly maxCredits: number;
  readonly onOtherLine: (line: OtherLine) => void;
  readonly idempotencyKey: string | null;
  readonly listId: string;
};

const VERIFY_OPTIONS = [
  'signal',
  'stop',
  'ordered',
  'waitS',
  'inFlight',
  'rounds',
  'waitAtMostMs',
  'maxCredits',
  'onOtherLine',
  'idempotencyKey',
  'listId',
  'journal',
  'fingerprint',
] satisfies readonly (keyof VerifyOptions)[];

/** @throws TypeError for what makes no sense */
export function settle(options: VerifyOptions): Settled {
  refuseUnknown(options, VERIFY_OPTIONS);
  return {
    ordered: options.ordered ?? false,
    inFlight: whole('inFlight', options.inFlight ?? 4, 1),
    waitS: options.waitS === undefined ? null : whole('waitS', options.waitS, 1, 90),
    rounds: whole('rounds', options.rounds ?? 1, 1),
    waitAtMostMs: whole('waitAtMostMs', options.waitAtMostMs ?? 900_000, 0),
    onOtherLine: options.onOtherLine ?? (() => {}),
    idempotencyKey:
      options.idempotencyKey === undefined ? null : readKey('idempotencyKey', options.idempotencyKey, 255),
    listId: readKey('listId', options.listId ?? crypto.getRandomValues(new Uint32Array(4)).join(''), LIST_ID_MAX),
    maxCredits: options.maxCredits === undefined ? Infinity : whole('maxCredits', options.maxCredits, 0),
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

/** What is left of a key is for the number of a request. */
const LIST_ID_MAX = 200;
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function readKey(name: string, key: string, lengthMax: number): string {
  if (typeof key === 'string' && key.length <= lengthMax && PRINTABLE.test(key)) return key;
  throw new TypeError(`${name} must be 1 to ${lengthMax} printable ASCII characters, without a space at either end.`);
}
