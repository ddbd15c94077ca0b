import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { identify, makeHostToken } from '../prober/link/identity.ts';
import { claimedJobId } from '../prober/link/verify-job.ts';
import { type NameServer, startNameServer } from '../prober/testing/name-server.ts';
import { startPeer } from '../prober/testing/peer.ts';
import type { HostEntry } from '../schema/admin.ts';
import { toHostSchema } from '../schema/link.ts';
import { parseJson } from '../schema/parse-json.ts';
import { DIFFERS, SILENT } from '../schema/words/fleet-troubles.ts';
import { enrolHost } from './admin/hosts/enrol.ts';
import { readOperatorKey } from './admin/connection/operator-key.ts';
import { type HostProcess, type HostWorld, startHost } from './local/host-process.ts';
import { type Service, startService } from './local/service.ts';
import { type Row, WORLD } from './sandbox/world.ts';
import { type Caller, callerOf } from './testing/caller.ts';
import { newStateFolder } from './testing/running-service.ts';

// Hosts that cannot work beside one that can: nobody is told anything wrong, nobody pays for it, and the operator hears of it.
// Each address that is answered is compared too, so that few are enough.

const OPTIONS = { port: 0, hosts: 0, dns: [], stub: [], route: [], sandbox: true, json: true };
/** Nobody listens there. */
const NOWHERE = 1;
/** Rows of the verdict table that a host answers at once. */
const ROWS = WORLD.filter(({ takesS, expected }) => takesS === 0 && expected.syntax);
const BATCHES = 18;
/** Which host gets which batch is a matter of lots: it takes a few until each has had one. No two rounds have the same batches. */
const STRIDES = [1, 3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25];

type Worlds = Readonly<Record<string, (well: HostWorld, liar: string) => HostWorld>>;
const WELL = (well: HostWorld): HostWorld => well;
const SHUT = (well: HostWorld): HostWorld => ({
  ...well,
  route: well.route.map((route) => `${route.split('=')[0]}=${NOWHERE}`),
});
const resolvedBy = (well: HostWorld, server: string): HostWorld => ({
  ...well,
  stub: well.stub.map((stub) => `${stub.split('=')[0]}=${server}`),
});
const DEAD_RESOLVER = (well: HostWorld): HostWorld => resolvedBy(well, `127.0.0.1:${NOWHERE}`);
/** The names and servers by which hosts check themselves, which its resolver knows, and nothing else. */
const KNOWN = ['deliverable.test', 'catchall.test'];
const SMOOTH_LIAR = (well: HostWorld, liar: string): HostWorld => ({
  ...resolvedBy(well, liar),
  stub: [
    ...resolvedBy(well, liar).stub,
    ...KNOWN.map((zone) => `${zone}=${well.stub.find((stub) => stub.startsWith('test='))?.split('=')[1]}`),
  ],
});
/** Between it and port 25 something refuses every mailbox. */
const REFUSER = (well: HostWorld): HostWorld => ({
  ...well,
  route: well.route.map((route) => `${route.split('=')[0]}=${device.port}`),
});
const LIAR = (well: HostWorld, liar: string): HostWorld => resolvedBy(well, liar);

let state = '';
let service: Service;
let caller: Caller;
/** They take turns: this one, and those of further accounts if a test has opened some. */
let callers: readonly Caller[];
let liar: NameServer;
let device: Awaited<ReturnType<typeof startPeer>>;
let lines: string[] = [];
let hosts: HostProcess[] = [];
let mutes: WebSocket[] = [];

beforeEach(async () => {
  lines = [];
  hosts = [];
  mutes = [];
  state = await newStateFolder();
  device = await startPeer(refuseEverybody, '0.0.0.0');
  liar = await startNameServer(() => ({ rcode: 'NXDOMAIN' }));
  service = await startService(
    { ...OPTIONS, state, variables: { RATE_LIMIT: '0', COMPARE_EVERY: '1' } },
    {
      say: (line) => lines.push(line),
      mail: () => {},
    },
  );
  const { url, demo, operatorKeyFile } = service;
  caller = await callerOf({ ...demo, url, operatorKey: operatorKeyFile, hosts: [] });
  callers = [caller];
});

async function openAccount(id: string): Promise<Caller> {
  const { operator } = caller;
  await operator.createAccount(id, id);
  await operator.grant(id, 'first', 10_000);
  const { key } = await operator.createKey(`key_${id}`, id, 'test');
  return callerOf({ url: service.url, apiKey: key, accountId: id, operatorKey: service.operatorKeyFile, hosts: [] });
}

async function creditsOfAll(): Promise<number> {
  return (await Promise.all(callers.map(({ credits }) => credits()))).reduce((sum, credits) => sum + credits, 0);
}
afterEach(async () => {
  for (const socket of mutes) socket.terminate();
  await Promise.all(hosts.map((host) => host.drain(1_000)));
  await service.stop();
  await Promise.all([liar.close(), device.close()]);
  await rm(state, { recursive: true, force: true });
});

function refuseEverybody(socket: Socket): void {
  socket.write('220 mx ESMTP\r\n');
  socket.on('data', (bytes) => {
    for (const line of bytes.toString().split('\r\n').slice(0, -1))
      socket.write(line.startsWith('RCPT') ? '550 5.1.1 No such user here\r\n' : '250 ok\r\n');
  });
}

async function startThem(worlds: Worlds, canaries: HostWorld['canaries'] = null): Promise<void> {
  const operator = await readOperatorKey(service.operatorKeyFile);
  for (const [id, worldOf] of Object.entries(worlds)) {
    const file = join(state, `${id}.json`);
    await enrolHost({ origin: service.url, operator }, id, file);
    const world = worldOf({ ...service.world, canaries }, liar.address);
    hosts.push(await startHost(id, file, world, (how) => lines.push(`${id} ended ${how}`)));
  }
  await expect
    .poll(async () => (await list()).filter(({ instances }) => instances === 1).length, { timeout: 15_000 })
    .toBe(hosts.length);
}

async function list(): Promise<readonly HostEntry[]> {
  return (await caller.operator.listHosts()).hosts;
}

async function unhealthy(): Promise<readonly HostEntry[]> {
  return (await list()).filter(({ healthy }) => healthy === false);
}

type Verified = { readonly answered: readonly Row[]; readonly unprobed: number };

/** Verifies the rows of the table, if need be again in other batches, until so many hosts are found to be sick. */
async function verifyUntil(sick: number, table = ROWS): Promise<Verified & { readonly rounds: number }> {
  const answered: Row[] = [];
  let [rounds, unprobed] = [0, 0];
  for (const stride of STRIDES) {
    const rows = table.map((_, n) => table[(n * stride) % table.length]).filter((row) => row !== undefined);
    const round = await verifyAll(rows);
    answered.push(...round.answered);
    unprobed += round.unprobed;
    rounds += 1;
    if ((await unhealthy()).length >= sick) break;
  }
  return { answered, unprobed, rounds };
}

/** Verifies rows of the table in several batches. @returns those that were answered, not left unprobed */
async function verifyAll(rows: readonly Row[]): Promise<Verified> {
  const answered: Row[] = [];
  let [unprobed, batches] = [0, 0];
  const size = Math.ceil(rows.length / BATCHES);
  for (let from = 0; from < rows.length; from += size) {
    const batch = rows.slice(from, from + size);
    const { verify } = callers[(batches += 1) % callers.length] ?? caller;
    // Of none of them anything was learnt: an error, and free.
    const results = await verify(batch.map(({ address }) => address)).catch((error: unknown) => {
      expect(String(error)).toContain('This request costs nothing.');
      unprobed += batch.length;
      return [];
    });
    for (const [i, result] of results.entries()) {
      const row = batch[i];
      if (row === undefined) throw new Error('an answer too many');
      // Nobody was asked: unknown, free, and when to ask again.
      if (result.reason === 'timeout' && result.retry_after !== null) unprobed += 1;
      else {
        expect.soft(result, row.address).toEqual(row.expected);
        answered.push(row);
      }
    }
  }
  return { answered, unprobed };
}

/** A host that claims much, acknowledges every job, says that it runs, and reports nothing. @returns the jobs it had */
async function startMute(id: string): Promise<readonly string[]> {
  const operator = await readOperatorKey(service.operatorKeyFile);
  const enrolment = await enrolHost({ origin: service.url, operator }, id, join(state, `${id}.json`));
  const identity = identify(enrolment, `process-of-${id}-1234`, Date.now());
  const authorization = `Bearer ${await makeHostToken(identity, Date.now())}`;
  const socket = new WebSocket(new URL('/link?shard=0', service.url.replace('http', 'ws')), {
    headers: { authorization },
  });
  mutes.push(socket);
  const jobs: string[] = [];
  const say = (frame: object): void => socket.send(JSON.stringify({ v: 1, ...frame }));
  socket.on('message', (data) => {
    const frame = toHostSchema.safeParse(parseJson(Buffer.isBuffer(data) ? data.toString('utf8') : ''));
    const job = frame.data?.type === 'job' ? claimedJobId(frame.data.token) : null;
    if (job === null) return;
    jobs.push(job);
    say({ type: 'ack', job });
  });
  await once(socket, 'open');
  const alive = setInterval(() => jobs.forEach((job) => say({ type: 'alive', job })), 3_000);
  socket.once('close', () => clearInterval(alive));
  const { instance, startedAt } = identity;
  const claims = { egress: ['default'], running: [], healthy: true, version: '1.0.0', slots: 100_000 };
  say({ type: 'hello', instance, startedAt, routes: false, ...claims });
  const load = { failing: [], jobs: 0, cooling: 0, refusals: [] };
  say({ type: 'status', draining: false, healthy: true, checked: true, ...load });
  await expect.poll(async () => (await list()).find((host) => host.id === id)?.instances).toBe(1);
  return jobs;
}

const SICK: ReadonlyArray<[string, Worlds]> = [
  ['one with port 25 shut and one with a dead resolver', { shut: SHUT, deaf: DEAD_RESOLVER, well: WELL }],
  ['one that lies and one with port 25 shut', { liar: LIAR, shut: SHUT, well: WELL }],
];

describe('three hosts without canaries', () => {
  test.each(SICK)('%s: nothing wrong is said or charged', { timeout: 300_000 }, async (_name, worlds) => {
    await startThem(worlds);
    const before = await caller.credits();
    const rounds = [await verifyAll(ROWS), await verifyAll(ROWS.toReversed())];
    const answered = rounds.flatMap((round) => round.answered);
    const unprobed = rounds.reduce((sum, round) => sum + round.unprobed, 0);
    // Nobody confirms what a host alone denies, and a host that nobody has greeted yet answers for nobody.
    expect(unprobed).toBeLessThan(ROWS.length);
    const price = answered.filter(({ free }) => !free).length;
    await expect.poll(caller.credits, { timeout: 5_000 }).toBe(before - price);
    expect(lines.join('\n')).not.toContain('.test');
  });
});

test(
  'with canaries, sick hosts of every kind are named, and the others serve everybody',
  { timeout: 300_000 },
  async () => {
    const sick = { deaf: DEAD_RESOLVER, liar: LIAR, refuser: REFUSER, shut: SHUT };
    await startThem({ well: WELL, ...sick, 'well-too': WELL }, service.world.canaries);
    await expect.poll(async () => (await unhealthy()).length, { timeout: 60_000 }).toBe(4);
    const found = await unhealthy();
    expect(found.map(({ id }) => id).toSorted()).toEqual(Object.keys(sick));
    for (const { id, why } of found) {
      expect(why).toMatch(/^its self-check fails: /);
      expect(lines.join('\n')).toContain(`"event":"host_unhealthy","host":"${id}"`);
    }
    expect((await verifyAll(ROWS)).unprobed).toBe(0);
  },
);

test(
  'a host whose resolver knows its canaries and nothing else charges nobody for that, and is named once three accounts agree',
  { timeout: 300_000 },
  async () => {
    await startThem({ well: WELL, liar: SMOOTH_LIAR, 'well-too': WELL }, service.world.canaries);
    for (let n = 2; n <= 6; n += 1) callers = [...callers, await openAccount(`account${n}`)];
    const before = await creditsOfAll();
    const { answered } = await verifyUntil(1);
    const price = answered.filter(({ free }) => !free).length;
    await expect.poll(creditsOfAll, { timeout: 5_000 }).toBe(before - price);
    expect(await unhealthy()).toMatchObject([{ id: 'liar', why: DIFFERS }]);
  },
);

test(
  'a host that acknowledges jobs and reports nothing costs nobody an answer or a second credit, is named, and then left alone',
  { timeout: 300_000 },
  async () => {
    await startThem({ well: WELL }, service.world.canaries);
    const jobs = await startMute('mute');
    for (let n = 2; n <= 5; n += 1) callers = [...callers, await openAccount(`account${n}`)];
    const before = await creditsOfAll();
    // A denial by DNS needs a second host, which here is the silent one.
    const table = ROWS.filter(({ expected }) => expected.smtp_check);
    let price = 0;
    // All at once: many meet the silent host before anything is known of it. One that was too late to acknowledge, for
    // this machine is busy, is left alone for five seconds.
    for (let round = 0; round < 4 && (await unhealthy()).length === 0; round += 1) {
      const calls = Array.from({ length: 20 }, (_, n) => {
        const rows = Array.from({ length: 6 }, (_row, i) => table[(n * 7 + i * 3) % table.length]);
        return { rows: rows.filter((row) => row !== undefined), caller: callers[n % callers.length] ?? caller };
      });
      const results = await Promise.all(calls.map(({ rows, caller: by }) => by.verify(rows.map((row) => row.address))));
      for (const [n, { rows }] of calls.entries()) expect(results[n]).toEqual(rows.map(({ expected }) => expected));
      price += calls.flatMap(({ rows }) => rows).filter(({ free }) => !free).length;
    }
    await expect.poll(creditsOfAll, { timeout: 5_000 }).toBe(before - price);
    expect(await unhealthy()).toMatchObject([{ id: 'mute', why: SILENT }]);
    expect(lines.join('\n')).toContain('"event":"host_suspect","host":"mute"');
    const had = jobs.length;
    expect((await verifyAll(ROWS)).unprobed).toBe(0);
    expect(jobs.length).toBe(had);
    expect((await fetch(new URL('/health', service.url))).status).toBe(200);
  },
);
