// What accounts share, and the one rule by which they share it: connections, slots of the fleet, look-ups, an hour's
// unknown recipients, memory of an object, statements of D1. At the edge shares go by class first, then by account; hosts know
// accounts alone.

/** `bought`: has bought credits, or got them from an operator. `free`: everybody else. */
export type AccountClass = 'bought' | 'free';

/** The most of anything that free accounts together may hold while an account that bought wants it. */
export const FREE_PART = 1 / 2;

/** Every resource that accounts share. SECURITY.md, "What accounts share", has a row for each. */
export const SHARED_RESOURCES = [
  'fleet addresses',
  'fleet batches',
  'fleet memory',
  'look-ups',
  'connections',
  'connections to a provider',
  'connections to an address',
  'unknown recipients',
  'links for strangers',
  'invitations',
] as const;
export type SharedResource = (typeof SHARED_RESOURCES)[number];

/** `full`: nobody gets that much now. `share`: another account would; this one, or its class, holds its share. */
export type Lack = 'full' | 'share';

export type Holder = { readonly account: string | number; readonly class: AccountClass };

/** What is held of one resource when an account asks for more. */
export type Held = {
  /** All there is. */
  readonly size: number;
  /** Held by all accounts. */
  readonly total: number;
  /** Of that by the account that asks. */
  readonly own: number;
  /** Of that by all free accounts. */
  readonly ofFree: number;
  /** An account that bought holds some, or waits for some. */
  readonly boughtIsHere: boolean;
};

/**
 * The most that an account may hold of one resource, a piece or more.
 * @param left what the other accounts leave of it
 * @param size all there is
 */
export type Portion = (left: number, size: number) => number;

/** Of what is soon given back, or called back, while others wait for it: half, and the next one finds as much. */
export const halfOf: Portion = (left) => Math.ceil(left / 2);

/**
 * Of what is held until its work is done: half of it if it is empty, and the fuller it is the smaller a part of what is
 * left. If it were always half of that, fifteen accounts would fill 20,000; so n accounts leave 1 / (n + 1) of it or more,
 * down to where each gets a single piece.
 */
export const dwindlingPartOf: Portion = (left, size) => (left * left) / (2 * size);

/**
 * Why an account may not have `amount` more, null if it may:
 *
 * - There is no more than `size`. A request for more than that is granted while nobody holds any.
 * - What an account holds afterwards is no more than its portion of what the others leave.
 * - While an account that bought is here, free accounts share `FREE_PART` of it by the same rule, at least one piece.
 */
export function lackOf(
  held: Held,
  accountClass: AccountClass,
  amount: number,
  portionOf: Portion = halfOf,
): Lack | null {
  const { size, total, own, ofFree, boughtIsHere } = held;
  if (total === 0) return null;
  const left = size - total;
  if (amount > left) return 'full';
  const fits = (isLeft: number, of: number): boolean =>
    own + amount <= Math.min(isLeft, Math.max(1, portionOf(isLeft, of)));
  // What free accounts hold does not make less of what those that bought share.
  if (!fits(left + own, accountClass === 'bought' ? size - ofFree : size)) return 'share';
  if (accountClass === 'bought' || !boughtIsHere) return null;
  const part = Math.max(1, Math.floor(size * FREE_PART));
  return fits(part - ofFree + own, part) ? null : 'share';
}

/**
 * Who holds how much of a resource that nobody waits for: an account is given some at once or refused, and holds it until its
 * work is done. It remembers nobody who holds nothing.
 */
export class SharedRoom {
  readonly resource: SharedResource;
  readonly #held = new Map<Holder['account'], number>();
  #total = 0;
  #ofFree = 0;

  constructor(resource: SharedResource) {
    this.resource = resource;
  }

  /** Held by all accounts together. */
  get total(): number {
    return this.#total;
  }

  /** Accounts that hold some. */
  get accounts(): number {
    return this.#held.size;
  }

  heldBy({ account }: Pick<Holder, 'account'>): number {
    return this.#held.get(account) ?? 0;
  }

  /**
   * @param size all there is; it may change from call to call
   * @param boughtWaits an account that bought waits for some; that one holds some is known here
   * @returns null if the holder may take as much, else why not
   */
  lacks(holder: Holder, amount: number, size: number, boughtWaits = false): Lack | null {
    const [total, ofFree, own] = [this.#total, this.#ofFree, this.heldBy(holder)];
    const held = { size, total, own, ofFree, boughtIsHere: boughtWaits || total > ofFree };
    return lackOf(held, holder.class, amount, dwindlingPartOf);
  }

  take(holder: Holder, amount: number): void {
    this.#change(holder, amount);
  }

  /** @param holder with the class it had when it took this */
  giveBack(holder: Holder, amount: number): void {
    this.#change(holder, -amount);
  }

  #change(holder: Holder, by: number): void {
    this.#total += by;
    if (holder.class === 'free') this.#ofFree += by;
    const own = this.heldBy(holder) + by;
    if (own > 0) this.#held.set(holder.account, own);
    else this.#held.delete(holder.account);
  }
}
