import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { everyone, ScriptedEngine } from '../../prober/testing/scripted-engine.ts';
import { ACCEPTED, NO_BANNER, POLICY, TIMEOUT } from '../../schema/testing/evidence.ts';
import { FleetHarness } from './testing/fleet-harness.ts';

const X = ['x', 'a.test'] as const;
const Y = ['y', 'b.test'] as const;
/** Log lines come when the runtime gets to it. */
const SOON = { timeout: 10_000 };
const DONE = { type: 'end', cause: 'done' } as const;

let fleet: FleetHarness;
beforeAll(async () => {
  fleet = await FleetHarness.start();
});
afterEach(() => fleet.dismiss());
afterAll(() => fleet.stop());

function found(i: number, evidence: unknown): unknown {
  return { type: 'evidence', i, evidence };
}

/** Resolves when the signal of a batch has fired. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));
}

describe('Fleet', () => {
  it('gives a job to a host that dialled in and streams its evidence', async () => {
    const engine = new ScriptedEngine(everyone(ACCEPTED));
    await fleet.join('one', engine);
    const lines = await fleet.ask([X, Y]).ended;
    expect(lines).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
    expect(engine.batches[0]?.recipients).toEqual([
      { local: 'x', domain: 'a.test' },
      { local: 'y', domain: 'b.test' },
    ]);
  });

  it('writes each piece of evidence when it comes, not at the end', async () => {
    const engine = new ScriptedEngine();
    await fleet.join('one', engine);
    const asked = fleet.ask([X, Y]);
    const batch = await engine.batch(0);
    batch.report(1, ACCEPTED);
    expect(await asked.count(1)).toEqual([found(1, ACCEPTED)]);
    batch.report(0, ACCEPTED);
    batch.end();
    expect(await asked.ended).toEqual([found(1, ACCEPTED), found(0, ACCEPTED), DONE]);
  });

  it('cancels the job on its host when the stream is let go of', async () => {
    const engine = new ScriptedEngine();
    await fleet.join('one', engine);
    const asked = fleet.ask([X, Y]);
    const batch = await engine.batch(0);
    batch.report(0, ACCEPTED);
    await asked.count(1);
    // By its deadline the host would give it up itself, and later than this test lasts.
    const byDeadline = new Promise((resolve) => setTimeout(resolve, 15_000, 'by its deadline'));
    asked.letGo();
    expect(await Promise.race([aborted(batch.signal).then(() => 'at once'), byDeadline])).toBe('at once');
  });

  it('gives the rest of a job to another host when its host dies', async () => {
    const dying = new ScriptedEngine();
    const first = await fleet.join('dying', dying);
    const asked = fleet.ask([X, Y]);
    (await dying.batch(0)).report(0, ACCEPTED);
    await asked.count(1);
    const other = new ScriptedEngine(everyone(ACCEPTED));
    await fleet.join('other', other);
    first.kill();
    expect(await asked.ended).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
    expect(other.batches[0]?.recipients).toEqual([{ local: 'y', domain: 'b.test' }]);
  });

  it('tries refused addresses from another egress address, and keeps what got further', async () => {
    const [one, two] = [new ScriptedEngine(), new ScriptedEngine()];
    await fleet.join('one', one, { egress: ['192.0.2.1'] });
    await fleet.join('two', two, { egress: ['192.0.2.2'] });
    const asked = fleet.ask([X, Y, ['x', 'd.test'], ['x', 'e.test']]);
    // Which of them gets the batch is a matter of lots.
    const [first, second] = await Promise.race([
      one.batch(0).then((batch) => [batch, two] as const),
      two.batch(0).then((batch) => [batch, one] as const),
    ]);
    for (const [i, evidence] of [NO_BANNER, ACCEPTED, POLICY, NO_BANNER].entries()) first.report(i, evidence);
    first.end();
    const batch = await second.batch(0);
    expect(await asked.count(1)).toEqual([found(1, ACCEPTED)]);
    expect(batch.recipients.map(({ domain }) => domain)).toEqual(['a.test', 'd.test', 'e.test']);
    batch.report(0, ACCEPTED);
    batch.report(1, TIMEOUT);
    batch.report(2, NO_BANNER);
    batch.end();
    expect(new Set(await asked.ended)).toEqual(
      new Set([found(1, ACCEPTED), found(0, ACCEPTED), found(2, POLICY), found(3, NO_BANNER), DONE]),
    );
  });

  it('sends no new jobs to a host that drains, and lets it finish what it has', async () => {
    const engine = new ScriptedEngine();
    const { host } = await fleet.join('leaving', engine);
    const asked = fleet.ask([X]);
    const batch = await engine.batch(0);
    const drained = host.drain();
    await fleet.until((hosts) => hosts[0]?.draining === true);
    expect(await fleet.ask([Y]).ended).toEqual([{ type: 'end', cause: 'no_host' }]);
    batch.report(0, ACCEPTED);
    batch.end();
    expect(await asked.ended).toEqual([found(0, ACCEPTED), DONE]);
    await drained;
    await fleet.until((hosts) => hosts.length === 0);
  });

  it('sends no new jobs to a host that an operator drains, also after it dials in anew', async () => {
    const engine = new ScriptedEngine(everyone(ACCEPTED));
    const one = await fleet.join('ordered', engine);
    await fleet.order('ordered', 'draining');
    expect(await fleet.ask([X]).ended).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(one.log).toContainEqual({ event: 'ordered', shard: 0, draining: true });
    await fleet.order('ordered', 'active');
    expect(await fleet.ask([X]).ended).toEqual([found(0, ACCEPTED), DONE]);
    fleet.dialIn(await fleet.enrol('born-draining', 'draining'), engine);
    await fleet.until((hosts) => hosts.some((host) => host.id === 'born-draining' && host.draining));
  });

  it('cuts a removed host off at once and gives its job to another', async () => {
    const engine = new ScriptedEngine();
    const removed = await fleet.join('removed', engine);
    const asked = fleet.ask([X]);
    const batch = await engine.batch(0);
    await fleet.join('other', new ScriptedEngine(everyone(ACCEPTED)));
    await fleet.order('removed', 'removed');
    expect(await asked.ended).toEqual([found(0, ACCEPTED), DONE]);
    await fleet.until((hosts) => hosts.length === 1);
    expect(removed.log.find(({ event }) => event === 'link_refused')?.hint).toContain('removed');
    batch.end();
  });

  it('gives new jobs to the newer of two processes of an enrolment, even if the older dialled in last', async () => {
    const enrolment = await fleet.enrol('rolling');
    const older = new ScriptedEngine();
    const newer = new ScriptedEngine(everyone(ACCEPTED));
    fleet.dialIn(enrolment, older, { startedAt: 1_000 });
    await fleet.until((hosts) => hosts.length === 1);
    const asked = fleet.ask([X]);
    const batch = await older.batch(0);
    fleet.dialIn(enrolment, newer, { startedAt: 2_000 });
    await fleet.until((hosts) => hosts[0]?.instances === 2);
    await fleet.ask([Y]).ended;
    expect(newer.batches).toHaveLength(1);
    batch.report(0, ACCEPTED);
    batch.end();
    expect(await asked.ended).toEqual([found(0, ACCEPTED), DONE]);
  });

  it('still knows its hosts after it hibernated', async () => {
    const engine = new ScriptedEngine(everyone(ACCEPTED));
    await fleet.join('patient', engine, { egress: ['192.0.2.9'] });
    await fleet.hibernate();
    expect(await fleet.hosts()).toMatchObject([{ id: 'patient', instances: 1, healthy: true }]);
    expect(await fleet.ask([X]).ended).toEqual([found(0, ACCEPTED), DONE]);
  });

  it('ends what a host still runs of a batch after a reset, and asks anew under another id', async () => {
    const engine = new ScriptedEngine();
    await fleet.join('running', engine);
    const asked = fleet.ask([X, Y]);
    const batch = await engine.batch(0);
    await fleet.reset();
    await expect(asked.ended).rejects.toThrow();
    await expect.poll(() => batch.signal.aborted, { timeout: 10_000 }).toBe(true);
    const again = fleet.ask([X, Y]);
    everyone(ACCEPTED)(await engine.batch(1));
    expect(await again.ended).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
  });

  it('lets a host whose link broke go on with its job', async () => {
    const engine = new ScriptedEngine();
    const { cut } = await fleet.join('blinking', engine);
    const asked = fleet.ask([X, Y]);
    const batch = await engine.batch(0);
    batch.report(0, ACCEPTED);
    await asked.count(1);
    cut();
    batch.report(1, ACCEPTED);
    batch.end();
    expect(await asked.ended).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
    expect(engine.batches).toHaveLength(1);
  });

  it('refuses a host with private routes, with a hint for its operator', async () => {
    const { log } = fleet.dialIn(await fleet.enrol('sandboxed'), new ScriptedEngine(), { routes: true });
    await expect.poll(() => log, SOON).toContainEqual({ event: 'fatal', hint: expect.stringContaining('ROUTE') });
    expect(await fleet.hosts()).toEqual([]);
  });

  it('writes no address, no domain and no egress address into its log', async () => {
    await fleet.join('one', new ScriptedEngine(everyone(ACCEPTED)));
    await fleet.ask([['secret-person', 'secret-domain.test']]).ended;
    await expect.poll(() => fleet.logs.join('\n'), SOON).toContain('host_joined');
    expect(fleet.logs.join('\n')).not.toMatch(/secret|\.test|mx\./);
  });
});
