import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { ACCEPTED, POLICY } from '../../schema/testing/evidence.ts';
import { BELIEVED, proven } from '../testing/jobs-play.ts';
import { ScriptedEngine } from '../testing/scripted-engine.ts';
import { Jobs } from './jobs.ts';
import type { ProvenJob } from './verify-job.ts';

async function leaves(changes: Partial<ProvenJob>, afterMs = 0): Promise<number | undefined> {
  const clock = new FakeClock();
  const engine = new ScriptedEngine();
  const deps = { engine, clock, trust: BELIEVED, log: () => undefined, onCount: () => undefined };
  const jobs = new Jobs({ ...deps, restsUntil: () => 7_000_000 });
  jobs.accept(proven(changes), 0, () => undefined);
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
    // The deadline is after 88 s, and 10 s are enough.
    expect(await leaves({ mayDecline: true }, 78_000)).toBe(7_000_000);
    expect(await leaves({ mayDecline: true }, 78_001)).toBe(0);
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
    jobs.accept(proven(), 0, () => undefined);
    await clock.settle();
    expect(told).toEqual([
      [POLICY, '192.0.2.1'],
      [ACCEPTED, null],
    ]);
  });
});
