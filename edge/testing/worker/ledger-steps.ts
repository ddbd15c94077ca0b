import * as z from 'zod';

// What the property test of the ledger asks of the Worker, and what it gets back: the protocol between the two.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long closed holds are kept. */
export const HOLDS_KEPT_MS = 7 * DAY_MS;

/** Accounts, with two keys each; batch number b belongs to account b % 2. */
export const ACCOUNTS = 2;
/** The price of each batch, by its number. */
export const PRICES = [1, 2, 3, 5, 8, 13] as const;
/** The number of addresses that it probes. */
const ADDRESSES = [1, 1, 2, 4, 5, 9] as const;
/** Limits on the addresses in flight: none, and one that three batches exceed together and one by itself. */
export const IN_FLIGHT_BOUNDS = [0, 6] as const;
/**
 * How long holds last, and how far the clock may jump: chosen so that no sequence of jumps ends exactly when something
 * is due.
 */
const LASTS_MS = [HOUR_MS, 50 * HOUR_MS] as const;
export const JUMPS_MS = [0.7 * HOUR_MS, 30 * HOUR_MS, 8 * DAY_MS, 201 * DAY_MS] as const;

const account = z
  .int()
  .min(0)
  .max(ACCOUNTS - 1);
const batch = z
  .int()
  .min(0)
  .max(PRICES.length - 1);
const key = z.int().min(0).max(1);
const id = z.int();
const credits = z.int();

/** The fate of each attempt of an operation at D1: it arrives, is lost on the way, or its answer is lost. */
const faults = z.array(z.enum(['none', 'before', 'after'])).max(4);

export const operationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('grant'), account, id, credits, faults }),
  z.object({ kind: z.literal('correct'), account, id, credits, faults }),
  z.object({ kind: z.literal('hold'), batch, key, maxInFlight: z.int(), faults }),
  z.object({ kind: z.literal('settle'), batch, back: z.int(), faults }),
  z.object({ kind: z.literal('settleTogether'), batches: z.array(z.tuple([batch, z.int()])), faults }),
  z.object({ kind: z.literal('prove'), account, key, faults }),
  z.object({ kind: z.literal('deleteKey'), account, key }),
  z.object({ kind: z.literal('sweep'), faults }),
  /** One chunk of the closing of the books: batches after one, none at all for -1, and up to another. */
  z.object({ kind: z.literal('close'), after: z.int(), through: batch, faults }),
  /** A turn of the closing, of several chunks. */
  z.object({ kind: z.literal('closeAll') }),
  /** A turn of the audit, of one chunk. */
  z.object({ kind: z.literal('audit') }),
]);
export type Operation = z.infer<typeof operationSchema>;

/** Operations of one step run at once. */
export const stepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('together'), operations: z.array(operationSchema) }),
  z.object({ kind: z.literal('later'), ms: z.int() }),
]);
export type Step = z.infer<typeof stepSchema>;

const operationResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['granted', 'repeated']), balance: z.int(), writtenOff: z.int().optional() }),
  z.object({ kind: z.literal('corrected'), balance: z.int() }),
  z.object({ kind: z.literal('conflict'), credits: z.int() }),
  z.object({ kind: z.literal('held'), accountId: z.string() }),
  z.object({ kind: z.literal('unknown_key') }),
  z.object({ kind: z.literal('too_few_credits'), remaining: z.int().optional(), balance: z.int().optional() }),
  z.object({ kind: z.literal('too_many_in_flight'), inFlight: z.int() }),
  z.object({ kind: z.literal('proven'), accountId: z.string(), remaining: z.int() }),
  /** The batches that this very call closed, in order. */
  z.object({ kind: z.literal('settled'), now: z.array(z.string()) }),
  z.object({ kind: z.literal('swept'), holds: z.int() }),
  z.object({ kind: z.literal('closed'), holds: z.int() }),
  /** The accounts that the audit names. */
  z.object({ kind: z.literal('audited'), wrong: z.array(z.string()) }),
  z.object({ kind: z.literal('done') }),
  /** D1's answer was lost: the operation may have happened. */
  z.object({ kind: z.literal('lost') }),
  /** D1 refused the whole. */
  z.object({ kind: z.literal('refused') }),
]);
export type OperationResult = z.infer<typeof operationResultSchema>;

/** Everything about money in D1, each list in the order of its first columns. */
export const stateSchema = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      balance: z.int(),
      credits: z.int(),
      leftMs: z.number(),
    }),
  ),
  /** Individual rows, each with the day of its time; and sums of a day's rows. */
  ledger: z.array(z.tuple([z.string(), z.string(), z.string(), z.int(), z.int()])),
  sums: z.array(z.tuple([z.string(), z.string(), z.string(), z.int(), z.int()])),
  holds: z.array(z.tuple([z.string(), z.string(), z.int(), z.string().nullable(), z.int().nullable()])),
  refunded: z.array(z.tuple([z.string(), z.int()])),
  /** By D1's clock, in whole days since 1970. */
  today: z.int(),
});
export type State = z.infer<typeof stateSchema>;

export const resultSchema = z.array(z.object({ answers: z.array(operationResultSchema), state: stateSchema }));
export type Result = z.infer<typeof resultSchema>;

export const accountId = (number: number): string => `account-${number}`;
export const batchId = (number: number): string => `batch-${number}`;
export const accountOfBatch = (number: number): number => number % ACCOUNTS;
export const addressesOf = (number: number): number => ADDRESSES[number] ?? 0;
export const priceOf = (number: number): number => PRICES[number] ?? 0;
/** Fixed by the batch: concurrent holds that differed in it could not be told apart. */
export const lastsMsOf = (number: number): number => LASTS_MS[Math.floor(number / ACCOUNTS) % LASTS_MS.length] ?? 0;
