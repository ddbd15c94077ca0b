// The engine's world: everything it may ask for, in four small interfaces. Real ones are in prober/node, scripted ones
// in the tests. A port never throws because of the network: outcomes are values.

import type { Ends } from './cancel.ts';

/** A parsed address: local part and domain as they go on the wire. */
export type Recipient = { readonly local: string; readonly domain: string };

/** The command that a reply answers; `greeting` answers the connection itself. */
export type Stage = 'greeting' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';

/** An IP address that was looked up, with what the engine must know to decide whether it may be dialled. */
export type Resolved = {
  readonly ip: string;
  /** The answer came from a resolver that the operator named for such addresses: declared routes may apply to it. */
  readonly declared: boolean;
};

export type MxRecord = { readonly exchange: string; readonly preference: number };

/** `exchange` is '' for a null MX (RFC 7505), else a host name in lower case without the last dot. */
export type MxAnswer =
  | { readonly kind: 'found'; readonly records: readonly MxRecord[] }
  | { readonly kind: 'none' } // NODATA: the name exists, it has no MX
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'failed' }; // timeout, SERVFAIL, REFUSED, garbage: nothing was learnt

/** `certain` false: a lookup got no answer, so there may be further addresses. */
export type AddressAnswer = { readonly addresses: readonly Resolved[]; readonly certain: boolean };

export type Resolve = {
  mx(domain: string, signal: Ends): Promise<MxAnswer>;
  /** @param family only this family (A or AAAA); both if omitted */
  addresses(host: string, signal: Ends, family?: 4 | 6): Promise<AddressAnswer>;
};

/** The account that something is done for: a number that means nothing outside this process. */
export type Account = number;

/** The DNS port of one account: all share the same resolvers, and wait for them in turn by account. */
export type ResolveFor = (account: Account) => Resolve;

export type DialTarget = {
  readonly ip: string;
  readonly port: number;
  /** Local address to dial from; null lets the system choose. */
  readonly from: string | null;
};

export type DialAnswer =
  | { readonly kind: 'connected'; readonly connection: Connection }
  | { readonly kind: 'failed' } // refused or unreachable
  | { readonly kind: 'reset' } // the peer accepted and reset before the system reported the connection as open
  | { readonly kind: 'no_route' } // this host has no route for the address family: no evidence about the target
  | { readonly kind: 'aborted' }; // it was cancelled: the caller's time limit

/**
 * `closed`: the peer ended its side. `lost`: reset or broken. Bytes come at most 64 KiB at a time, only on request, and
 * stay valid until `done` returns.
 */
export type ReadAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' }
  | { readonly kind: 'lost' };

/** One TCP connection, read by pulling: a talkative peer meets TCP's own back-pressure and no buffer of ours. */
export type Connection = {
  /** @param done called once, perhaps at once; no other read may be started meanwhile */
  read(done: (answer: ReadAnswer) => void): void;
  /** Hands text to the system, as UTF-8. Never waits for the peer; a broken connection shows at the next read. */
  write(text: string): void;
  /** Switches to TLS; certificates are not verified: mailboxes are probed. Plaintext read ahead is dropped. */
  startTls(serverName: string): Promise<'secure' | 'failed'>;
  /** Nothing more is written or read: frees the socket once the peer has said 221, or soon after. Waits for nothing. */
  end(): void;
  /** Frees the socket now; a pending read is `lost`, and a handshake has `failed`. */
  destroy(): void;
};

export type Dial = (target: DialTarget, cancel: Ends) => Promise<DialAnswer>;

export type Clock = {
  now(): number;
  /** Runs once after this many milliseconds unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
};

/** Uniform in [0, 1), not predictable by a peer. */
export type Random = () => number;

/** Draws made for a domain, the same each time: for the name of its made-up mailbox, and for our address. */
export type DrawsFor = (domain: string, what: 'name' | 'egress') => Random;

export type Ports = {
  readonly dial: Dial;
  readonly resolveFor: ResolveFor;
  readonly clock: Clock;
  readonly random: Random;
};
