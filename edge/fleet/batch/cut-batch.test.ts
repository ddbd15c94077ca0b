import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetPart } from '../../base/fleet-protocol.ts';
import { ACCEPTED, NO_BANNER } from '../../../schema/testing/evidence.ts';
import { ack, begin, evidence, job, type Play } from '../../testing/batch-play.ts';
import { Lines, ScriptedWorld } from '../../testing/scripted-world.ts';
import { LIMITS } from './limits.ts';
import { receiverOf } from '../trust/receiver.ts';

/** Of each host as many addresses, each at a domain of its own that belongs to that host. */
const EACH = 30;
const HOSTS = ['a', 'b', 'c'];
/** Who has which part. */
const JOBS = [
  ['a', 'b.2'],
  ['b', 'b.3'],
  ['c', 'b.4'],
] as const;
const DONE = { type: 'end', cause: 'done' } as const;
const owners = new Map(
  HOSTS.flatMap((host) => Array.from({ length: EACH }, (_, n) => [receiverOf(`${host}${n}.test`), host] as const)),
);

/** @param hosts whose domains are in it, in turns */
function addressesOf(hosts: readonly string[]): ReadonlyArray<readonly [string, string]> {
  return Array.from({ length: EACH }, (_, n) =>
    hosts.map((host) => [`${host}${n}`, `${host}${n}.test`] as const),
  ).flat();
}
/** What owns a domain draws the greatest lot; then the hosts in their order. */
function belongings(): ScriptedWorld {
  const world = new ScriptedWorld();
  world.limits = () => ({ ...LIMITS, partMin: 25 });
  world.lotOf = (_account, domain, host) => (owners.get(domain) === host ? 0.9 : 0.5);
  return world;
}
const cut = (
  hosts: readonly string[] = HOSTS,
  changes: Parameters<typeof job>[0] = {},
  world = belongings(),
): Promise<Play> => begin(hosts, { addresses: addressesOf(HOSTS), parts: [], ...changes }, world);

/** Whose addresses a frame asks for: `a b.2 a30`. */
const short = (frame: string): string => {
  const [host = '', what = '', id = '', locals = ''] = frame.split(' ');
  if (what !== 'job') return frame;
  const counts = HOSTS.map(
    (name) => [name, locals.split(',').filter((local) => local.startsWith(name)).length] as const,
  );
  return `${host} ${id} ${counts.flatMap(([name, count]) => (count > 0 ? [`${name}${count}`] : [])).join(' ')}`;
};
const drain = (play: Play): string[] => play.world.drainFrames().map(short);
/** A host answers these of its job. */
function answer(
  play: Play,
  from: string,
  id: string,
  indexes: readonly number[] = Array.from({ length: EACH }, (_, n) => n),
): void {
  for (const index of indexes) evidence(play, from, id, index, ACCEPTED);
}
const answered = (lines: Lines['lines']): number[] =>
  lines.flatMap((line) => (line.type === 'evidence' ? [line.i] : []));

describe('a batch that is cut', () => {
  it('goes to the hosts that its domains belong to, which share its twenty lanes', async () => {
    const play = await cut();
    expect(drain(play)).toEqual(['a b.2 a30', 'b b.3 b30', 'c b.4 c30']);
    expect(play.world.signed.map(({ lanes }) => lanes)).toEqual([6, 6, 6]);
    for (const [host, id] of JOBS) answer(play, host, id);
    expect(answered(play.sink.lines).toSorted((x, y) => x - y)).toEqual(Array.from({ length: 90 }, (_, n) => n));
    expect(play.sink.lines.at(-1)).toEqual(DONE);
    expect(play.world.clock.pending).toBe(0);
  });

  it('writes what is said of an address of a part under its place in the batch', async () => {
    const play = await cut();
    evidence(play, 'c', 'b.4', 7, ACCEPTED);
    expect(answered(play.sink.lines)).toEqual([7 * 3 + 2]);
    expect(addressesOf(HOSTS)[7 * 3 + 2]).toEqual(['c7', 'c7.test']);
  });

  it('tells the Worker of each part', async () => {
    const play = await cut();
    expect(play.sink.parts.map(({ n, indexes, lanes }) => [n, indexes.length, indexes[1], lanes])).toEqual([
      [2, 30, 3, 6],
      [3, 30, 4, 6],
      [4, 30, 5, 6],
    ]);
  });

  it('is whole for a Worker that knows of no parts', async () => {
    const world = belongings();
    const play = await begin(HOSTS, { addresses: addressesOf(HOSTS) }, world);
    expect(drain(play)).toEqual(['a b.1 a30 b30 c30']);
    expect([play.sink.parts, world.signed[0]?.lanes]).toEqual([[], undefined]);
  });

  it('stays with its hosts when another joins', async () => {
    const play = await cut(['a', 'b']);
    drain(play);
    play.world.join('c');
    play.batch.advance();
    await play.world.clock.settle();
    expect(drain(play)).toEqual([]);
  });

  it('goes on elsewhere with the part of a host that leaves, and with no other', async () => {
    const play = await cut();
    answer(play, 'b', 'b.3', [0, 1]);
    drain(play);
    play.world.leave('b');
    play.batch.hostGone('b', true);
    await play.world.clock.settle();
    expect(drain(play)).toEqual(['b cancel b.3', 'a b.5 b28']);
    // As many lanes as the lost part had.
    expect(play.world.signed.at(-1)?.lanes).toBe(8);
    answer(play, 'a', 'b.2');
    answer(play, 'c', 'b.4');
    answer(
      play,
      'a',
      'b.5',
      Array.from({ length: 28 }, (_, n) => n),
    );
    expect(new Set(answered(play.sink.lines)).size).toBe(90);
    expect(play.sink.lines).toHaveLength(91);
  });

  it('is answered by the one of three hosts that stays', async () => {
    const play = await cut();
    for (const host of ['a', 'b']) {
      play.world.leave(host);
      play.batch.hostGone(host, true);
      await play.world.clock.settle();
    }
    for (const { jobId, to, payload } of play.world.signed)
      if (to.host === 'c')
        answer(
          play,
          'c',
          jobId,
          JSON.parse(payload).addresses.map((_: unknown, n: number) => n),
        );
    expect(play.sink.lines.at(-1)).toEqual(DONE);
    expect(new Set(answered(play.sink.lines)).size).toBe(90);
  });

  it('is not given up because each of three parts was lost once', async () => {
    const play = await cut();
    for (const host of HOSTS) {
      play.world.leave(host);
      play.batch.hostGone(host, true);
    }
    play.world.join('d');
    play.batch.advance();
    await play.world.clock.settle();
    expect(
      drain(play)
        .filter((frame) => frame.startsWith('d'))
        .join(),
    ).toContain('d b.');
    expect(play.sink.lines).toEqual([]);
  });

  it('gives up what three hosts lost, and nothing else', async () => {
    const play = await cut([...HOSTS, 'd', 'e']);
    // Whoever has an address of `a` is killed.
    for (let n = 0; n < 3; n += 1) {
      const killed = play.world.signed.findLast(({ payload }) => payload.includes('a0.test'))?.to.instance ?? '';
      play.world.leave(killed);
      play.batch.hostGone(killed, true);
      await play.world.clock.settle();
    }
    const live = play.batch;
    for (const { jobId, to, payload } of play.world.signed) {
      const { addresses } = JSON.parse(payload);
      if (play.world.roster.some(({ instance }) => instance === to.instance))
        for (const [n] of addresses.entries()) evidence({ ...play, batch: live }, to.instance, jobId, n, ACCEPTED);
    }
    await play.world.clock.settle();
    expect(answered(play.sink.lines).filter((index) => index % 3 === 0)).toEqual([]);
    expect(play.sink.lines.at(-1)).toEqual({ type: 'end', cause: 'no_host' });
  });

  it('hears an answer once, however often it comes, and only from the host of the part', async () => {
    const play = await cut();
    answer(play, 'a', 'b.2', [0, 0, 0]);
    answer(play, 'b', 'b.2', [1]);
    answer(play, 'a', 'b.3', [1]);
    expect(answered(play.sink.lines)).toEqual([0]);
  });

  it('cancels each part when its caller goes', async () => {
    const play = await cut();
    answer(play, 'a', 'b.2', [0]);
    answer(play, 'b', 'b.3');
    drain(play);
    play.batch.letGo(play.sink);
    expect(drain(play)).toEqual(['a cancel b.2', 'c cancel b.4']);
    expect([play.ends(), play.world.clock.pending]).toEqual([1, 0]);
  });

  it('cancels each part at the deadline, and keeps what was said', async () => {
    const play = await cut(HOSTS, { remainingMs: 9_000 });
    for (const [host, id] of JOBS) ack(play, host, id);
    evidence(play, 'a', 'b.2', 0, NO_BANNER);
    evidence(play, 'c', 'b.4', 1, ACCEPTED);
    drain(play);
    await play.world.clock.advance(9_000);
    expect(answered(play.sink.lines).toSorted((x, y) => x - y)).toEqual([0, 5]);
    expect(play.sink.lines.at(-1)).toEqual({ type: 'end', cause: 'deadline' });
    expect(drain(play).filter((frame) => frame.includes('cancel')).length).toBeGreaterThanOrEqual(3);
  });

  it('puts what one host was refused for to another, whoever has the other parts', async () => {
    const play = await cut();
    drain(play);
    answer(play, 'b', 'b.3');
    answer(play, 'c', 'b.4');
    answer(
      play,
      'a',
      'b.2',
      Array.from({ length: EACH - 1 }, (_, n) => n),
    );
    evidence(play, 'a', 'b.2', EACH - 1, NO_BANNER);
    await play.world.clock.settle();
    expect(drain(play)).toEqual(['b b.5 a1']);
    // No part that the Worker would have to name.
    expect(play.sink.parts).toHaveLength(3);
    evidence(play, 'b', 'b.5', 0, ACCEPTED);
    expect(play.sink.lines.at(-1)).toEqual(DONE);
  });
});

describe('a batch that is cut and asked for again', () => {
  const PARTS: readonly FleetPart[] = [
    { n: 2, indexes: Array.from({ length: EACH }, (_, n) => 3 * n), lanes: 6 },
    { n: 3, indexes: Array.from({ length: EACH }, (_, n) => 3 * n + 1), lanes: 6 },
    { n: 4, indexes: Array.from({ length: EACH }, (_, n) => 3 * n + 2), lanes: 6 },
  ];

  it('goes on with each part at the host that has it, after a reset of the object', async () => {
    const before = await cut();
    const play = await cut([], { again: true, parts: before.sink.parts, known: [0] });
    for (const [n, host] of HOSTS.entries()) {
      play.batch.hostBack(play.world.join(host, { running: [`b.${n + 2}`] }));
      ack(play, host, `b.${n + 2}`);
      await play.world.clock.advance(900);
    }
    expect(drain(play)).toEqual(['a b.2 a30', 'b b.3 b30', 'c b.4 c30']);
    expect(play.world.signed.map(({ payload }) => payload)).toEqual(before.world.signed.map(({ payload }) => payload));
    for (const [n, host] of HOSTS.entries()) answer(play, host, `b.${n + 2}`);
    expect(new Set(answered(play.sink.lines))).toEqual(new Set(Array.from({ length: 89 }, (_, n) => n + 1)));
    expect(play.sink.lines).toHaveLength(90);
  });

  it('gives a part whose host does not come back to another after 3 s, under a new number', async () => {
    const play = await cut(['d'], { again: true, parts: PARTS });
    play.batch.hostBack(play.world.join('a', { running: ['b.2'] }));
    play.batch.hostBack(play.world.join('c', { running: ['b.4', 'b.7'] }));
    ack(play, 'a', 'b.2');
    ack(play, 'c', 'b.4');
    await play.world.clock.advance(2_999);
    expect(drain(play)).toEqual(['c cancel b.7', 'a b.2 a30', 'c b.4 c30']);
    await play.world.clock.advance(1);
    const [frame = ''] = drain(play).filter((one) => one.endsWith('b30'));
    expect(frame).toMatch(/^\w b\.8 b30$/);
  });

  it('does not wait for a part of which the Worker knows all', async () => {
    const play = await cut(['a', 'c'], { again: true, parts: PARTS.slice(0, 1), known: PARTS[0]?.indexes ?? [] });
    expect(drain(play).map((frame) => frame.slice(4))).toEqual(['3 b30', '4 c30']);
  });

  it('goes on with the later of two parts that share an address', async () => {
    const later = { n: 5, indexes: [3, 6], lanes: 1 };
    const play = await cut([], { again: true, parts: [...PARTS, later] });
    play.batch.hostBack(play.world.join('a', { running: ['b.2'] }));
    play.batch.hostBack(play.world.join('b', { running: ['b.5', 'b.3'] }));
    await play.world.clock.settle();
    expect(drain(play)).toEqual(['a cancel b.2', 'b b.5 a2', 'b b.3 b30']);
  });

  it('moves to a new stream with all that its hosts still know', async () => {
    const play = await cut();
    answer(play, 'b', 'b.3');
    answer(play, 'a', 'b.2', [0]);
    drain(play);
    const sink = new Lines();
    play.batch.attach(job({ addresses: addressesOf(HOSTS), again: true, parts: play.sink.parts, known: [0] }), sink);
    await play.world.clock.settle();
    // The host of a part that is known whole is asked too: what it said may not have arrived.
    expect(drain(play)).toEqual(['c b.4 c30', 'b b.3 b30', 'a b.2 a30']);
    for (const [n, host] of HOSTS.entries()) answer({ ...play, sink }, host, `b.${n + 2}`);
    expect(new Set(answered(sink.lines)).size).toBe(89);
    expect(sink.lines.at(-1)).toEqual(DONE);
  });

  it('asks anew for a part that its Worker was not told of', async () => {
    const play = await cut();
    drain(play);
    const sink = new Lines();
    play.batch.attach(job({ addresses: addressesOf(HOSTS), again: true, parts: play.sink.parts.slice(0, 2) }), sink);
    await play.world.clock.settle();
    const frames = drain(play);
    expect(frames.slice(0, 3)).toEqual(['c cancel b.4', 'b b.3 b30', 'a b.2 a30']);
    expect(frames.slice(3)).toEqual([expect.stringMatching(/^\w b\.5 c30$/)]);
  });
});

it('writes each address of a cut batch at most once and ends by its deadline, whatever its hosts do', async () => {
  const step = fc.record({
    kind: fc.constantFrom('answer', 'answer', 'answer', 'refuse', 'leave', 'break', 'join', 'done', 'again', 'wait'),
    host: fc.constantFrom(...HOSTS),
    index: fc.nat(EACH - 1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const play = await cut();
      const known = new Set<number>();
      let sink = play.sink;
      const parts: FleetPart[] = [];
      for (const { kind, host, index } of steps) {
        const [running] = play.world.roster.filter(({ instance }) => instance === host).flatMap((m) => m.running);
        if (kind === 'join' && !play.world.roster.some(({ instance }) => instance === host))
          play.batch.hostBack(play.world.join(host));
        if (kind === 'wait') await play.world.clock.advance(index * 100);
        if (kind === 'leave' || kind === 'break') {
          if (kind === 'leave') play.world.leave(host);
          play.batch.hostGone(host, kind === 'leave');
        }
        if (kind === 'again' && sink.state === 'open') {
          parts.push(...sink.parts);
          for (const i of answered(sink.lines)) known.add(i);
          sink = new Lines();
          play.batch.attach(job({ addresses: addressesOf(HOSTS), again: true, parts, known: [...known] }), sink);
        }
        if (running !== undefined && kind === 'answer') evidence(play, host, running, index, ACCEPTED);
        if (running !== undefined && kind === 'done') play.batch.hear(host, { v: 1, type: 'done', job: running });
        if (running !== undefined && kind === 'refuse')
          play.batch.hear(host, { v: 1, type: 'refuse', job: running, why: 'busy' });
        await play.world.clock.settle();
      }
      await play.world.clock.advance(91_000);
      const written = answered(sink.lines);
      expect(new Set([...written, ...known]).size).toBe(written.length + known.size);
      expect([sink.state, sink.lines.at(-1)?.type]).toEqual(['ended', 'end']);
      expect([play.ends(), play.world.clock.pending]).toEqual([1, 0]);
      expect(play.world.roster.flatMap(({ running }) => running)).toEqual([]);
    }),
  );
});
