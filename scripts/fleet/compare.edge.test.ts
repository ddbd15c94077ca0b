import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { everyone, ScriptedEngine } from '../../prober/testing/scripted-engine.ts';
import { ACCEPTED, seen } from '../../schema/testing/evidence.ts';
import { FleetHarness } from './testing/fleet-harness.ts';

// Hosts that are compared with each other, and what one of them leaves to the others: real links, real object.

const LIE = seen({ kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } });
const REST = seen({ kind: 'unprobed', why: 'cooldown', waitS: 3_600 });
const DONE = { type: 'end', cause: 'done' };

let fleet: FleetHarness;
beforeAll(async () => {
  fleet = await FleetHarness.start({ COMPARE_EVERY: '1' });
});
afterEach(() => fleet.dismiss());
afterAll(() => fleet.stop());

it('a host that lies is named, and no answer waits for that or is changed by it', async () => {
  for (const name of ['honest-1', 'honest-2']) await fleet.join(name, new ScriptedEngine(everyone(ACCEPTED)));
  await fleet.join('liar', new ScriptedEngine(everyone(LIE)));
  for (let n = 0; n < 30; n += 1) {
    const lines = await fleet.ask([['x', `a${n}.test`]], { account: `account-${n}` }).ended;
    expect(lines).toEqual([{ type: 'evidence', i: 0, evidence: expect.toBeOneOf([ACCEPTED, LIE]) }, DONE]);
  }
  await fleet.until((hosts) => hosts.some(({ healthy }) => !healthy));
  expect((await fleet.hosts()).filter(({ healthy }) => !healthy)).toMatchObject([{ id: 'liar' }]);
  await expect.poll(() => fleet.logs.filter((line) => line.includes('host_unhealthy')).length).toBe(1);
});

it('a batch whose server rests at one host goes to another', async () => {
  const first = new ScriptedEngine(everyone(REST));
  await fleet.join('first', first, { egress: ['192.0.2.1'] });
  expect(await fleet.ask([['x', 'a.test']]).ended).toMatchObject([{ evidence: REST }, DONE]);
  await fleet.join('second', new ScriptedEngine(everyone(ACCEPTED)), { egress: ['192.0.2.2'] });
  for (let n = 0; n < 4; n += 1)
    expect(await fleet.ask([['x', 'a.test']]).ended).toMatchObject([{ evidence: ACCEPTED }, DONE]);
  expect(first.batches.length).toBeGreaterThan(0);
});
