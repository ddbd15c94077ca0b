import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Canary } from '../../schema/link.ts';
import { ACCEPTED, POLICY, seen, TIMEOUT } from '../../schema/testing/evidence.ts';
import { jobOf, play, proven, accept } from '../testing/jobs-play.ts';
import { everyone } from '../testing/scripted-engine.ts';

const GONE = seen({ kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } });
const NONE: readonly Canary[] = [];

describe('evidence that a broken host would give for every address', () => {
  const implicit = seen({ kind: 'no_mail_domain', why: 'nxdomain' });
  const literal = seen({ kind: 'no_mail_domain', why: 'address_literal' });
  const unprobed = { kind: 'unprobed', why: 'host', waitS: null };

  it('counts after the host has checked itself', async () => {
    const asked: string[] = [];
    const p = play(
      (batch) => {
        batch.report(0, TIMEOUT);
        batch.report(1, implicit);
      },
      { failed: 0, failing: [], confirm: (proof) => Promise.resolve(asked.push(proof) > 0) },
    );
    const job = jobOf(accept(p));
    await p.clock.settle();
    expect(job.items.map(({ evidence }) => evidence.outcome)).toEqual([TIMEOUT.outcome, implicit.outcome]);
    expect(asked).toEqual(['reach', 'names']);
  });

  it('does not count if the check fails, unlike evidence that needs no network', async () => {
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
      failing: [],
      confirm: () => Promise.resolve(false),
    });
    const job = jobOf(accept(p));
    await p.clock.settle();
    const told = new Map(job.items.map(({ index, evidence }) => [index, evidence.outcome]));
    expect([0, 1, 2, 3, 4].map((i) => told.get(i))).toEqual(Array.from({ length: 5 }, () => unprobed));
    expect([5, 6, 7].map((i) => told.get(i))).toEqual([literal.outcome, POLICY.outcome, ACCEPTED.outcome]);
    expect(job.state).toBe('ended');
  });

  it('does not count if the check throws, and the rest of its job is reported', async () => {
    const p = play(
      (batch) => {
        batch.report(0, TIMEOUT);
        batch.report(1, ACCEPTED);
      },
      { failed: 0, failing: [], confirm: () => Promise.reject(new Error('odd')) },
    );
    const job = jobOf(accept(p));
    await p.clock.settle();
    const told = new Map(job.items.map(({ index, evidence }) => [index, evidence.outcome]));
    expect([told.get(0), told.get(1), job.state]).toEqual([unprobed, ACCEPTED.outcome, 'ended']);
  });

  it('fails only its own job if a bug meets it while other addresses are still in progress', async () => {
    const loose: unknown[] = [];
    const onLoose = (error: unknown): void => void loose.push(error);
    process.on('unhandledRejection', onLoose);
    const p = play(null, { failed: 0, failing: [], confirm: () => Promise.resolve(true) });
    let isOdd = true;
    p.jobs.accept(proven(), 0, () => {
      if (isOdd) throw new Error('odd');
    });
    p.engine.batches[0]?.report(0, TIMEOUT);
    await setImmediate();
    isOdd = false;
    p.engine.batches[0]?.end();
    await p.clock.settle();
    process.off('unhandledRejection', onLoose);
    expect([loose, p.ends, p.jobs.running]).toEqual([[], ['failed'], 0]);
  });

  it('includes a server at an implicit MX, which waits for the check of names', async () => {
    const invented = { ...ACCEPTED, mx: [], mxFound: false };
    const asked: string[] = [];
    const outcomesAfter = async (holds: boolean): Promise<readonly unknown[]> => {
      const confirm = (proof: string): Promise<boolean> => Promise.resolve(asked.push(proof) > 0 && holds);
      const p = play(everyone(invented), { failed: 0, failing: [], confirm });
      const job = jobOf(accept(p));
      await p.clock.settle();
      return job.items.map(({ evidence }) => evidence.outcome);
    };
    expect(await outcomesAfter(false)).toEqual([unprobed, unprobed]);
    expect(await outcomesAfter(true)).toEqual([ACCEPTED.outcome, ACCEPTED.outcome]);
    expect(new Set(asked)).toEqual(new Set(['names']));
  });

  it('does not count if a check failed while the job ran, even if the host has recovered', async () => {
    const trust = { failed: 3, failing: [], confirm: () => Promise.resolve(true) };
    const p = play(null, trust);
    const job = jobOf(accept(p));
    p.engine.batches[0]?.report(0, TIMEOUT);
    await p.clock.settle();
    trust.failed = 4;
    p.engine.batches[0]?.report(1, TIMEOUT);
    await p.clock.settle();
    expect(job.items.map(({ evidence }) => evidence.outcome)).toEqual([TIMEOUT.outcome, unprobed]);
  });

  it('does not count if the check takes too long', async () => {
    const p = play(everyone(TIMEOUT), { failed: 0, failing: [], confirm: () => new Promise(() => {}) });
    const job = jobOf(accept(p, { remainingMs: 10_000 }));
    await p.clock.advance(9_000);
    expect(job.items.map(({ evidence }) => evidence.outcome)).toEqual([unprobed, unprobed]);
    expect(job.state).toBe('ended');
  });
});

it.each<[string, Canary, boolean]>([
  ['something on the way refuses a mailbox that exists', 'mailbox', false],
  ['no canary greets', 'host', true],
  ['the resolver fails', 'name', true],
])('what a server says of a mailbox, while %s, counts only if that can be believed', async (_what, failing, counts) => {
  const trust = { failed: 0, failing: NONE, confirm: () => Promise.resolve(true) };
  const p = play(null, trust);
  const job = jobOf(accept(p, { addresses: Array.from({ length: 4 }, (_, n) => [`x${n}`, 'a.test']) }));
  const [batch] = p.engine.batches;
  const said = [ACCEPTED, GONE, POLICY];
  batch?.report(3, GONE);
  trust.failing = [failing];
  trust.failed += 1;
  for (const [index, evidence] of said.entries()) batch?.report(index, evidence);
  batch?.end();
  await p.clock.settle();
  const told = job.items.map(({ evidence }) => evidence.outcome);
  const unprobed = { kind: 'unprobed', why: 'host', waitS: null };
  expect(told).toEqual([GONE.outcome, ...said.map(({ outcome }) => (counts ? outcome : unprobed))]);
});
