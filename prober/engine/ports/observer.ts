import type { Stage } from './stage.ts';

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
  /** A connection begins (1) or ends (-1) its wait for the limits. */
  waitersChanged(provider: string | null, change: 1 | -1): void;
  /** How long a connection waited for the limits; 0 if it did not. */
  waitedForLimits(provider: string | null, ms: number): void;
  /** A cool-down began: of the dialled address, for one account or for all, or of a provider as a whole. */
  coolDownBegan(
    seat: Seat,
    who: 'address' | 'account' | 'provider',
    why: 'blocked' | 'asked_too_much',
    ms: number,
  ): void;
  /** A session got through EHLO. */
  sessionOpened(seat: Seat): void;
  /** @param wasOpen it was told of by `sessionOpened` */
  sessionEnded(seat: Seat, how: SessionEnd, wasOpen: boolean): void;
  /** A reply came, this long after its command or the reply before it. One that came with another was not waited for. */
  replied(stage: Stage, waitedMs: number): void;
};

const nothing = (): void => {};
/** Tells nobody: what somebody watches only a part of is made from it. */
export const SILENT_OBSERVER: EngineObserver = {
  waitersChanged: nothing,
  waitedForLimits: nothing,
  coolDownBegan: nothing,
  sessionOpened: nothing,
  sessionEnded: nothing,
  replied: nothing,
};
