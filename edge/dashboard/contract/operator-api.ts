// What these pages read of the operator's API (`edge/admin/README.md`); it tells more.

export type AccountEntry = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly credits: number;
  readonly expiresAt: string | null;
  readonly people: number;
  /** A day. */
  readonly lastUse: string | null;
};
export type AccountsPage = { readonly accounts: readonly AccountEntry[]; readonly next: string | null };

export type Account = {
  readonly name: string;
  readonly createdAt: string;
  readonly credits: number;
  readonly balance: number;
  readonly expiresAt: string | null;
  readonly keys: readonly unknown[];
  readonly people: readonly { readonly email: string; readonly role: string }[];
  /** A day. */
  readonly lastUse: string | null;
  readonly openHolds: { readonly batches: number; readonly credits: number };
  readonly refundDays: readonly { readonly batches: number }[];
};

export type LedgerPage = {
  readonly rows: readonly {
    readonly at: string;
    readonly kind: 'purchase' | 'correction' | 'expiry' | 'hold' | 'return';
    readonly ref: string;
    readonly delta: number;
    readonly balance: number;
  }[];
  readonly next: string | null;
};

export type OrderOfAccount = {
  readonly id: string;
  readonly accountId: string;
  readonly credits: number;
  readonly amount: number;
  readonly currency: string;
  readonly state: 'open' | 'paid' | 'expired';
  readonly createdAt: string;
  /** Minor units, with tax. */
  readonly refunded: number;
  readonly dispute: 'open' | 'won' | 'lost' | null;
  readonly checkoutId: string | null;
  readonly paymentId: string | null;
};
export type OrdersPage = { readonly orders: readonly OrderOfAccount[]; readonly next: string | null };
export const ORDER_FILTERS = ['open', 'paid', 'expired', 'refunded', 'disputed'] as const;

export type HostEntry = {
  readonly id: string;
  readonly state: string;
  readonly createdAt: string;
  /** Null if the fleet could not be asked. */
  readonly instances: number | null;
  readonly healthy: boolean | null;
  readonly why: string | null;
  readonly jobs: number | null;
  /** Where it says other things of the same addresses than its peers; an older Fleet object does not say. */
  readonly differs?: readonly HostDifference[] | undefined;
  readonly processes: readonly {
    readonly jobs: number;
    /** By large provider and address of the host; a host of an older version does not say. */
    readonly refusals?: readonly ProviderRefusal[] | undefined;
  }[];
};
/** Of `of` addresses it was `alone` against two others, and `split` stayed undecided. */
export type HostDifference = {
  readonly provider: string;
  readonly alone: number;
  readonly split: number;
  readonly of: number;
};
export type ProviderRefusal = { readonly provider: string; readonly refused: number; readonly of: number };
