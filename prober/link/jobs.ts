import type { Evidence, Outcome } from '../../schema/evidence.ts';
import { type Canary, HOST_ENDS_EARLIER_MS, RUNNING_MAX, SLOTS_MAX, TOKEN_MAX_AGE_S } from '../../schema/link.ts';
import { isByImplicitMx, isDoubtful, needsNoWayOut } from '../../schema/outcomes.ts';
import type { Engine } from '../engine/batch.ts';
import type { Clock, Recipient } from '../engine/ports/ports.ts';
import type { Log } from '../base/log.ts';
import { weeklyDraws } from '../base/weekly-draws.ts';
import type { HostObserver } from './observer.ts';
import type { ProvenJob } from './verify-job.ts';

// What this process is running. Jobs do not depend on the links: a job continues without one, and its evidence is kept
// until the batch is over so that it can be sent again.

/** A token is fresh for this long either way: an id must not be forgotten earlier. */
const REMEMBER_MS = 2 * TOKEN_MAX_AGE_S * 1_000;
/** For this long a finished job is listed in a hello, and its evidence sent again; after that only its id is known. */
const RECENT_MS = 30_000;
/** An engine that does not end in time is abandoned. */
const OVERDUE_MS = 1_000;

/** `index`: the address's place in the job. */
export type Item = { readonly index: number; readonly evidence: Evidence };

/** One job as its link sees it. */
export type Job = Pick<ProvenJob, 'id'> & {
  /** How many addresses it has. The engine alone keeps them, for as long as it probes. */
  readonly size: number;
  /** Grows while the job runs. */
  readonly items: readonly Item[];
  /** `forgotten`: cancelled, or ended long ago. */
  readonly state: 'running' | 'ended' | 'forgotten';
};

type Entry = Omit<ProvenJob, 'addresses'> & {
  readonly size: number;
  readonly link: number;
  readonly stop: AbortController;
  readonly deadlineMs: number;
  /** Checks of this host that had failed when the job started. */
  readonly failedBefore: number;
  readonly onNews: (job: Job) => void;
  items: Item[];
  state: Job['state'];
  readonly startedAt: number;
};

/** What happens with a job that the edge has proven to be its own. */
export type Taken = { readonly kind: 'started' | 'repeated'; readonly job: Job } | { readonly kind: 'replay' | 'busy' };

export type Trust = {
  /** Checks again: the resolver alone, or the way out too. */
  confirm(proof: 'names' | 'reach'): Promise<boolean>;
  /** Checks that have failed so far. */
  readonly failed: number;
  /** What the last check failed at. */
  readonly failing: readonly Canary[];
};

export type JobsDeps = {
  readonly engine: Pick<Engine, 'probe'>;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly log: Log;
  readonly observer?: HostObserver | undefined;
  /** Called whenever the number of running jobs has changed. */
  readonly onCount: () => void;
};

export class Jobs {
  readonly #deps: JobsDeps;
  readonly #entries = new Map<string, Entry>();
  #running = 0;
  #addresses = 0;

  constructor(deps: JobsDeps) {
    this.#deps = deps;
  }

  get running(): number {
    return this.#running;
  }

  /** When the last of the running jobs is over, in the clock's milliseconds; null if none is running. */
  get lastDeadlineMs(): number | null {
    const deadlines = [...this.#entries.values()].filter((e) => e.state === 'running').map((e) => e.deadlineMs);
    return deadlines.length === 0 ? null : Math.max(...deadlines);
  }

  /** Whether a job with this id was ever accepted, so that it is not new work. */
  knows(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The jobs of a link that are running or have just ended: the edge may still be waiting for them. */
  recent(link: number): readonly Job[] {
    const recent = [...this.#entries.values()].filter((e) => e.link === link && e.state !== 'forgotten');
    return recent.slice(-RUNNING_MAX);
  }

  /**
   * Runs a job, once: a repeated one is answered with its evidence so far.
   * @param link number of the link that it came over
   * @param onNews called when there is evidence, and when the job has ended or is forgotten
   */
  accept(proven: ProvenJob, link: number, onNews: (job: Job) => void): Taken {
    const known = this.#entries.get(proven.id);
    if (known !== undefined) {
      if (known.payloadHash !== proven.payloadHash || known.state === 'forgotten') return { kind: 'replay' };
      return { kind: 'repeated', job: known };
    }
    // The edge shares the hosts' capacity between accounts: this is only its limit. Most of a batch waits for its turn.
    if (this.#running >= RUNNING_MAX || this.#addresses + proven.addresses.length > SLOTS_MAX) return { kind: 'busy' };
    const { clock } = this.#deps;
    const { addresses, ...rest } = proven;
    const entry: Entry = {
      ...rest,
      size: addresses.length,
      link,
      stop: new AbortController(),
      deadlineMs: clock.now() + Math.max(0, proven.remainingMs - HOST_ENDS_EARLIER_MS),
      failedBefore: this.#deps.trust.failed,
      onNews,
      items: [],
      state: 'running',
      startedAt: clock.now(),
    };
    this.#entries.set(entry.id, entry);
    this.#count(1, entry);
    void this.#run(
      entry,
      addresses.map(([local, domain]) => ({ local, domain })),
    );
    return { kind: 'started', job: entry };
  }

  /** The edge no longer needs it: sockets are freed, and its findings are dropped. */
  cancel(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const wasRunning = entry.state === 'running';
    forget(entry);
    entry.onNews(entry);
    entry.stop.abort();
    if (wasRunning) this.#ended(entry);
  }

  async #run(entry: Entry, recipients: readonly Recipient[]): Promise<void> {
    const { clock, engine, log } = this.#deps;
    const leftMs = entry.deadlineMs - clock.now();
    const cancelDeadline = clock.after(leftMs, () => entry.stop.abort());
    const doubtful: Promise<void>[] = [];
    let how: 'ended' | 'overdue' | 'failed' = 'ended';
    const overdue = new Promise<'overdue'>((resolve) => {
      entry.stop.signal.addEventListener('abort', () => clock.after(OVERDUE_MS, () => resolve('overdue')));
    });
    try {
      const probe = engine.probe({
        account: accountOf(entry.link, entry.account),
        recipients,
        signal: entry.stop.signal,
        deadlineMs: entry.deadlineMs,
        draws: weeklyDraws(entry.week),
        report: (index, evidence) => {
          if (!isDoubtful(evidence.outcome) && !isByImplicitMx(evidence)) this.#report(entry, index, evidence);
          else doubtful.push(handled(this.#reportIfTrusted(entry, index, evidence, overdue)));
        },
      });
      const end = await Promise.race([probe, overdue]);
      if (end === 'overdue' && entry.state === 'running') log('engine_overdue');
      if (end === 'overdue') how = 'overdue';
      await Promise.all(doubtful);
    } catch (error) {
      how = 'failed';
      log('engine_failed', { error: error instanceof Error ? error.name : typeof error });
    } finally {
      cancelDeadline();
    }
    this.#deps.observer?.jobEnded(entry.state === 'running' ? how : 'cancelled');
    this.#log(entry, how);
    if (entry.state !== 'running') return;
    entry.state = 'ended';
    // First the news, then the count: in between, a draining host must not consider itself done.
    entry.onNews(entry);
    this.#ended(entry);
  }

  #log({ id, items, startedAt, state }: Entry, how: string): void {
    const outcomes: Record<string, number> = {};
    for (const { evidence } of items) outcomes[evidence.outcome.kind] = (outcomes[evidence.outcome.kind] ?? 0) + 1;
    this.#deps.log('job', {
      job: id,
      end: state === 'running' ? how : 'cancelled',
      ms: Math.round(this.#deps.clock.now() - startedAt),
      ...outcomes,
    });
  }

  /** While something on the way refuses mailboxes that exist, or accepts any, nothing that came over it counts. */
  #report(entry: Entry, index: number, found: Evidence): void {
    if (entry.state !== 'running') return;
    const evidence = this.#deps.trust.failing.includes('mailbox') ? { ...found, outcome: OURS } : found;
    this.#deps.observer?.evidence(evidence);
    entry.items.push({ index, evidence });
    entry.onNews(entry);
  }

  /** What a broken resolver or uplink would show as well counts only if no check failed while the job ran. */
  async #reportIfTrusted(entry: Entry, index: number, evidence: Evidence, overdue: Promise<unknown>): Promise<void> {
    const { trust } = this.#deps;
    const proof = needsNoWayOut(evidence.outcome) || isByImplicitMx(evidence) ? 'names' : 'reach';
    const confirmed = await Promise.race([trust.confirm(proof).catch(() => false), overdue.then(() => false)]);
    const trusted = confirmed && trust.failed === entry.failedBefore;
    this.#report(entry, index, trusted ? evidence : { ...evidence, outcome: OURS });
  }

  #ended(entry: Entry): void {
    const { clock } = this.#deps;
    this.#count(-1, entry);
    clock.after(RECENT_MS, () => forget(entry));
    clock.after(Math.max(REMEMBER_MS, entry.deadlineMs - clock.now()), () => this.#entries.delete(entry.id));
  }

  #count(change: 1 | -1, { size }: Entry): void {
    this.#running += change;
    this.#addresses += change * size;
    this.#deps.onCount();
  }
}

/** The cause lies with this host. */
const OURS: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

function forget(entry: Entry): void {
  entry.state = 'forgotten';
  entry.items = [];
}

/** A bug in one is handled where all are awaited; until then its rejection would end the process. */
function handled(report: Promise<void>): Promise<void> {
  report.catch(() => {});
  return report;
}

/** Each object numbers the accounts independently: the same number elsewhere is another account. */
function accountOf(link: number, number: number): number {
  return link * 2 ** 32 + number;
}
