import type { LimitDecision } from '../limits/connection-limits.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { EngineObserver, Seat, SessionEnd } from '../ports/observer.ts';
import type { Clock } from '../ports/ports.ts';
import type { Egress, EngineSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { SessionFailure } from './session-failure.ts';

/** Begins to watch a session at a provider's host, or at anybody else's, for the settings' observer; null: there is none. */
export function watchSession(
  { observer, egress }: EngineSettings,
  clock: Clock,
  provider: ProviderLimits | null,
): SessionWatch | null {
  return observer === undefined ? null : new SessionWatch(observer, clock, egress, provider?.provider ?? null);
}

/** Tells an observer of one session, from the wait for its permit to its end. */
export class SessionWatch {
  readonly #observer: EngineObserver;
  readonly #clock: Clock;
  readonly #egress: readonly Egress[];
  readonly #provider: string | null;
  #seat: Seat;
  #waitedMs = 0;
  #how: SessionEnd = 'undecided';

  constructor(observer: EngineObserver, clock: Clock, egress: readonly Egress[], provider: string | null) {
    this.#observer = observer;
    this.#clock = clock;
    this.#egress = egress;
    this.#provider = provider;
    this.#seat = { provider, egress: 0 };
  }

  /** The session waits for its permit to connect. */
  async waits(entered: Promise<LimitDecision>): Promise<LimitDecision> {
    const began = this.#clock.now();
    const entry = await entered;
    this.#waitedMs = this.#clock.now() - began;
    return entry;
  }

  /** It may begin, from this address. */
  begins(egress: Egress): void {
    this.#seat = { provider: this.#provider, egress: this.#egress.indexOf(egress) };
    this.#observer.waitedForLimits(this.#provider, this.#waitedMs);
  }

  /** Nobody could be asked about. If no connection stood, there was no session. */
  failed({ stage, cause, outcome, complaint }: SessionFailure): void {
    if (stage === 'limits' || stage === 'dial' || cause === 'no_route') return;
    const isDeferral = outcome?.kind === 'deferred' && complaint === null;
    const end = cause === 'ended' ? 'cut_off' : (`${stage}_${isDeferral ? 'deferred' : cause}` as const);
    this.#observer.sessionEnded(this.#seat, end);
  }

  /** What came of it for one of the domains that shared it. */
  hear(result: SessionResult): void {
    if (result === 'served') this.#how = 'served';
    else if (result !== 'neutral' && this.#how === 'undecided') this.#how = 'refused';
  }

  /** One that got through EHLO has ended. */
  ends(result: SessionResult): void {
    this.hear(result);
    this.#observer.sessionEnded(this.#seat, this.#how);
  }
}
