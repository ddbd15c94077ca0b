// What each meaning of a reply amounts to for everyone who asks: one row for each.

type Row = {
  /** About the mailbox, and the server would say it in any session. */
  readonly judges: boolean;
  readonly accepts: boolean;
  /** No mail reaches the mailbox: of such a reply a host reports it as dead, at once or once every MX says so. */
  readonly refuses: boolean;
  /** The mailbox exists, and is full. */
  readonly isFull: boolean;
  /** A server counts it as one more unknown recipient against the egress address. */
  readonly isUnknown: boolean;
  /** It is about the prober: its address, name, sender, TLS, reputation, rate. */
  readonly refusesUs: boolean;
  /** For now (4xx), without a final statement. */
  readonly defers: boolean;
  /** Any recipient would hear the same. */
  readonly isForAll: boolean;
};

/** A row says what differs from these. */
const PLAIN: Row = {
  judges: false,
  accepts: false,
  refuses: false,
  isFull: false,
  isUnknown: false,
  refusesUs: false,
  defers: false,
  isForAll: false,
};

export type Meaning =
  | 'accepted' // 2xx
  | 'no_such_mailbox' // the mailbox or its domain takes no mail: unknown, disabled, moved, unroutable
  | 'relay_denied' // this host does not serve the domain: counts once every reachable MX says so
  | 'mailbox_full'
  | 'deferred' // 4xx without a final statement
  | 'policy_rejected' // 5xx about the prober
  | 'unexpected'; // nothing known

export const MEANINGS: Readonly<Record<Meaning, Row>> = {
  accepted: { ...PLAIN, judges: true, accepts: true },
  no_such_mailbox: { ...PLAIN, judges: true, refuses: true, isUnknown: true },
  relay_denied: { ...PLAIN, refuses: true, isForAll: true },
  mailbox_full: { ...PLAIN, judges: true, isFull: true },
  deferred: { ...PLAIN, defers: true },
  policy_rejected: { ...PLAIN, refusesUs: true, isForAll: true },
  unexpected: PLAIN,
};
