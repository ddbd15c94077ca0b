import type { JobPayload, ToEdge } from '../../schema/link.ts';
import { LINK_VERSION } from '../../schema/link.ts';
import { type Attempt, Attempts, type Found } from './attempts.ts';
import type { FleetLimits } from './limits.ts';
import type { FleetJob, FleetLine } from './protocol.ts';
import { claimant, eligible, isHeard, type Member } from './roster.ts';
import type { FleetWorld, Sink } from './world.ts';

type Cause = Extract<FleetLine, { type: 'end' }>['cause'];
type Report = Extract<ToEdge, { job: string }>;

/** When a job is given up, in the clock's milliseconds; null for what is not waited for. */
type Watch = { ackBy: number | null; reportBy: number; backBy: number | null };

const v = LINK_VERSION;

/** One batch under way: gives its addresses to hosts, watches over their jobs and writes what they find. */
export class FleetBatch {
  readonly #job: FleetJob;
  readonly #world: FleetWorld;
  readonly #limits: FleetLimits;
  readonly #onEnd: () => void;
  readonly #attempts: Attempts;
  readonly #watches = new Map<Attempt, Watch>();
  readonly #written: FleetLine[] = [];
  readonly #endsAt: number;
  #sink: Sink;
  /** While set, only the host that says it runs this batch may have it. */
  #claimBy: number | null;
  /** How long addresses that nobody can take wait for a host. */
  #hostBy: number | null = null;
  #cancelTimer: () => void = () => {};
  #wakesAt = Infinity;
  #over = false;

  /** @param onEnd called once, when the batch needs nothing more */
  constructor(job: FleetJob, sink: Sink, world: FleetWorld, limits: FleetLimits, onEnd: () => void) {
    this.#job = job;
    this.#sink = sink;
    this.#world = world;
    this.#limits = limits;
    this.#onEnd = onEnd;
    const now = world.now();
    this.#endsAt = now + job.remainingMs;
    this.#claimBy = job.again === true ? now + limits.claimWaitMs : null;
    this.#attempts = new Attempts(
      job.batchId,
      job.addresses.map(([, domain]) => domain),
      limits,
      world.peers,
      job.account,
    );
  }

  /** Begins, and goes on after every change of the roster. */
  advance(): void {
    if (this.#over) return;
    const now = this.#world.now();
    if (now >= this.#endsAt) return this.#end('deadline');
    if (this.#endsAt - now <= this.#limits.releaseMs) this.#write(this.#attempts.release());
    if (this.#claimed(now)) {
      const { gifts, final } = this.#attempts.plan(this.#eligible(), this.#endsAt - now, () => this.#world.random());
      this.#write(final);
      for (const gift of gifts) this.#send(this.#attempts.give(gift.to, gift.indexes));
    }
    if (this.#attempts.complete) return this.#end('done');
    if (this.#isDeserted(now)) return this.#end('no_host');
    this.#wake(now);
  }

  /** The Worker asked again while the batch is under way: what is known goes to the new stream, the old one breaks off. */
  attach(job: FleetJob, sink: Sink): void {
    if (JSON.stringify(job.addresses) !== JSON.stringify(this.#job.addresses)) throw new Error('Batch id used twice');
    this.#sink.abandon();
    this.#sink = sink;
    if (this.#written.length > 0) sink.write(this.#written);
  }

  /** The Worker let go of a stream: where it is the current one, nobody waits for the batch any more. */
  letGo(sink: Sink): void {
    if (sink === this.#sink) this.#stop();
  }

  /** A host said something about a job of this batch. */
  hear(from: string, frame: Report): void {
    const attempt = this.#attempts.attempt(frame.job);
    const watch = attempt === null ? undefined : this.#watches.get(attempt);
    if (this.#over || attempt === null || watch === undefined || attempt.to.instance !== from) return;
    if (watch.ackBy !== null) this.#world.doubt(from, false);
    if (watch.ackBy !== null && frame.type !== 'refuse') this.#world.peers.answered(attempt.to, null);
    watch.ackBy = null;
    watch.reportBy = this.#world.now() + this.#limits.reportMs;
    switch (frame.type) {
      case 'ack':
      case 'alive':
        return;
      case 'evidence':
        this.#write(this.#attempts.hear(attempt, frame.items));
        if (attempt.open.size === 0) this.#drop(attempt, false);
        else if (this.#attempts.isFutile(attempt, this.#eligible())) this.#withdraw(attempt);
        break;
      case 'done':
        this.#drop(attempt, attempt.open.size > 0);
        break;
      case 'refuse':
        this.#world.log('job_refused', { host: attempt.to.host, why: frame.why });
        this.#world.peers.answered(attempt.to, frame.why);
        this.#drop(attempt, false);
        break;
    }
    this.advance();
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
    }
    this.#cancelStrays(member);
    this.advance();
  }

  /** Whether this batch waits for the host that ran it before this object was. */
  #claimed(now: number): boolean {
    if (this.#watches.size > 0 || this.#written.length > 0) return true;
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
    const ours = member.running.filter((id) => id.startsWith(`${this.#job.batchId}.`));
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
    this.#world.log('job_withdrawn', { host: attempt.to.host, missing: attempt.open.size });
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
    const { jobId, to } = attempt;
    this.#watches.set(attempt, {
      ackBy: now + this.#limits.ackMs,
      reportBy: now + this.#limits.reportMs,
      backBy: null,
    });
    this.#world.note(to.instance, jobId, true);
    this.#world.peers.given(to);
    const addresses: JobPayload['addresses'] = attempt.indexes.flatMap((index) => {
      const address = this.#job.addresses[index];
      return address === undefined ? [] : [[...address]];
    });
    const payload = JSON.stringify({ addresses } satisfies JobPayload);
    const sent = this.#world
      .sign({ jobId, to, remainingMs: Math.max(0, Math.round(this.#endsAt - now)), payload })
      .then((token) => this.#isCurrent(attempt) && this.#world.send(to.instance, { v, type: 'job', token, payload }));
    sent.catch((error: unknown) => {
      this.#world.log('job_not_signed', { error: error instanceof Error ? error.name : typeof error });
      if (this.#isCurrent(attempt)) this.#lose(attempt, 'not_signed');
      this.advance();
    });
  }

  #isCurrent(attempt: Attempt): boolean {
    return !this.#over && this.#attempts.attempt(attempt.jobId) === attempt;
  }

  #lose(attempt: Attempt, why: 'gone' | 'no_ack' | 'silent' | 'not_signed'): void {
    if (why === 'no_ack' || why === 'silent') this.#world.doubt(attempt.to.instance, true);
    this.#world.log('job_lost', { host: attempt.to.host, why, missing: attempt.open.size });
    this.#world.send(attempt.to.instance, { v, type: 'cancel', job: attempt.jobId });
    this.#drop(attempt, true);
  }

  #drop(attempt: Attempt, lost: boolean): void {
    this.#watches.delete(attempt);
    this.#attempts.close(attempt, lost);
    this.#world.note(attempt.to.instance, attempt.jobId, false);
  }

  #write(found: readonly Found[]): void {
    if (found.length === 0) return;
    const lines = found.map(([index, evidence]) => ({ type: 'evidence', i: index, evidence }) as const);
    this.#written.push(...lines);
    this.#sink.write(lines);
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
    this.#cancelTimer();
    for (const { to, jobId, open } of this.#attempts.out) {
      // A host that has reported everything is at its end anyway.
      if (open.size > 0) this.#world.send(to.instance, { v, type: 'cancel', job: jobId });
      this.#world.note(to.instance, jobId, false);
    }
    if (this.#attempts.dropped > 0) this.#world.log('evidence_dropped', { count: this.#attempts.dropped });
    this.#onEnd();
  }

  /** Sleeps until the next thing that is due. */
  #wake(now: number): void {
    const dues = [this.#endsAt, this.#endsAt - this.#limits.releaseMs, this.#hostBy, this.#claimBy];
    for (const { ackBy, reportBy, backBy } of this.#watches.values()) dues.push(ackBy, reportBy, backBy);
    const next = Math.min(...dues.filter((due) => due !== null && due > now).map(Number));
    // A timer that comes too early only looks; to set another for every frame costs more.
    if (next >= this.#wakesAt) return;
    this.#cancelTimer();
    this.#wakesAt = next;
    this.#cancelTimer = this.#world.after(next - now, () => this.#onTime());
  }

  #onTime(): void {
    this.#wakesAt = Infinity;
    const now = this.#world.now();
    for (const [attempt, { ackBy, reportBy, backBy }] of this.#watches) {
      if (backBy !== null) {
        if (now >= backBy) this.#lose(attempt, 'gone');
      } else if (ackBy !== null && now >= ackBy) this.#lose(attempt, 'no_ack');
      else if (now >= reportBy) this.#lose(attempt, 'silent');
    }
    this.advance();
  }
}
