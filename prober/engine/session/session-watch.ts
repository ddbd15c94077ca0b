import type { Classified } from '../meaning/classify.ts';
import type { Classify } from '../meaning/outcome.ts';
import { complaintOf } from '../limits/server/complaint.ts';
import type { LimitDecision } from '../limits/connection-request.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { EngineObserver, RefusalClass, Seat, SessionEnd } from '../ports/observer.ts';
import type { Clock } from '../ports/ports.ts';
import type { Egress, EngineSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { OnReply } from './session.ts';
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
    this.#observer.waitersChanged(this.#provider, 1);
    const entry = await entered;
    this.#observer.waitersChanged(this.#provider, -1);
    this.#waitedMs = this.#clock.now() - began;
    return entry;
  }

  /** It may begin, from this address. */
  begins(egress: Egress): void {
    this.#seat = { provider: this.#provider, egress: this.#egress.indexOf(egress) };
    this.#observer.waitedForLimits(this.#provider, this.#waitedMs);
  }

  readonly onReply: OnReply = (stage, waitedMs) => this.#observer.replied(stage, waitedMs);

  /** A reading that tells of refusals, and of replies to RCPT that are not understood. */
  reading(classify: Classify): Classify {
    return (stage, reply, recipient) => {
      const said = classify(stage, reply, recipient);
      if (said.meaning !== 'accepted')
        this.#observer.refused(this.#seat, stage, complaintOf(stage, { reply, said })?.why ?? aboutOf(said));
      if (recipient !== undefined && said.by === 'nothing') this.#observer.puzzled();
      return said;
    };
  }

  /** Nobody could be asked about. If no connection stood, there was no session. */
  failed({ stage, cause, outcome, complaint }: SessionFailure): void {
    if (stage === 'limits' || stage === 'dial' || cause === 'no_route') return;
    const isDeferral = outcome?.kind === 'deferred' && complaint === null;
    const end = cause === 'ended' ? 'cut_off' : (`${stage}_${isDeferral ? 'deferred' : cause}` as const);
    this.#observer.sessionEnded(this.#seat, end, false);
  }

  /** It got through EHLO. */
  opened(): void {
    this.#observer.sessionOpened(this.#seat);
  }

  /** What came of it for one of the domains that shared it. */
  hear(result: SessionResult): void {
    if (result === 'served') this.#how = 'served';
    else if (result !== 'neutral' && this.#how === 'undecided') this.#how = 'refused';
  }

  /** One that got through EHLO has ended. */
  ends(result: SessionResult): void {
    this.hear(result);
    this.#observer.sessionEnded(this.#seat, this.#how, true);
  }
}

/** What a reply is about in which the server does not complain of us. */
function aboutOf({ meaning, deferral }: Classified): RefusalClass {
  switch (meaning) {
    case 'no_such_mailbox':
    case 'mailbox_full':
      return 'mailbox';
    case 'relay_denied':
      return 'relay';
    case 'policy_rejected':
      return 'policy';
    case 'deferred':
      return deferral?.cause === 'greylisting' ? 'greylisting' : 'busy';
    case 'accepted':
    case 'unexpected':
      return 'unexpected';
  }
}
