import { type EgressTrouble, type HostStatus, REFUSALS_MAX } from '../../schema/link.ts';
import type { EdgeSettings } from '../../schema/enrolment.ts';
import { SETTINGS_TOKEN_TYPE, settingsClaimsSchema } from '../../schema/join.ts';
import type { Engine } from '../engine/batch.ts';
import type { Seat } from '../engine/ports/observer.ts';
import { ProviderRefusals } from '../ops/health/provider-refusals.ts';
import { type Identity, provenClaims, sameSettings, withSettings } from './identity.ts';
import { Jobs, type Trust } from './jobs.ts';
import { Link, type LinkDeps } from './link.ts';
import type { HostObserver } from './observer.ts';

/** Beyond the deadline of its last job a draining host waits for nothing. */
const DRAIN_GRACE_MS = 1_500;
const DRAIN_LOOK_MS = 50;

/** What its links need that the host itself does not have, and more. */
export type HostDeps = Omit<LinkDeps, 'identity' | 'jobs' | 'status' | 'onSettings'> & {
  readonly observer?: HostObserver;
  readonly identity: Identity;
  /** Stores what was learnt about the edge; returns the system's error if it cannot. */
  readonly keepSettings?: (settings: EdgeSettings) => Promise<string | null>;
  readonly engine: Engine;
  readonly trust: Trust & { readonly healthy: boolean; readonly checked: boolean };
  /** What receivers hold against its addresses. */
  readonly egressTroubles?: () => readonly EgressTrouble[];
};

/** One probe host: its jobs, and a link to every Fleet object. */
export class Host {
  readonly #deps: HostDeps;
  readonly #jobs: Jobs;
  readonly #refusals: ProviderRefusals;
  #identity: Identity;
  #links: readonly Link[] = [];
  #isOpen = false;
  #draining = false;

  constructor(deps: HostDeps) {
    this.#deps = deps;
    const { engine, clock, trust, log } = deps;
    this.#refusals = new ProviderRefusals(clock.now.bind(clock), log, () => this.#tell(false));
    this.#jobs = new Jobs({ engine, clock, trust, log, observer: deps.observer, onCount: () => this.#counted() });
    this.#identity = deps.identity;
    this.#dialInTo(deps.identity.shards);
  }

  open(): void {
    this.#isOpen = true;
    for (const link of this.#links) link.open();
  }

  /** The result of the self-check, or what receivers hold against an address, has changed. */
  healthChanged(): void {
    this.#tell(true);
  }

  /** A cool-down of a whole provider started for one of our addresses, which it says that it blocks. */
  blockedBy(seat: Seat, lastsMs: number): void {
    this.#refusals.blocked(seat, lastsMs);
  }

  /** Takes no new jobs, ends idle sessions, lets running jobs finish and their evidence go out, and ends the links. */
  async drain(): Promise<void> {
    const { clock } = this.#deps;
    this.#draining = true;
    this.#deps.engine.endIdle();
    this.#tell(true);
    const untilMs = (this.#jobs.lastDeadlineMs ?? clock.now()) + DRAIN_GRACE_MS;
    while (!this.#isDone && clock.now() < untilMs) await new Promise<void>((go) => clock.after(DRAIN_LOOK_MS, go));
    await Promise.all(this.#links.map((link) => link.close()));
  }

  /** One link to each Fleet object: some may have been added, or removed, since this host started. */
  #dialInTo(shards: number): void {
    const kept = this.#links.slice(0, shards);
    const surplus = this.#links.slice(shards);
    const added = Array.from({ length: shards - kept.length }, (_, n) => this.#newLink(kept.length + n));
    this.#links = [...kept, ...added];
    if (this.#isOpen && !this.#draining) for (const link of added) link.open();
    for (const link of surplus) void link.close();
  }

  #newLink(shard: number): Link {
    return new Link(shard, {
      ...this.#deps,
      identity: () => this.#identity,
      jobs: this.#jobs,
      status: () => this.status(),
      onSettings: (token) => this.#learn(token),
    });
  }

  /**
   * The settings of the edge, signed just now for this host with a key that it already knows: a stolen key is useful
   * only as long as the edge signs with it, and no one in between can add one.
   */
  async #learn(token: string): Promise<void> {
    const { keepSettings, log, wallClock } = this.#deps;
    const signed = { typ: SETTINGS_TOKEN_TYPE, schema: settingsClaimsSchema };
    const claims = await provenClaims(this.#identity, token, signed, wallClock());
    if (claims === null)
      return log('settings_refused', {
        hint: 'the edge has none of the keys that this host knows, or a clock is wrong: if jobs are refused too, join again',
      });
    const settings = { shards: claims.shards, edgeKeys: claims.edgeKeys };
    const next = withSettings(this.#identity, settings);
    if (sameSettings(this.#identity, next)) return;
    this.#identity = next;
    log('edge_settings', { shards: next.shards, keys: next.edgeKeys.length });
    this.#dialInTo(next.shards);
    const error = (await keepSettings?.(settings)) ?? null;
    if (error !== null)
      log('settings_not_kept', {
        error,
        hint: 'let this user write beside the enrolment, or set STATE_DIRECTORY: they hold until this process ends',
      });
  }

  status(): HostStatus {
    const { engine, trust } = this.#deps;
    return {
      draining: this.#draining,
      healthy: trust.healthy,
      checked: trust.checked,
      failing: [...trust.failing],
      jobs: this.#jobs.running,
      cooling: engine.cooling(),
      refusals: this.#refusals.list(),
      egressTroubles: (this.#deps.egressTroubles?.() ?? []).slice(0, REFUSALS_MAX),
    };
  }

  /** Which of its links are open, by Fleet object. */
  links(): readonly boolean[] {
    return this.#links.map(({ isUp }) => isUp);
  }

  /** How many seconds this machine's clock is ahead of the edge's, from its latest answers. */
  clockAheadS(): number {
    return this.#links.find(({ aheadS }) => aheadS !== null)?.aheadS ?? 0;
  }

  #counted(): void {
    if (this.#draining) this.#deps.engine.endIdle();
    this.#tell(false);
  }

  #tell(urgent: boolean): void {
    for (const link of this.#links) link.tellStatus(urgent);
  }

  /** All jobs have ended and every link has sent everything. A link that is down may come back until the deadline. */
  get #isDone(): boolean {
    return this.#jobs.running === 0 && this.#links.every((link) => link.flushed);
  }
}
