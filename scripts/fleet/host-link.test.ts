import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSettingsSigner } from '../../edge/fleet/keys/sign-settings.ts';
import { type PrivateJwk, publicHalf } from '../../schema/jwk.ts';
import { CLOSE, PONG } from '../../schema/link.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { everyone, ScriptedEngine } from '../../prober/testing/scripted-engine.ts';
import { ACCEPTED, TIMEOUT } from '../../schema/testing/evidence.ts';
import { onLink, ROW } from '../../schema/testing/link-evidence.ts';
import { ScriptedEdge, type ScriptedLink } from './testing/scripted-edge.ts';
import { connect } from '../../prober/link/connect.ts';
import { Host, type HostDeps } from '../../prober/link/host.ts';
import { identify, makeHostToken } from '../../prober/link/identity.ts';
import { UNOBSERVED } from '../../prober/link/observer.ts';
import { TIMINGS } from '../../prober/link/timings.ts';

// Tests one concept, a host's link to one Fleet object: what goes over it, and how it breaks, comes back and drains.

const INSTANCE = 'instance-of-16-chars';
const X = ['x', 'a.test'] as const;
const Y = ['y', 'b.test'] as const;

let edge: ScriptedEdge;
let clock: FakeClock;
let log: Array<Record<string, unknown>>;
beforeEach(async () => {
  edge = await ScriptedEdge.start();
  clock = new FakeClock();
  log = [];
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await clock.finish(host.drain());
  await edge.stop();
});

const hosts: Host[] = [];
function dialIn(engine: ScriptedEngine, changes: Partial<HostDeps> = {}): Host {
  const host = new Host({
    identity: identify(edge.enrolment, INSTANCE, 5),
    connect,
    egress: ['192.0.2.1', 'default'],
    routes: false,
    engine,
    trust: { healthy: true, checked: true, failing: [], failed: 0, confirm: () => Promise.resolve(true) },
    clock,
    random: () => 0.5,
    wallClock: () => Date.now(),
    timings: TIMINGS,
    log: (event, fields) => log.push({ event, ...fields }),
    onFatal: (hint) => log.push({ event: 'fatal', hint }),
    ...changes,
  });
  hosts.push(host);
  host.open();
  return host;
}
async function greeted(n = 0): Promise<ScriptedLink> {
  const link = await edge.link(n);
  await link.frame('hello');
  return link;
}
const give = async (link: ScriptedLink, id: string, addresses = [X, Y]): Promise<void> =>
  link.send(await edge.job(id, INSTANCE, addresses));

const NEW_KEY = makeKey();
/** What the edge says of itself, signed with the first of these keys. */
async function settings(
  link: ScriptedLink,
  keys: readonly PrivateJwk[],
  shards: number,
  host = 'probe-1',
): Promise<void> {
  link.send({
    v: 1,
    type: 'settings',
    token: await createSettingsSigner(JSON.stringify(keys), shards)(host, Date.now()),
  });
}
const learnt = () => log.filter(({ event }) => event === 'edge_settings');

describe('Link', () => {
  it('dials its shard with a token of its own and says hello first', async () => {
    dialIn(new ScriptedEngine());
    const link = await greeted();
    expect(link.request.url).toBe('/link?shard=0');
    const { iss, aud, iat = 0, exp = 0 } = decodeJwt(link.request.headers.authorization?.slice('Bearer '.length) ?? '');
    expect({ iss, aud }).toEqual({ iss: 'probe-1', aud: edge.enrolment.origin });
    expect(exp - iat).toBeLessThanOrEqual(60);
    expect(link.frames[0]).toEqual({
      v: 1,
      type: 'hello',
      speaks: 1,
      instance: INSTANCE,
      startedAt: 5,
      routes: false,
      egress: ['192.0.2.1', 'default'],
      running: [],
      healthy: true,
      slots: 20_000,
    });
  });

  it('acknowledges a job, sends its evidence without waiting for time to pass', async () => {
    dialIn(new ScriptedEngine(everyone(ACCEPTED)));
    const link = await greeted();
    await give(link, 'b.1');
    const items = [
      { index: 0, evidence: onLink(ACCEPTED) },
      { index: 1, evidence: onLink(ACCEPTED) },
    ];
    expect(await link.frame('evidence')).toEqual({ v: 1, type: 'evidence', job: 'b.1', mx: [ROW], items });
    expect(clock.now()).toBe(0);
    await clock.advance(10);
    expect(link.frames.map(({ type }) => type)).toEqual(['hello', 'status', 'ack', 'evidence']);
  });

  it('says done of a job that ended without evidence of all its addresses', async () => {
    dialIn(new ScriptedEngine((batch) => batch.report(1, ACCEPTED)));
    const link = await greeted();
    await give(link, 'b.1');
    expect(await link.frame('evidence')).toMatchObject({ items: [{ index: 1 }] });
    await clock.advance(10);
    expect(await link.frame('done')).toEqual({ v: 1, type: 'done', job: 'b.1' });
  });

  it('gathers evidence that follows closely for 10 ms', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const link = await greeted();
    await give(link, 'b.1');
    const batch = await engine.batch(0);
    batch.report(0, ACCEPTED);
    await link.frame('evidence');
    batch.report(1, ACCEPTED);
    await clock.advance(9);
    batch.report(2, ACCEPTED);
    await clock.settle();
    expect(link.of('evidence')).toHaveLength(1);
    await clock.advance(1);
    expect((await link.frame('evidence', 1)).items.map(({ index }) => index)).toEqual([1, 2]);
  });

  it('says every 5 s that a silent job still runs', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const link = await greeted();
    await give(link, 'b.1');
    await engine.batch(0);
    await clock.advance(5_000);
    expect(await link.frame('alive')).toEqual({ v: 1, type: 'alive', job: 'b.1' });
    await clock.advance(5_000);
    await link.frame('alive', 1);
  });

  it('pings every 10 s and dials anew when nothing is heard for 25 s', async () => {
    dialIn(new ScriptedEngine());
    const link = await greeted();
    await clock.advance(10_000);
    while (link.pings < 1) await link.change();
    link.socket.send(PONG);
    await clock.settle();
    await clock.advance(20_000);
    while (link.pings < 3) await link.change();
    expect(link.closed).toBe(false);
    await clock.advance(10_000);
    await link.gone();
    await clock.advance(100);
    await greeted(1);
  });

  it('stays on a link over which jobs come, though no ping is answered', async () => {
    dialIn(new ScriptedEngine());
    const link = await greeted();
    for (const n of [1, 2, 3, 4]) {
      await clock.advance(10_000);
      while (link.pings < n) await link.change();
      await give(link, `b.${n}`);
      await link.frame('ack', n - 1);
    }
    expect(link.closed).toBe(false);
  });

  it('comes back with full jitter, naming its jobs and sending their evidence from the first address', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const first = await greeted();
    await give(first, 'b.1');
    const batch = await engine.batch(0);
    batch.report(1, TIMEOUT);
    await first.frame('evidence');
    first.socket.terminate();
    await clock.settle();
    batch.report(0, ACCEPTED);
    batch.end();
    await clock.settle();
    expect(log).toContainEqual({ event: 'link_lost', shard: 0, code: 1006, againMs: 50 });
    await clock.advance(50);
    const second = await greeted(1);
    expect((await second.frame('hello')).running).toEqual(['b.1']);
    await second.frame('evidence');
    expect(second.of('evidence').flatMap(({ items }) => items.map(({ index }) => index))).toEqual([1, 0]);
  });

  it('sends what a job finds after its link has come back over the new one', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const first = await greeted();
    await give(first, 'b.1');
    const batch = await engine.batch(0);
    first.socket.terminate();
    while (log.length === 0) await clock.settle();
    await clock.advance(50);
    const second = await greeted(1);
    batch.report(0, ACCEPTED);
    await clock.advance(10);
    expect((await second.frame('evidence')).items).toEqual([{ index: 0, evidence: onLink(ACCEPTED) }]);
  });

  it('answers a repeated job with its evidence so far', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const link = await greeted();
    await give(link, 'b.1');
    (await engine.batch(0)).report(1, TIMEOUT);
    await link.frame('evidence');
    await give(link, 'b.1');
    await link.frame('ack', 1);
    await clock.advance(10);
    expect((await link.frame('evidence', 1)).items).toEqual([{ index: 1, evidence: onLink(TIMEOUT) }]);
    expect(engine.batches).toHaveLength(1);
  });

  it('runs nothing that is not signed for it, and says so', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const link = await greeted();
    link.send(await edge.job('b.1', 'another-instance-id', [X]));
    expect(await link.frame('refuse')).toEqual({ v: 1, type: 'refuse', job: 'b.1', why: 'token' });
    link.send({ v: 1, type: 'job', token: 'nonsense', payload: '{}' });
    await give(link, 'b.2');
    await link.frame('ack');
    expect(engine.batches).toHaveLength(1);
    expect(log.filter(({ event }) => event === 'job_refused')).toHaveLength(2);
  });

  it('lets no cancel overtake its job', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const link = await greeted();
    await give(link, 'b.1');
    link.send({ v: 1, type: 'cancel', job: 'b.1' });
    const batch = await engine.batch(0);
    await clock.settle();
    expect(batch.signal.aborted).toBe(true);
    batch.report(0, ACCEPTED);
    await clock.advance(5_000);
    expect(link.of('evidence')).toEqual([]);
    expect(link.of('alive')).toEqual([]);
  });

  it('refuses new jobs while it is not healthy, and tells the edge at once', async () => {
    const trust = { healthy: true, checked: true, failing: [], failed: 0, confirm: () => Promise.resolve(true) };
    const host = dialIn(new ScriptedEngine(), { trust });
    const link = await greeted();
    trust.healthy = false;
    host.healthChanged();
    expect(await link.frame('status', 1)).toMatchObject({ healthy: false });
    await give(link, 'b.1');
    expect(await link.frame('refuse')).toMatchObject({ why: 'unhealthy' });
  });

  it('goes on with a job that it has, though it takes no new ones', async () => {
    const trust = { healthy: true, checked: true, failing: [], failed: 0, confirm: () => Promise.resolve(true) };
    dialIn(new ScriptedEngine(), { trust });
    const link = await greeted();
    await give(link, 'b.1');
    await link.frame('ack');
    trust.healthy = false;
    await give(link, 'b.1');
    await link.frame('ack', 1);
    expect(link.of('refuse')).toEqual([]);
  });

  it('tells how many jobs it has once a second at most', async () => {
    const engine = new ScriptedEngine();
    dialIn(engine);
    const link = await greeted();
    for (const id of ['b.1', 'c.1', 'd.1']) await give(link, id);
    await engine.batch(2);
    await clock.advance(1_000);
    expect(await link.frame('status', 1)).toMatchObject({ jobs: 3 });
    await clock.advance(5_000);
    await link.frame('alive');
    expect(link.of('status')).toHaveLength(2);
  });

  it('counts its failures anew after a link that stood for 5 s', async () => {
    dialIn(new ScriptedEngine());
    const againMs: unknown[] = [];
    for (const [n, stoodMs] of [0, 4_999, 5_000].entries()) {
      const link = await greeted(n);
      await clock.advance(stoodMs);
      link.socket.terminate();
      while (log.filter(({ event }) => event === 'link_lost').length === n) await clock.settle();
      againMs.push(log.at(-1)?.['againMs']);
      await clock.advance(Number(againMs[n]));
    }
    expect(againMs).toEqual([50, 100, 50]);
  });

  it('keeps no timer of a link that is gone', async () => {
    dialIn(new ScriptedEngine());
    const first = await greeted();
    const { pending } = clock;
    first.socket.terminate();
    while (log.length === 0) await clock.settle();
    await clock.advance(50);
    const second = await greeted(1);
    await clock.advance(10_000);
    while (second.pings < 1) await second.change();
    expect(clock.pending).toBe(pending);
  });

  it('drops frames that it does not understand', async () => {
    dialIn(new ScriptedEngine(everyone(ACCEPTED)));
    const link = await greeted();
    for (const text of ['nonsense', '{}', '{"v":2,"type":"cancel","job":"b.1"}', '[]', '"job"']) link.socket.send(text);
    link.socket.send(Buffer.from('{"v":1,"type":"cancel","job":"b.1"}'));
    await give(link, 'b.1');
    await link.frame('evidence');
    expect(log.filter(({ event }) => event === 'frames_dropped').map(({ count }) => count)).toEqual([1, 2, 4]);
  });

  it('tries again slowly if the edge does not know it, and says what to do', async () => {
    edge.refuseWith = 401;
    dialIn(new ScriptedEngine());
    await edge.refusals(1);
    await clock.settle();
    expect(log).toContainEqual({
      event: 'link_refused',
      shard: 0,
      code: 1006,
      status: 401,
      hint: expect.stringContaining('clock'),
      againMs: 45_000,
    });
    await clock.advance(44_999);
    expect(edge.refused).toBe(1);
    edge.refuseWith = null;
    await clock.advance(1);
    await greeted();
  });

  it('tries again soon if the edge is out of order', async () => {
    edge.refuseWith = 503;
    dialIn(new ScriptedEngine());
    await edge.refusals(1);
    await clock.settle();
    expect(log[0]).toMatchObject({ event: 'link_lost', status: 503, againMs: 50 });
    await clock.advance(50);
    await edge.refusals(2);
    await clock.settle();
    expect(log[1]).toMatchObject({ againMs: 100 });
  });

  it('says what to do when the edge wants no private routes', async () => {
    dialIn(new ScriptedEngine(), { routes: true });
    (await greeted()).socket.close(CLOSE.routes);
    await (await edge.link()).gone();
    await clock.settle();
    expect(log).toEqual([{ event: 'fatal', hint: expect.stringContaining('SANDBOX=1') }]);
  });

  describe('what the edge says of itself', () => {
    it('is learnt if it is signed with a key that the host knows: jobs by the new key run, and are kept to', async () => {
      const kept: unknown[] = [];
      dialIn(new ScriptedEngine(), {
        keepSettings: (known) => Promise.resolve(void kept.push(known)).then(() => null),
      });
      const link = await greeted();
      await settings(link, [edge.key, NEW_KEY], 1);
      link.send(await edge.job('b.1', INSTANCE, [X], 60_000, NEW_KEY));
      await link.frame('ack');
      expect(learnt()).toEqual([{ event: 'edge_settings', shards: 1, keys: 2 }]);
      expect(kept).toEqual([{ shards: 1, edgeKeys: [publicHalf(edge.key), publicHalf(NEW_KEY)] }]);
      await settings(link, [NEW_KEY], 1);
      link.send(await edge.job('b.2', INSTANCE, [X]));
      expect(await link.frame('refuse')).toMatchObject({ job: 'b.2', why: 'token' });
    });

    it('makes it dial in to the Fleet objects that were added, and leave those that are gone', async () => {
      const told: string[] = [];
      const observer = {
        ...UNOBSERVED,
        linked: (shard: number) => told.push(`${shard} stands`),
        unlinked: (shard: number) => told.push(`${shard} is down`),
        ended: (shard: number) => told.push(`${shard} is gone`),
      };
      dialIn(new ScriptedEngine(), { observer });
      const first = await greeted();
      await settings(first, [edge.key], 3);
      const [second, third] = [await greeted(1), await greeted(2)];
      expect(new Set([second, third].map(({ request }) => request.url))).toEqual(
        new Set(['/link?shard=1', '/link?shard=2']),
      );
      await settings(first, [edge.key], 1);
      await Promise.all([second.gone(), third.gone()]);
      expect(first.closed).toBe(false);
      expect(told.toSorted()).toEqual(['0 stands', '1 is gone', '1 stands', '2 is gone', '2 stands']);
    });

    it('is not learnt twice, nor from who has no known key, nor if it is for another host', async () => {
      dialIn(new ScriptedEngine());
      const link = await greeted();
      await settings(link, [edge.key], 1);
      await settings(link, [NEW_KEY], 5);
      await settings(link, [edge.key], 5, 'probe-2');
      await give(link, 'b.1');
      await link.frame('ack');
      expect(learnt()).toEqual([]);
      expect(log.filter(({ event }) => event === 'settings_refused')).toHaveLength(2);
      expect(edge.links).toHaveLength(1);
    });

    it('is told to the operator if it cannot be kept', async () => {
      dialIn(new ScriptedEngine(), { keepSettings: () => Promise.resolve('EROFS') });
      const link = await greeted();
      await settings(link, [edge.key, NEW_KEY], 1);
      await give(link, 'b.1');
      await link.frame('ack');
      expect(log).toContainEqual({
        event: 'settings_not_kept',
        error: 'EROFS',
        hint: expect.stringContaining('STATE_DIRECTORY'),
      });
    });
  });

  describe('draining', () => {
    it('ends at once without jobs, in good order', async () => {
      const host = dialIn(new ScriptedEngine());
      const link = await greeted();
      const code = new Promise((resolve) => link.socket.once('close', resolve));
      await host.drain();
      expect(clock.now()).toBe(0);
      expect(await link.frame('status', 1)).toMatchObject({ draining: true });
      expect(await code).toBe(1000);
      expect(log).toEqual([]);
      expect(clock.pending).toBe(0);
    });

    it('takes no new jobs, finishes the running one and hands all of its evidence over first', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const link = await greeted();
      await give(link, 'b.1', [X, Y, X]);
      const batch = await engine.batch(0);
      batch.report(0, ACCEPTED);
      await link.frame('evidence');
      const drained = host.drain();
      await give(link, 'b.2');
      expect(await link.frame('refuse')).toMatchObject({ job: 'b.2', why: 'draining' });
      batch.report(1, ACCEPTED);
      batch.end();
      await clock.finish(drained);
      await link.gone();
      expect(link.of('evidence').flatMap(({ items }) => items.map(({ index }) => index))).toEqual([0, 1]);
    });

    it('stays while a job runs, though all that was found is sent', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const link = await greeted();
      await give(link, 'b.1');
      const batch = await engine.batch(0);
      const drained = host.drain();
      await link.frame('status', 1);
      batch.report(0, ACCEPTED);
      await link.frame('evidence');
      batch.report(1, ACCEPTED);
      await clock.advance(10);
      await link.frame('evidence', 1);
      batch.end();
      await clock.finish(drained);
      await link.gone();
    });

    it('sends what it has gathered of a job that has just ended', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const link = await greeted();
      await give(link, 'b.1');
      const batch = await engine.batch(0);
      batch.report(0, ACCEPTED);
      await link.frame('evidence');
      batch.report(1, ACCEPTED);
      batch.end();
      await clock.settle();
      const drained = host.drain();
      await clock.advance(10);
      await link.frame('evidence', 1);
      await clock.finish(drained);
    });

    it('comes back to hand over what it had gathered when the link broke', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const first = await greeted();
      await give(first, 'b.1');
      const batch = await engine.batch(0);
      batch.report(0, ACCEPTED);
      await first.frame('evidence');
      batch.report(1, ACCEPTED);
      batch.end();
      first.socket.terminate();
      while (log.length === 0) await clock.settle();
      const drained = host.drain();
      await clock.advance(50);
      const second = await greeted(1);
      await second.frame('evidence');
      await clock.finish(drained);
      expect(second.of('evidence').flatMap(({ items }) => items.map(({ index }) => index))).toEqual([0, 1]);
    });

    it('comes back to hand over what it found while the link was broken', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const first = await greeted();
      await give(first, 'b.1');
      const batch = await engine.batch(0);
      first.socket.terminate();
      await clock.settle();
      const drained = host.drain();
      batch.report(0, ACCEPTED);
      batch.report(1, ACCEPTED);
      batch.end();
      await clock.advance(50);
      const second = await greeted(1);
      await second.frame('evidence');
      await clock.finish(drained);
      expect(second.of('evidence')[0]?.items).toHaveLength(2);
    });

    it('dials in no more if it had not dialled yet', async () => {
      let dials = 0;
      const host = dialIn(new ScriptedEngine(), {
        connect: (...to) => {
          dials += 1;
          return connect(...to);
        },
      });
      await host.drain();
      // The host's own token was asked for before this one.
      await makeHostToken(identify(edge.enrolment, INSTANCE, 5), Date.now());
      await clock.settle();
      expect(dials).toBe(0);
    });

    it('dials in to no Fleet object that is added meanwhile', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const link = await greeted();
      await give(link, 'b.1');
      const batch = await engine.batch(0);
      const drained = host.drain();
      await settings(link, [edge.key], 2);
      // What comes after the settings is acted on after them.
      await give(link, 'b.2');
      await link.frame('refuse');
      await clock.advance(5_000);
      await link.frame('alive');
      batch.end();
      await clock.finish(drained);
      expect(edge.links).toHaveLength(1);
    });

    it('waits for a cancelled job no longer', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const link = await greeted();
      await give(link, 'b.1');
      await engine.batch(0);
      const drained = host.drain();
      const startedAt = clock.now();
      link.send({ v: 1, type: 'cancel', job: 'b.1' });
      await drained;
      expect(clock.now() - startedAt).toBe(0);
    });

    it('ends 1.5 s after the deadline of its last job, even if the edge does nothing', async () => {
      const engine = new ScriptedEngine();
      const host = dialIn(engine);
      const link = await greeted();
      link.send(await edge.job('b.1', INSTANCE, [X], 30_000));
      await engine.batch(0);
      edge.refuseWith = 503;
      link.socket.terminate();
      await clock.settle();
      await clock.finish(host.drain());
      expect(clock.now()).toBe(29_500);
    });
  });
});
