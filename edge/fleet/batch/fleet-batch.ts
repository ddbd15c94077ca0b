import { LINK_VERSION, type LinkEvidence, type ToEdge } from '../../../schema/link.ts';
import { Alarm } from './alarm.ts';
import { type Attempt, Attempts, type Found } from './attempts.ts';
import { BatchAddresses } from './batch-addresses.ts';
import { NO_MX } from '../trust/doubt.ts';
import { renumber, ROWS_MAX } from './job-rows.ts';
import type { FleetLimits } from './limits.ts';
import type { FleetJob, FleetLine } from '../../base/fleet-protocol.ts';
import { claimant, eligible, type HostRef, isHeard, type Member } from '../trust/roster.ts';
import { type Watch, whyLost } from './watch.ts';
import type { FleetWorld, Sink } from '../trust/world.ts';

type Cause = Extract<FleetLine, { type: 'end' }>['cause'];
type Report = Extract<ToEdge, { job: string }>;
type News = Extract<ToEdge, { type: 'evidence' }>;

const v = LINK_VERSION;

/**
 * One batch under way: gives its addresses to hosts, watches over their jobs and writes what they find.
 *
 * An object has hundreds of them, so it keeps what it must: the addresses as bytes, and evidence only while another host
 * may learn more. MX go through it to the Worker, and what was written is the Worker's; for a stream that broke, the
 * hosts are asked for theirs again.
 */
export class FleetBatch {
  readonly #batchId: string;
  readonly #addresses: BatchAddresses;
  readonly #world: FleetWorld;
  readonly #limits: FleetLimits;
  readonly #onEnd: () => void;
  #attempts: Attempts;
  readonly #watches = new Map<Attempt, Watch>();
  /** Who was given the first job, that of all addresses. */
  #first: HostRef | null = null;
  #isBegun = false;
  readonly #endsAt: number;
  /** The account's number. */
  readonly #account: number;
  /** The account, as what speaks against a host is counted. */
  readonly #whose: string;
  /** Whether the row without MX was written. */
  #hasNoMx = false;
  #sink: Sink;
  /** While set, only the host that says it runs this batch may have it. */
  #claimBy: number | null;
  /** How long addresses that nobody can take wait for a host. */
  #hostBy: number | null = null;
  readonly #alarm: Alarm;
  #over = false;

  /** @param onEnd called once, when the batch needs nothing more */
  constructor(job: FleetJob, sink: Sink, world: FleetWorld, limits: FleetLimits, onEnd: () => void) {
    this.#batchId = job.batchId;
    this.#addresses = new BatchAddresses(job.addresses);
    this.#sink = sink;
    this.#world = world;
    this.#limits = limits;
    this.#onEnd = onEnd;
    this.#alarm = new Alarm(world, () => this.#onTime());
    const now = world.now();
    this.#endsAt = now + job.remainingMs;
    this.#account = world.numberOf(job.account ?? job.batchId);
    this.#claimBy = job.again === true ? now + limits.claimWaitMs : null;
    this.#whose = job.account ?? '';
    this.#attempts = this.#open(job);
  }

  /** Addresses with no host, or that another host may learn more of: a host that joins is of use. */
  get seeks(): boolean {
    return !this.#over && (this.#claimBy !== null || this.#attempts.waiting || this.#attempts.holding);
  }

  /** Begins, and goes on after every change of the roster. */
  advance(): void {
    if (this.#over) return;
    const now = this.#world.now();
    if (now >= this.#endsAt) return this.#end('deadline');
    if (this.#endsAt - now <= this.#limits.releaseMs) this.#write(this.#attempts.release());
    if (this.#claimed(now)) {
      const members = this.#eligible();
      const { gifts, final } = this.#attempts.plan(members, this.#endsAt - now, () => this.#world.random());
      this.#write(final);
      for (const gift of gifts) this.#send(this.#attempts.give(gift.to, gift.indexes, members));
    }
    if (this.#attempts.complete) return this.#end('done');
    if (this.#isDeserted(now)) return this.#end('no_host');
    this.#wake(now);
  }

  /**
   * The Worker asked again while the batch is under way: the old stream breaks off, and the book begins anew with what
   * the Worker says it knows. The host of the first job says again what it found; what others had is asked for anew.
   * @throws Error for other addresses
   */
  attach(job: FleetJob, sink: Sink): void {
    if (!this.#addresses.isSame(job.addresses)) throw new Error('Batch id used twice');
    this.#sink.abandon();
    this.#sink = sink;
    this.#hasNoMx = false;
    const next = this.#attempts.next;
    for (const attempt of this.#attempts.out) {
      if (attempt.jobId !== this.#attempts.firstId) this.#cancel(attempt);
      this.#drop(attempt, false);
    }
    this.#attempts = this.#open(job);
    this.#attempts.skip([`${this.#batchId}.${next - 1}`]);
    if (this.#first !== null) this.#send(this.#attempts.resume(this.#first));
    this.advance();
  }

  /** The Worker let go of a stream: if it is the current one, nobody waits for the batch any more. */
  letGo(sink: Sink): void {
    if (sink === this.#sink) this.#stop();
  }

  /** What the Worker has not taken yet of what was written. */
  get unread(): number {
    return this.#sink.unread;
  }

  /** A host said something about a job of this batch. @returns whether it was anything new */
  hear(from: string, frame: Report): boolean {
    const attempt = this.#attempts.attempt(frame.job);
    const watch = attempt === null ? undefined : this.#watches.get(attempt);
    if (this.#over || attempt === null || watch === undefined || attempt.to.instance !== from) return false;
    const missing = attempt.open.size;
    let isNew = watch.ackBy !== null;
    if (watch.ackBy !== null) this.#world.doubt(from, false);
    if (watch.ackBy !== null && frame.type !== 'refuse') this.#world.peers.answered(attempt.to, null);
    watch.ackBy = null;
    watch.reportBy = this.#world.now() + this.#limits.reportMs;
    switch (frame.type) {
      case 'ack':
      case 'alive':
        return isNew;
      case 'evidence':
        this.#take(attempt, watch, frame);
        isNew ||= attempt.open.size < missing;
        if (attempt.open.size === 0) this.#drop(attempt, false);
        else if (this.#attempts.isFutile(attempt, this.#eligible())) this.#withdraw(attempt);
        break;
      case 'done':
        isNew = true;
        this.#drop(attempt, attempt.open.size > 0);
        break;
      case 'refuse':
        isNew = true;
        this.#world.log('warn', 'job_refused', { host: attempt.to.host, why: frame.why });
        // Full, for this account or for all, is no fault of the host's, and nothing that a customer may bring about.
        this.#world.peers.answered(attempt.to, frame.why === 'busy' ? null : frame.why);
        this.#drop(attempt, false);
        break;
    }
    this.advance();
    return isNew;
  }

  /** The link of a process broke, or (`forGood`) was ended. */
  hostGone(instance: string, forGood: boolean): void {
    for (const [attempt, watch] of this.#watches) {
      if (attempt.to.instance !== instance) continue;
      if (forGood) this.#lose(attempt, 'gone');
      else watch.backBy ??= this.#world.now() + this.#limits.resumeMs;
    }
    this.advance();
  }

  /** A process said hello: it goes on with its jobs, or gets them again. */
  hostBack(member: Member): void {
    if (this.#over) return;
    const now = this.#world.now();
    for (const [attempt, watch] of this.#watches) {
      if (attempt.to.instance !== member.instance) continue;
      watch.backBy = null;
      watch.reportBy = now + this.#limits.reportMs;
      if (!member.running.includes(attempt.jobId)) this.#send(attempt);
      else if (watch.ackBy !== null) {
        // Who names a job has it: the acknowledgement was lost with the link.
        watch.ackBy = null;
        this.#world.doubt(member.instance, false);
        this.#world.peers.answered(attempt.to, null);
      }
    }
    this.#cancelStrays(member);
    this.advance();
  }

  /** Whether this batch waits for the host that ran it before this object was. */
  #claimed(now: number): boolean {
    if (this.#watches.size > 0 || this.#isBegun) return true;
    const members = this.#world.members().filter((m) => isHeard(m, now, this.#limits.silentAfterMs));
    const host = claimant(members, this.#attempts.firstId);
    if (host !== null) this.#send(this.#attempts.resume(host));
    for (const member of members) this.#cancelStrays(member);
    const waits = host === null && this.#claimBy !== null && now < this.#claimBy;
    if (!waits) this.#claimBy = null;
    return !waits;
  }

  /** Jobs of this batch that nobody here knows of: an earlier object gave them, or they were given to others since. */
  #cancelStrays(member: Member): void {
    const ours = member.running.filter((id) => id.startsWith(`${this.#batchId}.`));
    this.#attempts.skip(ours);
    for (const job of ours) {
      const isFirst = job === this.#attempts.firstId && this.#watches.size === 0;
      if (isFirst || this.#attempts.attempt(job)?.to.instance === member.instance) continue;
      this.#world.send(member.instance, { v, type: 'cancel', job });
      this.#world.note(member.instance, job, false);
    }
  }

  #eligible(): readonly Member[] {
    return eligible(this.#world.members(), this.#world.now(), this.#limits.silentAfterMs);
  }

  /** What it has not reported goes to other hosts. */
  #withdraw(attempt: Attempt): void {
    this.#world.log('info', 'job_withdrawn', { host: attempt.to.host, missing: attempt.open.size });
    this.#world.send(attempt.to.instance, { v, type: 'cancel', job: attempt.jobId });
    this.#drop(attempt, false);
  }

  #isDeserted(now: number): boolean {
    if (this.#watches.size > 0 || this.#claimBy !== null) {
      this.#hostBy = null;
      return false;
    }
    this.#hostBy ??= now + this.#limits.hostWaitMs;
    return this.#attempts.exhausted || now >= this.#hostBy;
  }

  #send(attempt: Attempt): void {
    const now = this.#world.now();
    const { jobId, to, mayDecline } = attempt;
    this.#watches.set(attempt, {
      ackBy: now + this.#limits.ackMs,
      reportBy: now + this.#limits.reportMs,
      backBy: null,
      rows: new Uint8Array(ROWS_MAX),
    });
    if (jobId === this.#attempts.firstId) this.#first = to;
    this.#world.note(to.instance, jobId, true);
    this.#world.peers.given(to);
    const payload = this.#addresses.payload(attempt.indexes);
    const remainingMs = Math.max(0, Math.round(this.#endsAt - now));
    const sent = this.#world
      .sign({ jobId, to, remainingMs, account: this.#account, mayDecline, payload })
      .then((token) => this.#isCurrent(attempt) && this.#world.send(to.instance, { v, type: 'job', token, payload }));
    sent.catch((error: unknown) => {
      this.#world.log('error', 'job_not_signed', { error: error instanceof Error ? error.name : typeof error });
      if (this.#isCurrent(attempt)) this.#lose(attempt, 'not_signed');
      this.advance();
    });
  }

  #isCurrent(attempt: Attempt): boolean {
    return !this.#over && this.#attempts.attempt(attempt.jobId) === attempt;
  }

  #lose(attempt: Attempt, why: 'gone' | 'no_ack' | 'silent' | 'not_signed'): void {
    if (why === 'no_ack' || why === 'silent') this.#world.doubt(attempt.to.instance, true);
    this.#world.log('warn', 'job_lost', { host: attempt.to.host, why, missing: attempt.open.size });
    this.#cancel(attempt);
    this.#drop(attempt, true);
  }

  #cancel({ to, jobId }: Attempt): void {
    this.#world.send(to.instance, { v, type: 'cancel', job: jobId });
  }

  #drop(attempt: Attempt, lost: boolean): void {
    this.#watches.delete(attempt);
    this.#attempts.close(attempt, lost);
    this.#world.note(attempt.to.instance, attempt.jobId, false);
  }

  /** MX rows go on at once, under numbers that no two jobs share; evidence when it is final. */
  #take(attempt: Attempt, watch: Watch, frame: News): void {
    const { rows, items, missed } = renumber(frame, watch.rows, Number(attempt.jobId.slice(this.#batchId.length + 1)));
    if (rows.length > 0) this.#sink.write(rows.map((row) => ({ ...row, type: 'mx' }) as const));
    this.#attempts.miss(missed);
    const final = this.#attempts.hear(attempt, items);
    this.#write(final);
    this.#offer(attempt.to, final, new Set(items.map(({ evidence }) => evidence)));
  }

  /** What this host found out, and nobody has to find out any more, may be compared. */
  #offer(from: HostRef, final: readonly Found[], own: ReadonlySet<LinkEvidence>): void {
    for (const [index, evidence] of final) {
      const payload = (): string => this.#addresses.payload([index]);
      if (own.has(evidence)) this.#world.compare?.({ from, evidence, account: this.#whose, payload });
    }
  }

  /** The book of the batch, with what the Worker has already. */
  #open(job: FleetJob): Attempts {
    const domains = job.addresses.map(([, domain]) => domain);
    const attempts = new Attempts(job.batchId, domains, this.#limits, this.#world.peers, this.#whose);
    attempts.know(job.known ?? []);
    return attempts;
  }

  #write(found: readonly Found[]): void {
    if (found.length === 0) return;
    this.#isBegun = true;
    if (!this.#hasNoMx && found.some(([, { mx }]) => mx === NO_MX)) {
      this.#hasNoMx = true;
      this.#sink.write([{ type: 'mx', n: NO_MX, mx: [], mxFound: false }]);
    }
    this.#sink.write(found.map(([index, evidence]) => ({ type: 'evidence', i: index, evidence }) as const));
  }

  #end(cause: Cause): void {
    this.#write(this.#attempts.release());
    const sink = this.#sink;
    sink.write([{ type: 'end', cause: this.#attempts.complete ? 'done' : cause }]);
    this.#stop();
    sink.end();
  }

  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#alarm.cancel();
    for (const attempt of this.#attempts.out) {
      // A host that has reported everything is at its end anyway.
      if (attempt.open.size > 0) this.#cancel(attempt);
      this.#world.note(attempt.to.instance, attempt.jobId, false);
    }
    if (this.#attempts.dropped > 0) this.#world.log('warn', 'evidence_dropped', { count: this.#attempts.dropped });
    this.#onEnd();
  }

  /** Sleeps until the next thing that is due. */
  #wake(now: number): void {
    const dues = [this.#endsAt, this.#endsAt - this.#limits.releaseMs, this.#hostBy, this.#claimBy];
    for (const { ackBy, reportBy, backBy } of this.#watches.values()) dues.push(ackBy, reportBy, backBy);
    this.#alarm.set(dues, now);
  }

  #onTime(): void {
    const now = this.#world.now();
    for (const [attempt, watch] of this.#watches) {
      const why = whyLost(watch, now);
      if (why !== null) this.#lose(attempt, why);
    }
    this.advance();
  }
}
