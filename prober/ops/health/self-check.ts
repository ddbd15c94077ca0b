import type { Clock } from '../../engine/ports/ports.ts';
import type { Canary } from '../../../schema/link.ts';
import type { Log } from '../../base/log.ts';
import type { Check, Proof, Scope } from './canaries.ts';

const EVERY_MS = 60_000;
/** A check that takes longer has failed. */
const WITHIN_MS = 5_000;
/** The minimum interval between checks for doubtful evidence: names use our own resolver, mail servers are others'. */
const GAP_MS: Readonly<Record<Proof, number>> = { names: 250, reach: 5_000 };

const SHOWS: Readonly<Record<Scope, readonly Canary[]>> = {
  names: ['name', 'missing'],
  reach: ['name', 'missing', 'host'],
  all: ['name', 'missing', 'host', 'mailbox'],
};

/** A failed check is repeated after this long, at the earliest. */
const AGAIN_MS = 1_000;

export type SelfCheckDeps = {
  /** Null: there are no canaries, and the host always trusts itself. */
  readonly ask: ((scope: Scope, signal: AbortSignal) => Promise<Check>) | null;
  readonly complete: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onChange: () => void;
};

/** Checks of one scope for doubtful evidence: the latest, and the next, which serves all callers until it starts. */
type Round = { begunAt: number; running: Promise<unknown>; next: Promise<boolean> | null };

const newRound = (): Round => ({ begunAt: Number.NEGATIVE_INFINITY, running: Promise.resolve(), next: null });

/** Knows whether this host can work: it checks each minute, and at once if evidence is in doubt. */
export class SelfCheck {
  readonly #deps: SelfCheckDeps;
  readonly #rounds: Readonly<Record<Proof, Round>> = { names: newRound(), reach: newRound() };
  #failing: readonly Canary[] = [];
  #unclear: readonly number[] = [];
  #isChecked: boolean;
  #failed = 0;
  /** A failed check is about to be repeated. */
  #isRepeated = false;
  #cancelRecovery = (): void => {};

  constructor(deps: SelfCheckDeps) {
    this.#deps = deps;
    this.#isChecked = deps.ask === null;
  }

  get healthy(): boolean {
    return this.#failing.length === 0;
  }

  get failing(): readonly Canary[] {
    return this.#failing;
  }

  /** The positions of the egress addresses for which no mailbox that must exist is told from one that cannot. */
  get unclear(): readonly number[] {
    return this.#unclear;
  }

  /** Whether a check has proven everything a host needs. */
  get checked(): boolean {
    return this.#deps.complete && this.healthy && this.#isChecked;
  }

  /** How many checks have failed since the start: evidence seen while this grew is in doubt. */
  get failed(): number {
    return this.#failed;
  }

  /** Starts checking, now and every minute. @returns the first result */
  start(): Promise<boolean> {
    if (this.#deps.ask === null) return Promise.resolve(true);
    this.#deps.clock.after(EVERY_MS, () => void this.start());
    return this.#check('all');
  }

  /** Whether the host's earlier evidence can be trusted, by a check that starts after this call. */
  confirm(proof: Proof): Promise<boolean> {
    if (this.#deps.ask === null) return Promise.resolve(true);
    const round = this.#rounds[proof];
    round.next ??= this.#beginRound(proof, round);
    return round.next;
  }

  async #beginRound(proof: Proof, round: Round): Promise<boolean> {
    const { clock } = this.#deps;
    // Callers of a failed round have been told already.
    await round.running.catch(() => {});
    const waitMs = round.begunAt + GAP_MS[proof] - clock.now();
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    round.begunAt = clock.now();
    // Later callers need a check that starts after their call.
    round.next = null;
    const running = this.#check(proof);
    round.running = running;
    return running;
  }

  /** A socket met an error of this host's own state: it takes no jobs before a minute has passed without another. */
  exhausted(errno: string): void {
    const { clock, log } = this.#deps;
    const others = (): readonly Canary[] => this.#failing.filter((canary) => canary !== 'resources');
    this.#failed += 1;
    this.#cancelRecovery();
    this.#cancelRecovery = clock.after(EVERY_MS, () => this.#show(others(), []));
    if (this.#failing.includes('resources')) return;
    log('exhausted', { errno });
    this.#show([...this.#failing, 'resources'], []);
  }

  async #check(scope: Scope): Promise<boolean> {
    const { ask, clock } = this.#deps;
    if (ask === null) return true;
    const stop = new AbortController();
    const cancel = clock.after(WITHIN_MS, () => stop.abort());
    const check = await ask(scope, stop.signal)
      .catch((): Check => ({ failures: SHOWS[scope], egress: [], unclear: this.#unclear }))
      .finally(cancel);
    if (scope === 'all') {
      this.#isChecked = true;
      this.#noteUnclear(check.unclear);
    }
    if (check.failures.length > 0) this.#failed += 1;
    const others = this.#failing.filter((canary) => !SHOWS[scope].includes(canary));
    this.#show([...check.failures, ...others], check.egress);
    this.#repeat();
    return this.healthy;
  }

  /** A failure may pass in a moment, and a single host is waited for. A mailbox is only asked about each minute. */
  #repeat(): void {
    const proof = (['names', 'reach'] as const).find((one) =>
      this.#failing.some((canary) => SHOWS[one].includes(canary)),
    );
    if (proof === undefined || this.#isRepeated) return;
    this.#isRepeated = true;
    this.#deps.clock.after(Math.max(AGAIN_MS, GAP_MS[proof]), () => {
      this.#isRepeated = false;
      void this.confirm(proof);
    });
  }

  /** It says nothing about this host, which goes on: only the operator can name a better mailbox. */
  #noteUnclear(unclear: readonly number[]): void {
    const was = this.#unclear;
    this.#unclear = unclear;
    if (was.join(' ') === unclear.join(' ')) return;
    this.#deps.onChange();
    if (unclear.length > 0)
      this.#deps.log('mailbox_unclear', { egress: unclear.join(' '), hint: 'run rcpt-prober --check; CANARY_MAILBOX' });
  }

  #show(failing: readonly Canary[], egress: readonly number[]): void {
    const { log, onChange } = this.#deps;
    const was = this.#failing;
    this.#failing = failing;
    if (was.join(' ') === failing.join(' ')) return;
    log(failing.length === 0 ? 'healthy' : 'unhealthy', {
      failures: failing.join(' '),
      egress: egress.join(' '),
    });
    onChange();
  }
}
