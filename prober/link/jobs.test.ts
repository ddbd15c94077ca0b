import { describe, expect, it } from 'vitest';
import type { ProbeBatch } from '../engine/batch.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { everyone, ScriptedEngine } from '../testing/scripted-engine.ts';
import { ACCEPTED, POLICY, seen, TIMEOUT } from '../../schema/testing/evidence.ts';
import { type Job, Jobs, type Trust } from './jobs.ts';
import type { ProvenJob } from './verify-job.ts';

const BELIEVED: Trust = { failed: 0, confirm: () => Promise.resolve(true) };
const proven = (changes: Partial<ProvenJob> = {}): ProvenJob => ({
  id: 'b.1',
  remainingMs: 90_000,
  account: 5,
  payloadHash: 'hash',
  addresses: [
    ['x', 'a.test'],
    ['y', 'b.test'],
  ],
  ...changes,
});

type Play = { jobs: Jobs; clock: FakeClock; engine: ScriptedEngine; news: Job[]; log: string[]; counts: number[] };

function play(answer: ((batch: ProbeBatch) => void) | null = null, trust: Trust = BELIEVED): Play {
  const clock = new FakeClock();
  const engine = new ScriptedEngine(answer);
  const log: string[] = [];
  const counts: number[] = [];
  const jobs: Jobs = new Jobs({
    engine,
    clock,
    trust,
    log: (event) => log.push(event),
    onCount: () => counts.push(jobs.running),
  });
  return { jobs, clock, engine, news: [], log, counts };
}
const take = (p: Play, changes: Partial<ProvenJob> = {}): ReturnType<Jobs['take']> =>
  p.jobs.take(proven(changes), 0, (job) => p.news.push(job));

function jobOf(taken: ReturnType<Jobs['take']>): Job {
  if ('job' in taken) return taken.job;
  throw new Error(`no job: ${taken.kind}`);
}

describe('Jobs', () => {
  it('runs a job through the engine and keeps its evidence', async () => {
    const p = play(everyone(ACCEPTED));
    const job = jobOf(take(p));
    await p.clock.settle();
    expect(job).toMatchObject({
      id: 'b.1',
      state: 'ended',
      items: [
        { index: 0, evidence: ACCEPTED },
        { index: 1, evidence: ACCEPTED },
      ],
    });
    expect(p.counts).toEqual([1, 0]);
  });

  it('runs a job once and answers a repeated one with what it has', async () => {
    const p = play();
    const job = jobOf(take(p));
    p.engine.batches[0]?.report(1, ACCEPTED);
    expect(take(p)).toEqual({ kind: 'repeated', job });
    p.engine.batches[0]?.end();
    await p.clock.settle();
    expect(take(p)).toEqual({ kind: 'repeated', job });
    expect(job.items).toHaveLength(1);
    expect(p.engine.batches).toHaveLength(1);
  });

  it('takes the same number of two Fleet objects for two accounts', () => {
    const p = play();
    for (const link of [0, 1]) p.jobs.take(proven({ id: `b${link}.1`, account: 2 ** 32 - 1 }), link, () => {});
    take(p, { id: 'b2.1', account: 0 });
    take(p, { id: 'b3.1', account: 2 ** 32 - 1 });
    const [first, second, third, fourth] = p.engine.batches.map(({ account }) => account);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(fourth).toBe(first);
  });

  it('refuses an id that comes with another payload, or after a cancel', () => {
    const p = play();
    take(p);
    expect(take(p, { payloadHash: 'other' })).toEqual({ kind: 'replay' });
    p.jobs.cancel('b.1');
    expect(take(p)).toEqual({ kind: 'replay' });
    expect(p.engine.batches).toHaveLength(1);
  });

  it('refuses an id for as long as its token could be fresh, and then forgets it', async () => {
    const p = play(everyone(ACCEPTED));
    take(p, { remainingMs: 10_000 });
    await p.clock.advance(119_000);
    expect(p.jobs.knows('b.1')).toBe(true);
    await p.clock.advance(2_000);
    expect(p.jobs.knows('b.1')).toBe(false);
  });

  it('stops the engine 2 s before the edge ends', async () => {
    const p = play();
    const job = jobOf(take(p, { remainingMs: 10_000 }));
    const batch = p.engine.batches[0];
    expect(batch?.deadlineMs).toBe(8_000);
    await p.clock.advance(7_999);
    expect(batch?.signal.aborted).toBe(false);
    await p.clock.advance(1);
    expect(batch?.signal.aborted).toBe(true);
    expect(job.state).toBe('ended');
  });

  it('stops the engine at once if no time is left', async () => {
    const p = play();
    take(p, { remainingMs: 1_000 });
    await p.clock.advance(0);
    expect(p.engine.batches[0]).toMatchObject({ deadlineMs: 0, signal: { aborted: true } });
  });

  it('leaves an engine behind that does not end', async () => {
    const p = play();
    p.engine.probe = () => new Promise(() => {});
    const job = jobOf(take(p, { remainingMs: 10_000 }));
    await p.clock.advance(9_000);
    expect(job.state).toBe('ended');
    expect(p.log).toEqual(['engine_overdue']);
  });

  it('says nothing of an engine that does not end after a cancel', async () => {
    const p = play();
    p.engine.probe = () => new Promise(() => {});
    take(p, { remainingMs: 10_000 });
    p.jobs.cancel('b.1');
    await p.clock.advance(20_000);
    expect(p.log).toEqual([]);
  });

  it('knows when the last of the running jobs is over', async () => {
    const p = play();
    expect(p.jobs.lastDeadlineMs).toBeNull();
    take(p, { id: 'long.1', remainingMs: 40_000 });
    take(p, { id: 'short.1', remainingMs: 10_000 });
    take(p, { id: 'gone.1', remainingMs: 90_000 });
    p.jobs.cancel('gone.1');
    expect(p.jobs.lastDeadlineMs).toBe(38_000);
    await p.clock.advance(40_000);
    expect(p.jobs.lastDeadlineMs).toBeNull();
  });

  it('counts a job that is cancelled after its end once', async () => {
    const p = play(everyone(ACCEPTED));
    take(p);
    await p.clock.settle();
    p.jobs.cancel('b.1');
    expect(p.jobs.running).toBe(0);
    expect(p.counts).toEqual([1, 0]);
  });

  it('refuses the id of a long job until its deadline, though it ended early', async () => {
    const p = play(everyone(ACCEPTED));
    take(p, { remainingMs: 302_000 });
    await p.clock.advance(299_000);
    expect(p.jobs.knows('b.1')).toBe(true);
    await p.clock.advance(2_000);
    expect(p.jobs.knows('b.1')).toBe(false);
  });

  it('ends the job if the engine fails, with what it has', async () => {
    const p = play();
    p.engine.probe = ({ report }) => {
      report(0, ACCEPTED);
      return Promise.reject(new TypeError('a bug'));
    };
    const job = jobOf(take(p));
    await p.clock.settle();
    expect(job).toMatchObject({ state: 'ended', items: [{ index: 0 }] });
    expect(p.log).toEqual(['engine_failed']);
  });

  it('forgets what a cancelled job found, and reports no more of it', async () => {
    const p = play();
    const job = jobOf(take(p));
    const batch = p.engine.batches[0];
    batch?.report(0, ACCEPTED);
    p.jobs.cancel('b.1');
    batch?.report(1, ACCEPTED);
    await p.clock.settle();
    expect(batch?.signal.aborted).toBe(true);
    expect(job).toMatchObject({ state: 'cancelled', items: [] });
    expect(p.news).toHaveLength(1);
    expect(p.counts).toEqual([1, 0]);
    p.jobs.cancel('b.1');
    p.jobs.cancel('unknown.1');
    expect(p.counts).toEqual([1, 0]);
  });

  it('names the jobs of a link that run or ended less than 30 s ago', async () => {
    const p = play(everyone(ACCEPTED));
    take(p, { id: 'old.1' });
    await p.clock.advance(20_000);
    take(p, { id: 'new.1' });
    p.jobs.take(proven({ id: 'elsewhere.1' }), 1, () => {});
    await p.clock.advance(10_001);
    expect(p.jobs.recent(0).map((job) => job.id)).toEqual(['new.1']);
    expect(p.jobs.recent(1).map((job) => job.id)).toEqual(['elsewhere.1']);
  });

  it('still names a job 30 s after its end', async () => {
    const p = play(everyone(ACCEPTED));
    take(p);
    await p.clock.advance(30_000);
    expect(p.jobs.recent(0)).toHaveLength(1);
  });

  it('names the newest thousand jobs at most', async () => {
    const p = play();
    take(p, { id: 'first.1' });
    p.engine.batches[0]?.end();
    await p.clock.settle();
    for (let n = 0; n < 1_000; n += 1) take(p, { id: `b${n}.1`, account: n });
    const named = p.jobs.recent(0).map((job) => job.id);
    expect(named).toHaveLength(1_000);
    expect(named).not.toContain('first.1');
  });

  it('says busy beyond a thousand jobs at once', () => {
    const p = play();
    for (let n = 0; n < 1_000; n += 1) take(p, { id: `b${n}.1`, account: n });
    expect(take(p, { id: 'more.1', account: -1 })).toEqual({ kind: 'busy' });
    p.jobs.cancel('b7.1');
    expect(take(p, { id: 'more.1', account: -1 }).kind).toBe('started');
  });

  it('gives an account as many jobs as it leaves free, so that a thousand of one keep out nobody', async () => {
    const p = play();
    const kinds = (account: number, count: number): number =>
      Array.from({ length: count }, (_, n) => take(p, { id: `${account}-${n}.1`, account }).kind).filter(
        (kind) => kind === 'started',
      ).length;
    expect([kinds(1, 1_000), kinds(2, 1_000), kinds(3, 1)]).toEqual([500, 250, 1]);
    p.engine.batches[0]?.end();
    await p.clock.settle();
    expect(take(p, { id: 'again.1', account: 2 }).kind).toBe('busy');
    expect(take(p, { id: 'again.1', account: 3 }).kind).toBe('started');
  });

  it('counts an account by the link that brought its job: other objects number on their own', () => {
    const p = play();
    for (let n = 0; n < 500; n += 1) take(p, { id: `b${n}.1` });
    expect(take(p, { id: 'more.1' }).kind).toBe('busy');
    expect(p.jobs.take(proven({ id: 'other.1' }), 1, () => undefined).kind).toBe('started');
  });

  it('keeps the evidence of a thousand finished jobs and the ids of all', async () => {
    const p = play(everyone(ACCEPTED));
    for (let n = 0; n < 1_002; n += 1) {
      take(p, { id: `b${n}.1` });
      await Promise.resolve();
    }
    await p.clock.settle();
    expect([take(p, { id: 'b0.1' }), take(p, { id: 'b1.1' })]).toEqual([{ kind: 'replay' }, { kind: 'replay' }]);
    expect(take(p, { id: 'b2.1' }).kind).toBe('repeated');
    expect(take(p, { id: 'b1001.1' }).kind).toBe('repeated');
  });

  describe('evidence that a broken host would give of every address', () => {
    const implicit = seen({ kind: 'no_mail_domain', why: 'nxdomain' });
    const literal = seen({ kind: 'no_mail_domain', why: 'address_literal' });
    const unprobed = { kind: 'unprobed', why: 'host', waitS: null };

    it('counts after the host has checked itself', async () => {
      let asked = 0;
      const p = play(
        (batch) => {
          batch.report(0, TIMEOUT);
          batch.report(1, implicit);
        },
        { failed: 0, confirm: () => Promise.resolve(++asked > 0) },
      );
      const job = jobOf(take(p));
      await p.clock.settle();
      expect(job.items.map(({ evidence }) => evidence.outcome)).toEqual([TIMEOUT.outcome, implicit.outcome]);
      expect(asked).toBe(2);
    });

    it('does not count if the check fails, and what needs no network does', async () => {
      const outcomes = [
        TIMEOUT,
        implicit,
        seen({ kind: 'mx_lookup_failed' }),
        seen({ kind: 'mx_hosts_missing' }),
        seen({ kind: 'connection_error', greeted: true }),
        literal,
        POLICY,
        ACCEPTED,
      ];
      const p = play((batch) => outcomes.forEach((evidence, index) => batch.report(index, evidence)), {
        failed: 0,
        confirm: () => Promise.resolve(false),
      });
      const job = jobOf(take(p));
      await p.clock.settle();
      const told = new Map(job.items.map(({ index, evidence }) => [index, evidence.outcome]));
      expect([0, 1, 2, 3, 4].map((i) => told.get(i))).toEqual(Array.from({ length: 5 }, () => unprobed));
      expect([5, 6, 7].map((i) => told.get(i))).toEqual([literal.outcome, POLICY.outcome, ACCEPTED.outcome]);
      expect(job.state).toBe('ended');
    });

    it('does not count if a check failed while the job ran, though the host is well again', async () => {
      const trust = { failed: 3, confirm: () => Promise.resolve(true) };
      const p = play(null, trust);
      const job = jobOf(take(p));
      p.engine.batches[0]?.report(0, TIMEOUT);
      await p.clock.settle();
      trust.failed = 4;
      p.engine.batches[0]?.report(1, TIMEOUT);
      await p.clock.settle();
      expect(job.items.map(({ evidence }) => evidence.outcome)).toEqual([TIMEOUT.outcome, unprobed]);
    });

    it('does not count if the check takes too long', async () => {
      const p = play(everyone(TIMEOUT), { failed: 0, confirm: () => new Promise(() => {}) });
      const job = jobOf(take(p, { remainingMs: 10_000 }));
      await p.clock.advance(9_000);
      expect(job.items.map(({ evidence }) => evidence.outcome)).toEqual([unprobed, unprobed]);
      expect(job.state).toBe('ended');
    });
  });
});

async function leaves(changes: Partial<ProvenJob>, afterMs = 0): Promise<number | undefined> {
  const clock = new FakeClock();
  const engine = new ScriptedEngine();
  const deps = { engine, clock, trust: BELIEVED, log: () => undefined, onCount: () => undefined };
  const jobs = new Jobs({ ...deps, restsUntil: () => 7_000_000 });
  jobs.take(proven(changes), 0, () => undefined);
  await clock.advance(afterMs);
  return engine.batches[0]?.restsUntil?.(null, 'mx.a.test');
}

describe('what this host leaves to others', () => {
  it('is asked all the same unless the job says that another host is there', async () => {
    expect(await leaves({})).toBeUndefined();
    expect(await leaves({ mayDecline: false })).toBeUndefined();
    expect(await leaves({ mayDecline: true })).toBe(7_000_000);
  });

  it('is asked all the same once too little time is left for another host', async () => {
    expect(await leaves({ mayDecline: true }, 77_000)).toBe(7_000_000);
    expect(await leaves({ mayDecline: true }, 79_000)).toBe(0);
  });

  it('is learnt by the address that asked', async () => {
    const clock = new FakeClock();
    const engine = new ScriptedEngine((batch) => {
      batch.report(0, POLICY, '192.0.2.1');
      batch.report(1, ACCEPTED);
    });
    const told: unknown[] = [];
    const deps = { engine, clock, trust: BELIEVED, log: () => undefined, onCount: () => undefined };
    const jobs = new Jobs({ ...deps, onDomain: (evidence, from) => told.push([evidence, from]) });
    jobs.take(proven(), 0, () => undefined);
    await clock.settle();
    expect(told).toEqual([
      [POLICY, '192.0.2.1'],
      [ACCEPTED, null],
    ]);
  });
});
