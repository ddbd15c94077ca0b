import {
  accountId,
  accountOfBatch,
  ACCOUNTS,
  addressesOf,
  type OperationResult,
  batchId,
  HOLDS_KEPT_MS,
  lastsMsOf,
  type Operation,
  priceOf,
  type State,
} from './worker/ledger-steps.ts';

// The ledger as it should be: a few lists in memory, one thing after the other. D1 is compared with it.

type Account = { balance: number; expiresAt: number; keys: boolean[] };
type Hold = {
  account: number;
  credits: number;
  expiresAt: number;
  closedBy: string | null;
  closedAt: number;
  returned: number | null;
};
export type Model = {
  now: number;
  accounts: Account[];
  /** By account, reference and kind. */
  rows: Map<string, readonly [account: string, ref: string, kind: string, delta: number]>;
  /** The sums of merged rows, by account and kind. */
  sums: Map<string, readonly [account: string, kind: string, delta: number]>;
  holds: Map<number, Hold>;
  /** Batches returned in full, by account. */
  refunded: number[];
};

const YEAR_MS = 365 * 24 * 3_600_000;

export function newModel(): Model {
  return {
    now: 0,
    accounts: Array.from({ length: ACCOUNTS }, () => ({ balance: 0, expiresAt: -Infinity, keys: [true, true] })),
    rows: new Map(),
    sums: new Map(),
    holds: new Map(),
    refunded: Array.from({ length: ACCOUNTS }, () => 0),
  };
}

/** Carries out an operation, once and undisturbed. */
export function apply(model: Model, operation: Operation): OperationResult {
  switch (operation.kind) {
    case 'grant':
      return grant(model, operation.account, `id-${operation.id}`, operation.credits);
    case 'correct':
      return correct(model, operation.account, `id-${operation.id}`, operation.credits);
    case 'hold':
      return hold(model, operation.batch, operation.key, operation.maxInFlight);
    case 'settle':
      return settle(model, [[operation.batch, operation.back]]);
    case 'settleTogether':
      return settle(model, operation.batches);
    case 'prove': {
      const account = accountOf(model, operation.account);
      if (account.keys[operation.key] !== true) return { kind: 'unknown_key' };
      return { kind: 'proven', accountId: accountId(operation.account), remaining: spendable(model, account) };
    }
    case 'deleteKey':
      accountOf(model, operation.account).keys[operation.key] = false;
      return { kind: 'done' };
    case 'sweep':
      return sweep(model);
    case 'close':
      return closeBooks(model, operation.after, operation.through);
    case 'closeAll':
      return closeBooks(model, -1, Infinity);
    case 'audit':
      return { kind: 'audited', wrong: [] };
  }
}

function grant(model: Model, number: number, ref: string, credits: number): OperationResult {
  const account = accountOf(model, number);
  const booked = bookedAs(model, number, ref);
  if (booked !== undefined && (booked !== credits || rowOf(model, number, ref, 'purchase') === undefined))
    return { kind: 'conflict', credits: booked };
  if (booked === undefined) {
    if (account.expiresAt <= model.now && account.balance > 0) write(model, number, ref, 'expiry', -account.balance);
    write(model, number, ref, 'purchase', credits);
    account.expiresAt = Math.max(account.expiresAt, model.now + YEAR_MS);
  }
  const writtenOff = 0 - (rowOf(model, number, ref, 'expiry') ?? 0);
  return { kind: booked === undefined ? 'granted' : 'repeated', balance: account.balance, writtenOff };
}

function correct(model: Model, number: number, ref: string, credits: number): OperationResult {
  const account = accountOf(model, number);
  const booked = bookedAs(model, number, ref);
  if (booked === credits && rowOf(model, number, ref, 'correction') !== undefined)
    return { kind: 'repeated', balance: account.balance };
  if (booked !== undefined) return { kind: 'conflict', credits: booked };
  if (account.balance + credits < 0) return { kind: 'too_few_credits', balance: account.balance };
  write(model, number, ref, 'correction', credits);
  return { kind: 'corrected', balance: account.balance };
}

function hold(model: Model, batch: number, key: number, maxInFlight: number): OperationResult {
  const number = accountOfBatch(batch);
  const account = accountOf(model, number);
  if (account.keys[key] !== true) return { kind: 'unknown_key' };
  if (!model.holds.has(batch)) {
    const credits = priceOf(batch);
    const remaining = spendable(model, account);
    const inFlight = inFlightOf(model, number);
    if (maxInFlight > 0 && inFlight + addressesOf(batch) > maxInFlight) return { kind: 'too_many_in_flight', inFlight };
    if (remaining < credits) return { kind: 'too_few_credits', remaining };
    const expiresAt = model.now + lastsMsOf(batch);
    model.holds.set(batch, { account: number, credits, expiresAt, closedBy: null, closedAt: NaN, returned: null });
    write(model, number, batchId(batch), 'hold', -credits);
  }
  return { kind: 'held', accountId: accountId(number) };
}

/** All of them or, if one violates the rules, none. */
function settle(model: Model, batches: ReadonlyArray<readonly [batch: number, back: number]>): OperationResult {
  const open = batches.flatMap(([batch, back]) => {
    const found = model.holds.get(batch);
    return found === undefined || found.closedBy !== null ? [] : [{ batch, back, found }];
  });
  if (open.some(({ back, found }) => back > found.credits)) return { kind: 'refused' };
  for (const { batch, back, found } of open) close(model, batch, found, 'settle', back);
  return { kind: 'settled', now: open.map(({ batch }) => batchId(batch)).toSorted() };
}

function sweep(model: Model): OperationResult {
  let holds = 0;
  for (const [batch, open] of model.holds) {
    if (open.closedBy !== null || open.expiresAt >= model.now) continue;
    close(model, batch, open, 'sweep', open.credits);
    holds += 1;
  }
  return { kind: 'swept', holds };
}

function close(model: Model, batch: number, open: Hold, by: string, returned: number): void {
  open.closedBy = by;
  open.closedAt = model.now;
  open.returned = returned;
  if (returned > 0) write(model, open.account, batchId(batch), 'return', returned);
  if (returned === open.credits) model.refunded[open.account] = (model.refunded[open.account] ?? 0) + 1;
}

/** Deletes closed holds of the batches after one and up to another, once kept long enough, with their rows. */
function closeBooks(model: Model, after: number, through: number): OperationResult {
  let holds = 0;
  for (const [batch, old] of model.holds) {
    if (batch <= after || batch > through || old.closedBy === null) continue;
    if (old.closedAt >= model.now - HOLDS_KEPT_MS) continue;
    model.holds.delete(batch);
    holds += 1;
    for (const [key, [account, ref, kind, delta]] of model.rows) {
      if (ref !== batchId(batch)) continue;
      model.rows.delete(key);
      const name = `${account} ${kind}`;
      model.sums.set(name, [account, kind, delta + (model.sums.get(name)?.[2] ?? 0)]);
    }
  }
  return { kind: 'closed', holds };
}

function inFlightOf(model: Model, number: number): number {
  const open = [...model.holds].filter(([, { account, closedBy }]) => account === number && closedBy === null);
  return open.reduce((sum, [batch]) => sum + addressesOf(batch), 0);
}

function write(model: Model, number: number, ref: string, kind: string, delta: number): void {
  model.rows.set(`${number} ${ref} ${kind}`, [accountId(number), ref, kind, delta]);
  accountOf(model, number).balance += delta;
}

function rowOf(model: Model, number: number, ref: string, kind: string): number | undefined {
  return model.rows.get(`${number} ${ref} ${kind}`)?.[3];
}

/** One id stands for one change, of either sign. */
function bookedAs(model: Model, number: number, ref: string): number | undefined {
  return rowOf(model, number, ref, 'purchase') ?? rowOf(model, number, ref, 'correction');
}

function accountOf(model: Model, number: number): Account {
  const account = model.accounts[number];
  if (account === undefined) throw new Error('No such account');
  return account;
}

function spendable(model: Model, account: Account): number {
  return account.expiresAt > model.now ? account.balance : 0;
}

/**
 * The part of D1's state that the model knows: not expiries (see `leftMs`), the days of rows, or what is checked
 * elsewhere.
 */
export function stateOf(model: Model): Record<string, readonly unknown[]> {
  return {
    accounts: model.accounts.map((account, number) => [accountId(number), account.balance, spendable(model, account)]),
    ledger: [...model.rows.values()],
    sums: [...model.sums.values()],
    holds: [...model.holds].map(([batch, { account, credits, closedBy, returned }]) => [
      batchId(batch),
      accountId(account),
      credits,
      closedBy,
      returned,
    ]),
    refunded: model.refunded.flatMap((batches, number) => (batches === 0 ? [] : [[accountId(number), batches]])),
  };
}

/** The same part of D1's state. */
export function knownOf(state: State): ReturnType<typeof stateOf> {
  const sums = new Map<string, readonly [string, string, number]>();
  for (const [account, , kind, delta] of state.sums) {
    const name = `${account} ${kind}`;
    sums.set(name, [account, kind, delta + (sums.get(name)?.[2] ?? 0)]);
  }
  return {
    accounts: state.accounts.map(({ id, balance, credits }) => [id, balance, credits]),
    ledger: state.ledger.map(([account, ref, kind, delta]) => [account, ref, kind, delta]),
    sums: [...sums.values()],
    holds: state.holds,
    refunded: state.refunded,
  };
}
