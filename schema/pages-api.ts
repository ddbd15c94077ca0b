// The bodies of the pages' API, which the dashboard calls under /app/v1, as types alone. The Worker answers by them: its
// handlers do not compile if they answer anything else. Times are ISO 8601 in UTC, days are `2026-11-21`, amounts are whole minor units (cents).
import type { OrderState, Role } from './words/stored.ts';
import type { Status } from './words/verdicts.ts';

/**
 * What a page shows, as it says with each call: the ids of person and account, with a space between. If the session has
 * come to be or look at another, the call is refused with 412.
 */
export const VIEW_HEADER = 'rcpt-view';

/** What may be bought at once. `amount` is without tax. */
export type Pack = {
  readonly id: string;
  readonly credits: number;
  readonly amount: number;
  readonly currency: string;
};

/** Who runs this deployment; null: not said. */
export type Operator = {
  readonly name: string | null;
  readonly privacyUrl: string | null;
  readonly termsUrl: string | null;
  readonly statusUrl: string | null;
  readonly contactEmail: string | null;
};

/** What this deployment offers, the same for everyone. */
export type Features = {
  /** Null if nothing can be bought here. */
  readonly buying: { readonly packs: readonly Pack[] } | null;
  readonly welcomeCredits: number;
  /** In one request of the API. */
  readonly maxAddresses: number;
  readonly operator: Operator;
};

/**
 * What deleting oneself ends: the accounts that have no other people. `lastOwnerOf`: nothing, because others use that
 * account, and none of them is an owner.
 */
export type Ends = {
  readonly accounts: ReadonlyArray<{ readonly name: string; readonly credits: number; readonly openOrders: number }>;
  readonly lastOwnerOf: string | null;
};

export type AccountOfPerson = { readonly id: string; readonly name: string; readonly role: Role };

/** GET me: 200 for everyone. */
export type Me =
  | { readonly signedIn: false; readonly features: Features }
  | {
      readonly signedIn: true;
      readonly features: Features;
      readonly person: { readonly id: string; readonly email: string };
      /** The account that this session looks at. */
      readonly account: AccountOfPerson & {
        /** A mail goes to the owners when the balance falls below it; 0: none; null: below a tenth of the last purchase. */
        readonly lowBalanceAt: number | null;
      };
      /** All accounts of the person, this one among them. */
      readonly accounts: readonly AccountOfPerson[];
    };

/**
 * Why a new account has no welcome credits: the address is a throwaway or forwarding one, its mailbox has had them, or
 * its domain or the day has had as many as it gets.
 */
export type NoGift = 'throwaway' | 'had' | 'domain_full' | 'day_full';

/** What a mailed link is for, before it is used. */
export type LinkPreview =
  /** `account`: the one that using it joins; null for none. `noGift`: of the account that it opens; else null. */
  | {
      readonly kind: 'sign_in';
      readonly email: string;
      readonly account: string | null;
      readonly noGift: NoGift | null;
    }
  | { readonly kind: 'invitation'; readonly email: string; readonly account: string; readonly invitedBy: string };

export type SessionEntry = {
  readonly id: string;
  readonly current: boolean;
  /** A day. */
  readonly lastUsed: string;
  readonly by: 'link' | 'passkey';
  /** Such as "Firefox on Linux"; "Unknown browser" if it does not say. */
  readonly device: string;
};

/**
 * `didYouMean`: nothing was mailed, because that address is probably meant. `membersOnly`: who belongs to no account gets
 * no link just now; `noGift`: a new account would get no welcome credits. Both are said to everybody alike.
 */
export type LinkRequested =
  | { readonly didYouMean: string }
  | { readonly didYouMean?: never; readonly membersOnly?: true; readonly noGift: NoGift | null };

/** `challenge` is base64url; it is good for 5 minutes and once. */
export type Challenge = { readonly challenge: string };
export type PasskeyEntry = {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
  readonly lastUsed: string | null;
};

export type PersonEntry = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: string;
};
export type InvitationEntry = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
};
export type People = { readonly people: readonly PersonEntry[]; readonly invitations: readonly InvitationEntry[] };

/** What the owner of a form's key chooses. A visitor is a network: an IPv4 address, or a /64 of IPv6. */
export type FormSettings = {
  /** `https://shop.example`: 1 to 10. */
  readonly origins: readonly string[];
  readonly creditsPerDay: number;
  readonly perMinute: number;
  readonly perHour: number;
  readonly rejectsDisposable: boolean;
};
/** `formtest`: the key of a form that is answered from the sandbox's table, and free. */
export type PageKeyEntry = {
  readonly id: string;
  readonly kind: 'live' | 'test' | 'form' | 'formtest';
  readonly label: string;
  /** The last four characters. */
  readonly hint: string;
  readonly createdAt: string;
  /** A day. */
  readonly lastUsed: string | null;
  /** An email address; null if an operator made it, or nobody knows. */
  readonly madeBy: string | null;
  /** Whether the reader may delete it: owners all, members what members made. */
  readonly mayDelete: boolean;
  /** Of a live key alone: credits that it may spend, a day and a month (UTC), and has spent or holds. Null: no cap. */
  readonly caps?: KeyCaps & { readonly spentToday: number | null; readonly spentThisMonth: number | null };
  /** Of a form's key alone: it is public. */
  readonly form?: FormSettings & { readonly key: string };
};
/** Credits that a live key may spend, a day and a month (UTC); null: any number. */
export type KeyCaps = { readonly dayCap: number | null; readonly monthCap: number | null };
/** The only answer that ever has the key itself, but for a form's. */
export type NewPageKey = PageKeyEntry & { readonly key: string };
/** A key for these pages' own calls of the public API. */
export type PageKey = { readonly key: string; readonly expiresAt: string };

export type PageBalance = {
  /** What may be spent: 0 once expired. */
  readonly credits: number;
  readonly expiresAt: string | null;
  /** Of batches under way. */
  readonly held: { readonly batches: number; readonly credits: number };
  /** Of an account that never had any credits; null for all others. */
  readonly noGift: NoGift | null;
};

/** A batch as its ledger rows are explained by it. */
export type StatementBatch = {
  readonly addresses: number;
  readonly held: number;
  /** Null while the batch is under way. */
  readonly returned: number | null;
  /** `returned` when nobody settled it, and everything came back. */
  readonly state: 'open' | 'settled' | 'returned';
  /** The same in all batches of one list; null: of none that is known. */
  readonly list: string | null;
};
export type StatementRow = {
  readonly at: string;
  /** `gift`: welcome credits. */
  readonly kind: 'purchase' | 'gift' | 'correction' | 'expiry' | 'hold' | 'return';
  /** Id of the batch, order, purchase or correction; a day (`2026-10-14`) for the batches of a day that is older than a week. */
  readonly ref: string;
  readonly delta: number;
  /** After this row. */
  readonly balance: number;
  readonly batch: StatementBatch | null;
};
export type PageStatement = { readonly rows: readonly StatementRow[]; readonly next: string | null };

export type UsageRow = Readonly<Record<Status, number>> & {
  readonly day: string;
  /** A key's id; `page` for what was verified on these pages. */
  readonly key: string;
  readonly batches: number;
  readonly charged: number;
  readonly returned: number;
};
/** `labels`: of the keys that still stand, by id. */
export type Usage = { readonly rows: readonly UsageRow[]; readonly labels: Readonly<Record<string, string>> };

/** A call of the last 7 days: what it was about is not known. */
export type CallEntry = {
  readonly at: string;
  readonly requestId: string;
  /** A key's id; `page` for these pages; null: the key is gone. */
  readonly key: string | null;
  /** The last four characters of its key, if the call held no credits and was not one of these pages'. */
  readonly hint: string | null;
  /** 499: its caller had left. Null while it is under way, and if it was lost; then everything came back. */
  readonly status: number | null;
  /** Of an error. */
  readonly code: string | null;
  /** Null: it was refused before they were counted. */
  readonly entries: number | null;
  /** Null, like `returned`, while it is under way. */
  readonly charged: number | null;
  readonly returned: number | null;
  readonly ms: number | null;
  /** How many calls like it this stands for: those beyond the rate limit are counted by the minute. */
  readonly times: number;
};
/** `labels`: of the keys that still stand, by id. */
export type CallLog = {
  readonly rows: readonly CallEntry[];
  readonly next: string | null;
  readonly labels: Readonly<Record<string, string>>;
};

export type OrderEntry = {
  readonly id: string;
  readonly state: OrderState;
  readonly credits: number;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: string;
  /** An email address; null once that person is deleted. */
  readonly orderedBy: string | null;
};
/** Where it is paid, while it is open; then its papers at Stripe. Each is null while Stripe has none. */
export type OneOrder = OrderEntry & {
  readonly payUrl: string | null;
  readonly invoiceUrl: string | null;
  readonly receiptUrl: string | null;
};
/** Stripe's page for company, tax numbers and invoices. */
export type Billing = { readonly url: string };
/** `url`: where the customer pays. */
export type NewOrder = OrderEntry & { readonly url: string };
