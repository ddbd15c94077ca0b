import { OUTCOMES } from '../../../schema/outcomes.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { EngineObserver, Seat, SessionEnd } from '../ports/observer.ts';
import type { SessionFailure } from '../smtp/failure.ts';

/** Reports one session to an observer, from the moment that it may start to its end. */
export class SessionWatch {
  readonly #observer: EngineObserver;
  readonly #seat: Seat;
  #how: SessionEnd = 'undecided';

  constructor(observer: EngineObserver, seat: Seat) {
    this.#observer = observer;
    this.#seat = seat;
  }

  /** No recipient could be asked about. Without a connection there was no session. */
  failed({ stage, cause, outcome, complaint }: SessionFailure): void {
    if (stage === 'limits' || stage === 'dial' || cause === 'no_route') return;
    const isDeferral = outcome !== null && OUTCOMES[outcome.kind].defers && complaint === null;
    const end = cause === 'ended' ? 'cut_off' : (`${stage}_${isDeferral ? 'deferred' : cause}` as const);
    this.#observer.sessionEnded(this.#seat, end);
  }

  /** Its result for one of the domains that shared it. */
  hear(result: SessionResult): void {
    if (result === 'served') this.#how = 'served';
    else if (result !== 'neutral' && this.#how === 'undecided') this.#how = 'refused';
  }

  /** A session that got through EHLO has ended. */
  ends(): void {
    this.#observer.sessionEnded(this.#seat, this.#how);
  }
}
