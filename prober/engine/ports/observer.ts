import type { AddressAnswer, MxAnswer } from './ports.ts';

// What an observer of the engine is told: kinds, ordinals and times. Never an address, a host, a domain or a word of a
// reply, so that nothing it stores can reveal who was probed. Observers have no influence: an engine without one does
// the same.

export type Seat = {
  readonly provider: string | null;
  /** The egress address by its position in the settings. */
  readonly egress: number;
};

/** The result of a session. Those beginning with `greeting` or `hello` never got as far as a recipient. */
export type SessionEnd =
  | 'served' // a mailbox was judged
  | 'refused' // the server complained about us, and judged no one
  | 'undecided' // neither: deferrals, other refusals, no one left to ask about
  | `${'greeting' | 'hello'}_${'refused' | 'deferred' | 'lost' | 'timeout' | 'garbage'}`
  | 'cut_off'; // the batch ended, or another account was entitled to the connection's slot

export type EngineObserver = {
  /** The answer to a look-up, unless the batch ended first. */
  lookedUp(type: 'mx' | 'address', answer: MxAnswer | AddressAnswer): void;
  /** How long a connection waited for the limits; 0 if it did not. */
  waitedForLimits(provider: string | null, ms: number): void;
  /** A cool-down of a listed provider as a whole started. */
  providerRests(seat: Seat, why: 'blocked' | 'asked_too_much', ms: number): void;
  /** A session ended, in which the server had answered the connection. */
  sessionEnded(seat: Seat, how: SessionEnd): void;
};
