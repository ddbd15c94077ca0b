import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ACCEPTED } from '../../schema/testing/evidence.ts';
import type { ProbeBatch } from '../engine/batch.ts';
import { jobOf, type Play, play, proven, accept } from '../testing/jobs-play.ts';
import { everyone } from '../testing/scripted-engine.ts';
import { Outbox } from './outbox.ts';

const addresses = (count: number): Array<[string, string]> => Array.from({ length: count }, () => ['x', 'a.test']);

/** Collects what nothing refers to any more. */
async function collect(): Promise<void> {
  // What a weak reference led to in this turn of the loop stays until its end.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

describe('Jobs', () => {
  it.each<[string, (p: Play) => Promise<void> | void]>([
    ['cancelled', ({ jobs }) => jobs.cancel('b.1')],
    ['cancelled before anything was sent of it', ({ jobs }) => jobs.cancel('b.1')],
    ['finished', ({ engine }) => engine.batches[0]?.end()],
    ['cut off at its deadline', ({ clock }) => clock.advance(90_000)],
  ])('keeps no address of a job that is %s, and later nothing of it, although the link stands', async (how, end) => {
    const p = play();
    const outbox = new Outbox({ send: () => undefined, clock: p.clock, gatherMs: 10 });
    const [given, kept] = ((): readonly WeakRef<object>[] => {
      const job = proven({ addresses: addresses(500) });
      const taken = p.jobs.accept(job, 0, (news) => outbox.add(news));
      return [new WeakRef(job.addresses), new WeakRef(jobOf(taken))];
    })();
    if (!how.includes('before')) p.engine.batches[0]?.report(0, { ...ACCEPTED, mx: ['mx.a.test'] });
    await p.clock.advance(10);
    await end(p);
    await p.clock.advance(2_000);
    p.engine.batches.splice(0);
    await collect();
    expect(given?.deref()).toBeUndefined();
    await p.clock.advance(200_000);
    await collect();
    expect(kept?.deref()).toBeUndefined();
    outbox.alive([], 0);
  });

  it('runs a job through the engine, keeps its evidence, logs its outcomes, and counts it once', async () => {
    const p = play(everyone(ACCEPTED));
    const job = jobOf(accept(p));
    await p.clock.settle();
    expect(job).toMatchObject({
      id: 'b.1',
      state: 'ended',
      items: [
        { index: 0, evidence: ACCEPTED },
        { index: 1, evidence: ACCEPTED },
      ],
    });
    expect(p.jobLines).toEqual([{ job: 'b.1', end: 'ended', ms: 0, accepted: 2 }]);
    p.jobs.cancel('b.1');
    expect([p.counts, p.jobs.running]).toEqual([[1, 0], 0]);
  });

  it('runs a job once, and answers a repeated one with its evidence', async () => {
    const p = play();
    const job = jobOf(accept(p));
    p.engine.batches[0]?.report(1, ACCEPTED);
    expect(accept(p)).toEqual({ kind: 'repeated', job });
    p.engine.batches[0]?.end();
    await p.clock.settle();
    expect(accept(p)).toEqual({ kind: 'repeated', job });
    expect(job.items).toHaveLength(1);
    expect(p.engine.batches).toHaveLength(1);
  });

  it('keeps accounts apart that have the same number in two Fleet objects', () => {
    const p = play();
    for (const link of [0, 1]) p.jobs.accept(proven({ id: `b${link}.1`, account: 2 ** 32 - 1 }), link, () => {});
    accept(p, { id: 'b2.1', account: 0 });
    accept(p, { id: 'b3.1', account: 2 ** 32 - 1 });
    const [first, second, third, fourth] = p.engine.batches.map(({ account }) => account);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(fourth).toBe(first);
  });

  it('refuses an id with another payload, or after a cancel', () => {
    const p = play();
    accept(p);
    expect(accept(p, { payloadHash: 'other' })).toEqual({ kind: 'replay' });
    p.jobs.cancel('b.1');
    expect(accept(p)).toEqual({ kind: 'replay' });
    expect(p.engine.batches).toHaveLength(1);
  });

  it.each([
    ['for as long as its token could be fresh', 10_000, 119_000],
    ['of a long job until its deadline, even if it ended early', 302_000, 299_000],
  ])('refuses an id %s, then forgets it', async (_how, remainingMs, forMs) => {
    const p = play(everyone(ACCEPTED));
    accept(p, { remainingMs });
    await p.clock.advance(forMs);
    expect(p.jobs.knows('b.1')).toBe(true);
    await p.clock.advance(2_000);
    expect(p.jobs.knows('b.1')).toBe(false);
  });

  it('stops the engine 2 s before the edge ends, or at once', async () => {
    const p = play();
    const job = jobOf(accept(p, { remainingMs: 10_000 }));
    const batch = p.engine.batches[0];
    expect(batch?.deadlineMs).toBe(8_000);
    await p.clock.advance(7_999);
    expect(batch?.signal.aborted).toBe(false);
    await p.clock.advance(1);
    expect(batch?.signal.aborted).toBe(true);
    expect(job.state).toBe('ended');
    accept(p, { id: 'late.1', remainingMs: 1_000 });
    await p.clock.advance(0);
    expect(p.engine.batches[1]?.signal.aborted).toBe(true);
  });

  it('draws for a domain by the seeds of the week that it brings', async () => {
    const p = play();
    for (const [n, seed] of ['a', 'b', 'a'].entries())
      accept(p, { id: `b.${n}`, week: { nowS: 0, seeds: [seed, seed] } });
    const draws = p.engine.batches.map((batch) => batch.draws?.('d.test', 'name')());
    expect(draws[2]).toBe(draws[0]);
    expect(draws[1]).not.toBe(draws[0]);
  });

  it('abandons an engine that does not end, and ignores what it reports later', async () => {
    const p = play();
    const late = new Promise<ProbeBatch>((resolve) => {
      p.engine.probe = (batch) => {
        resolve(batch);
        return new Promise(() => {});
      };
    });
    const job = jobOf(accept(p, { remainingMs: 10_000 }));
    accept(p, { id: 'cancelled.1', remainingMs: 10_000 });
    p.jobs.cancel('cancelled.1');
    await p.clock.advance(9_000);
    const told = p.news.length;
    (await late).report(0, ACCEPTED);
    expect([job.state, job.items, p.news.length, p.log]).toEqual(['ended', [], told, ['engine_overdue']]);
  });

  it('reports the end of a job while it still counts as running, so that a draining host sends it', async () => {
    const p = play();
    const running: number[] = [];
    p.jobs.accept(proven(), 0, () => running.push(p.jobs.running));
    p.engine.batches[0]?.end();
    await p.clock.settle();
    expect([running, p.jobs.running]).toEqual([[1], 0]);
  });

  it('reports to observers how each job ended', async () => {
    const p = play(everyone(ACCEPTED));
    accept(p);
    await p.clock.settle();
    p.engine.probe = () => new Promise(() => {});
    accept(p, { id: 'cancelled.1', remainingMs: 10_000 });
    p.jobs.cancel('cancelled.1');
    await p.clock.advance(1_000);
    accept(p, { id: 'overdue.1', remainingMs: 10_000 });
    await p.clock.advance(9_000);
    p.engine.probe = () => Promise.reject(new TypeError('a bug'));
    accept(p, { id: 'failed.1' });
    await p.clock.settle();
    expect(p.ends).toEqual(['ended', 'cancelled', 'overdue', 'failed']);
  });

  it('knows when the last of the running jobs is over', async () => {
    const p = play();
    expect(p.jobs.lastDeadlineMs).toBeNull();
    accept(p, { id: 'long.1', remainingMs: 40_000 });
    accept(p, { id: 'short.1', remainingMs: 10_000 });
    accept(p, { id: 'gone.1', remainingMs: 90_000 });
    p.jobs.cancel('gone.1');
    expect(p.jobs.lastDeadlineMs).toBe(38_000);
    await p.clock.advance(40_000);
    expect(p.jobs.lastDeadlineMs).toBeNull();
  });

  it('ends the job with what it has if the engine fails', async () => {
    const p = play();
    p.engine.probe = ({ report }) => {
      report(0, ACCEPTED);
      return Promise.reject(new TypeError('a bug'));
    };
    const job = jobOf(accept(p));
    await p.clock.settle();
    expect(job).toMatchObject({ state: 'ended', items: [{ index: 0 }] });
    expect(p.log).toEqual(['engine_failed']);
  });

  it('forgets what a cancelled job found, and reports no more of it', async () => {
    const p = play();
    const job = jobOf(accept(p));
    const batch = p.engine.batches[0];
    batch?.report(0, ACCEPTED);
    p.jobs.cancel('b.1');
    batch?.report(1, ACCEPTED);
    await p.clock.settle();
    expect(batch?.signal.aborted).toBe(true);
    expect(job).toMatchObject({ state: 'forgotten', items: [] });
    // The second: that it is forgotten.
    expect(p.news).toHaveLength(2);
    expect(p.counts).toEqual([1, 0]);
    p.jobs.cancel('b.1');
    p.jobs.cancel('unknown.1');
    expect(p.counts).toEqual([1, 0]);
  });

  it('lists the jobs of a link that are running or ended less than 30 s ago', async () => {
    const p = play(everyone(ACCEPTED));
    accept(p, { id: 'old.1' });
    await p.clock.advance(20_000);
    accept(p, { id: 'new.1' });
    p.jobs.accept(proven({ id: 'elsewhere.1' }), 1, () => {});
    await p.clock.advance(10_001);
    expect(p.jobs.recent(0).map((job) => job.id)).toEqual(['new.1']);
    expect(p.jobs.recent(1).map((job) => job.id)).toEqual(['elsewhere.1']);
  });

  it('takes a thousand jobs at once, and lists at most the newest thousand', async () => {
    const p = play();
    accept(p, { id: 'first.1' });
    p.engine.batches[0]?.end();
    await p.clock.settle();
    for (let n = 0; n < 1_000; n += 1) accept(p, { id: `b${n}.1`, account: n });
    const named = p.jobs.recent(0).map((job) => job.id);
    expect([named.length, named.includes('first.1')]).toEqual([1_000, false]);
    expect(accept(p, { id: 'more.1', account: -1 })).toEqual({ kind: 'busy' });
    p.jobs.cancel('b7.1');
    expect(accept(p, { id: 'more.1', account: -1 }).kind).toBe('started');
  });

  it('takes 20,000 addresses at once, and more once a job has ended', async () => {
    const p = play();
    accept(p, { id: 'big.1', addresses: addresses(19_999) });
    expect(accept(p, { id: 'two.1', addresses: addresses(2) }).kind).toBe('busy');
    expect(accept(p, { id: 'one.1', addresses: addresses(1), account: 6 }).kind).toBe('started');
    p.engine.batches[0]?.end();
    await p.clock.settle();
    expect(accept(p, { id: 'two.1', addresses: addresses(2) }).kind).toBe('started');
  });

  it('keeps the evidence of a finished job for 30 s, and its id', async () => {
    const p = play(everyone(ACCEPTED));
    const job = jobOf(accept(p));
    await p.clock.advance(29_999);
    expect(accept(p)).toEqual({ kind: 'repeated', job });
    expect(p.jobs.recent(0)).toHaveLength(1);
    await p.clock.advance(1);
    expect(job.items).toEqual([]);
    expect(accept(p)).toEqual({ kind: 'replay' });
  });
});
