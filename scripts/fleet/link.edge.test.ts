import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { identify, makeHostToken } from '../../prober/link/identity.ts';
import { everyone, ScriptedEngine } from '../../prober/testing/scripted-engine.ts';
import type { Enrolment } from '../../schema/enrolment.ts';
import { CLOSE } from '../../schema/link.ts';
import { ACCEPTED } from '../../schema/testing/evidence.ts';
import { FleetHarness } from './testing/fleet-harness.ts';

let fleet: FleetHarness;
let enrolment: Enrolment;
beforeAll(async () => {
  fleet = await FleetHarness.start({ SANDBOX: '1' });
  enrolment = await fleet.enrol('probe-1');
});
afterAll(() => fleet.stop());

const token = (of: Enrolment): Promise<string> => makeHostToken(identify(of, 'instance-of-16-chars', 0), Date.now());

/** Dials in by hand. @returns the open socket, or the status of the refusal */
async function dial(authorization: string | null, path = '/link?shard=0'): Promise<WebSocket | number> {
  const socket = new WebSocket(new URL(path, fleet.url.href.replace('http', 'ws')), {
    headers: authorization === null ? {} : { authorization },
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (asked, response) => {
      asked.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
}
async function open(of: Enrolment): Promise<WebSocket> {
  const socket = await dial(`Bearer ${await token(of)}`);
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return socket;
}
/** What the edge's close frame says: workerd may end the connection itself only 10 s later. */
async function closeCode(socket: WebSocket): Promise<unknown> {
  const hangUp = setInterval(() => {
    if (socket.readyState === socket.CLOSING) socket.terminate();
  }, 10);
  const [code] = await once(socket, 'close');
  clearInterval(hangUp);
  return code;
}
const hello = (instance: string): string =>
  JSON.stringify({
    v: 1,
    type: 'hello',
    version: '1.0.0',
    instance,
    routes: false,
    egress: ['default'],
    running: [],
    healthy: true,
    slots: 1_000,
    startedAt: 1,
  });

describe('GET /link', () => {
  it('lets an enrolled host in', async () => {
    (await open(enrolment)).terminate();
  });

  it.each<[string, () => Promise<string> | null]>([
    ['no token', () => null],
    ['the token of a host that was never enrolled', () => token({ ...enrolment, host: 'stranger' })],
    ['the token of a removed host', async () => token(await fleet.enrol('removed', 'removed'))],
  ])('answers %s with 401', async (_name, make) => {
    const made = await make();
    expect(await dial(made === null ? null : `Bearer ${made}`)).toBe(401);
  });

  it.each(['/link', '/link?shard=1', '/link?shard=-1', '/link?shard=x', '/link?shard=0.5', '/link?shard='])(
    'answers %s with 404, as one shard is all there is',
    async (path) => {
      expect(await dial(`Bearer ${await token(enrolment)}`, path)).toBe(404);
    },
  );

  it('answers a request that is no WebSocket with 426', async () => {
    const asked = request(new URL('/link?shard=0', fleet.url)).end();
    const [response] = await once(asked, 'response');
    expect(response.statusCode).toBe(426);
    response.resume();
  });

  it('lets no host pass for a process of another', async () => {
    const victim = await open(enrolment);
    victim.send(hello('victims-instance-id'));
    await once(victim, 'message');
    const thief = await open(await fleet.enrol('thief'));
    thief.send(hello('victims-instance-id'));
    expect(await closeCode(thief)).toBe(CLOSE.hello);
    victim.terminate();
  });

  it('closes the earlier socket of a process that dials in anew', async () => {
    const first = await open(enrolment);
    first.send(hello('same-instance-here'));
    await once(first, 'message');
    const second = await open(enrolment);
    second.send(hello('same-instance-here'));
    expect(await closeCode(first)).toBe(CLOSE.replaced);
    await fleet.until((hosts) => hosts.some(({ id, instances }) => id === 'probe-1' && instances === 1));
    second.terminate();
  });

  it('closes a link on which no hello comes in time', async () => {
    expect(await closeCode(await open(enrolment))).toBe(CLOSE.hello);
  });

  it('closes the link that was silent for longest when a host opens a fifth, and keeps the live ones', async () => {
    const crowded = await fleet.enrol('crowded');
    const sockets: WebSocket[] = [];
    for (let n = 0; n < 4; n += 1) {
      const socket = await open(crowded);
      socket.send(hello(`instance-number-000${n}`));
      await once(socket, 'message');
      sockets.push(socket);
    }
    // The oldest of them says that it lives; the second does not.
    const [oldest, second] = sockets;
    if (oldest === undefined || second === undefined) throw new Error('No sockets');
    oldest.send(JSON.stringify({ v: 1, type: 'alive', job: 'b.1' }));
    oldest.send('ping');
    await once(oldest, 'message');
    const gone = closeCode(second);
    const fifth = await open(crowded);
    fifth.send(hello('instance-number-0009'));
    expect(await gone).toBe(CLOSE.crowded);
    await fleet.until((hosts) => hosts.some(({ id, instances }) => id === 'crowded' && instances === 4));
    for (const socket of [...sockets, fifth]) socket.terminate();
  });

  it('counts no job that a host says it runs and nobody asked for, and cancels it', async () => {
    const stale = await fleet.enrol('stale');
    const socket = await open(stale);
    const frames: string[] = [];
    socket.on('message', (data) => frames.push(Buffer.isBuffer(data) ? data.toString('utf8') : ''));
    const running = Array.from({ length: 80 }, (_, n) => `batch-of-another-life-${n}.1`);
    socket.send(hello('instance-of-stale-jobs').replace('"running":[]', `"running":${JSON.stringify(running)}`));
    await fleet.until((hosts) => hosts.some(({ id, jobs }) => id === 'stale' && jobs === 0));
    await expect.poll(() => frames.filter((f) => f.includes('"cancel"')).length, { timeout: 10_000 }).toBe(80);
    socket.terminate();
  });

  it('closes the link of a host that floods, and no other', async () => {
    const well = await fleet.join('well', new ScriptedEngine(everyone(ACCEPTED)));
    const liar = await open(await fleet.enrol('liar'));
    liar.send(hello('instance-of-the-liar'));
    const gone = closeCode(liar);
    const alive = JSON.stringify({ v: 1, type: 'alive', job: 'b.1', padding: 'x'.repeat(100_000) });
    // Faster than its allowance grows, however busy the machine is: it counts bytes too.
    while (liar.readyState === liar.OPEN) {
      for (let n = 0; n < 200; n += 1) liar.send(alive);
      await new Promise<void>((wake) => liar.send(alive, () => wake()));
    }
    expect(await gone).toBe(CLOSE.flood);
    expect((await fleet.ask([['x', 'a.test']]).ended).at(-1)).toEqual({ type: 'end', cause: 'done' });
    well.kill();
  });

  it('closes the link of a host that takes jobs and takes none by turns, in frames of any size', async () => {
    const liar = await open(await fleet.enrol('waverer'));
    liar.send(hello('instance-of-the-waverer'));
    await once(liar, 'message');
    const gone = closeCode(liar);
    const padding = 'x'.repeat(100_000);
    const none = { checked: false, failing: [], jobs: 0, cooling: 0, refusals: [] };
    const status = { v: 1, type: 'status', healthy: true, ...none, padding };
    const [takesNone, takes] = [true, false].map((draining) => JSON.stringify({ ...status, draining }));
    // Until it is closed, however slowly a busy machine sends.
    while (liar.readyState === liar.OPEN) {
      for (let n = 0; n < 100; n += 1) for (const frame of [takesNone, takes]) liar.send(frame ?? '');
      await new Promise<void>((wake) => liar.send(takes ?? '', () => wake()));
    }
    expect(await gone).toBe(CLOSE.flood);
  });

  it('refuses a batch for which its hosts have no slots, and takes it when there are some', async () => {
    const socket = await open(await fleet.enrol('small'));
    socket.send(hello('instance-of-the-small').replace('"slots":1000', '"slots":3'));
    await once(socket, 'message');
    await fleet.until((hosts) => hosts.some(({ id }) => id === 'small'));
    const first = fleet.ask([
      ['x', 'a.test'],
      ['y', 'b.test'],
    ]);
    await fleet.until((hosts) => hosts.some(({ id, jobs }) => id === 'small' && jobs === 1));
    const pair: ReadonlyArray<readonly [string, string]> = [
      ['x', 'c.test'],
      ['y', 'd.test'],
    ];
    expect(await fleet.ask(pair).ended).toEqual([{ type: 'end', cause: 'full' }]);
    first.letGo();
    await fleet.until((hosts) => hosts.every(({ jobs }) => jobs === 0));
    const second = fleet.ask(pair);
    await fleet.until((hosts) => hosts.some(({ jobs }) => jobs === 1));
    second.letGo();
    socket.terminate();
  });

  it('takes a host with private routes if SANDBOX is 1', async () => {
    const { log } = fleet.dialIn(await fleet.enrol('sandboxed'), new ScriptedEngine(), { routes: true });
    await expect.poll(() => log, { timeout: 10_000 }).toContainEqual({ event: 'linked', shard: 0, draining: false });
  });
});
