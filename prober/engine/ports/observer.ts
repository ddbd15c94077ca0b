// What an observer of the engine is told: kinds, ordinals and times. Never an address, a host, a domain or a word of a
// reply, so that nothing an observer keeps can tell who was probed. Nothing of it comes back: an engine without an
// observer does the same.

/** Where a session goes, and where from. */
export type Seat = {
  /** A listed provider; null for everybody else. */
  readonly provider: string | null;
  /** The egress address by its place in the settings. */
  readonly egress: number;
};

/** How a session went. What begins with `greeting` or `hello` never came as far as a recipient. */
export type SessionEnd =
  | 'served' // a mailbox was judged
  | 'refused' // the server complained of us, and judged nobody
  | 'undecided' // neither: deferrals, other refusals, nobody left to ask
  | `${'greeting' | 'hello'}_${'refused' | 'deferred' | 'lost' | 'timeout' | 'garbage'}`
  | 'cut_off'; // the batch ended, or another account had a right to the connection's place

export type EngineObserver = {
  /** How long a connection waited for the limits; 0 if it did not. */
  waitedForLimits(provider: string | null, ms: number): void;
  /** A listed provider as a whole is left alone. */
  providerRests(seat: Seat, why: 'blocked' | 'asked_too_much', ms: number): void;
  /** A session ended, in which the server had answered the connection. */
  sessionEnded(seat: Seat, how: SessionEnd): void;
};

const nothing = (): void => {};
/** Tells nobody: what somebody watches only a part of is made from it. */
export const SILENT_OBSERVER: EngineObserver = {
  waitedForLimits: nothing,
  providerRests: nothing,
  sessionEnded: nothing,
};
