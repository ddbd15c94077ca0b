// What these pages read of the operator's API (`edge/admin/README.md`); it tells more.

export type Account = {
  readonly name: string;
  readonly credits: number;
  readonly balance: number;
  readonly expiresAt: string | null;
  readonly keys: readonly unknown[];
  readonly openHolds: { readonly batches: number; readonly credits: number };
  readonly refundDays: readonly { readonly batches: number }[];
};

export type HostEntry = {
  readonly id: string;
  readonly state: string;
  readonly createdAt: string;
  /** Null if the fleet could not be asked. */
  readonly instances: number | null;
  readonly healthy: boolean | null;
  readonly why: string | null;
  readonly jobs: number | null;
};
