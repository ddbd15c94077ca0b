import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPTED, everyone, ScriptedEngine } from '../../prober/testing/scripted-engine.ts';
import { FleetHarness } from '../testing/fleet-harness.ts';

let fleet: FleetHarness;
beforeAll(async () => {
  fleet = await FleetHarness.start();
});
afterEach(() => fleet.dismiss());
afterAll(() => fleet.stop());

describe('Fleet', () => {
  it('gives a job to a host that dialled in and streams its evidence', async () => {
    const engine = new ScriptedEngine(everyone(ACCEPTED));
    await fleet.join('one', engine);
    const lines = await fleet.ask([
      ['x', 'a.test'],
      ['y', 'b.test'],
    ]).ended;
    expect(lines).toEqual([
      { type: 'evidence', i: 0, evidence: ACCEPTED },
      { type: 'evidence', i: 1, evidence: ACCEPTED },
      { type: 'end', cause: 'done' },
    ]);
    expect(engine.batches[0]?.recipients).toEqual([
      { local: 'x', domain: 'a.test' },
      { local: 'y', domain: 'b.test' },
    ]);
  });
});
