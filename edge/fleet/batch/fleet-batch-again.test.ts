import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetPart } from '../../base/fleet-protocol.ts';
import { ACCEPTED, NO_BANNER, TIMEOUT } from '../../../schema/testing/evidence.ts';
import { ack, begin, evidence, found, job, type Play } from '../../testing/batch-play.ts';
import { Lines, ScriptedWorld, type WholeLine } from '../../testing/scripted-world.ts';
import { FleetBatch } from './fleet-batch.ts';

const DONE = { type: 'end', cause: 'done' } as const;
const answered = (lines: readonly WholeLine[]): number[] =>
  lines.flatMap((line) => (line.type === 'evidence' ? [line.i] : []));

describe('asked for again after the object was reset', () => {
  it('waits up to 3 s for the host that says it runs the batch', async () => {
    const play = await begin(['idle'], { again: true });
    await play.world.clock.advance(2_900);
    expect(play.world.drainFrames()).toEqual([]);
    const back = play.world.join('runner', { running: ['b.1', 'b.2'] });
    play.batch.hostBack(back);
    await play.world.clock.settle();
    // Its first job is asked for by the same id; what only this object's predecessor could read is ended.
    expect(play.world.drainFrames()).toEqual(['runner cancel b.2', 'runner job b.1 x,y']);
    evidence(play, 'runner', 'b.1', 0, ACCEPTED);
    evidence(play, 'runner', 'b.1', 1, ACCEPTED);
    expect(play.sink.lines.at(-1)).toEqual(DONE);
  });

  it('goes to another host after that, under an attempt that nobody had', async () => {
    const play = await begin([], { again: true });
    play.world.join('idle');
    play.batch.advance();
    await play.world.clock.advance(2_999);
    expect(play.world.drainFrames()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.drainFrames()).toEqual(['idle job b.1 x,y']);
  });

  it('ends attempts that it cannot read and never gives their numbers again', async () => {
    const play = await begin([], { again: true });
    play.batch.hostBack(play.world.join('other', { running: ['b.3'] }));
    await play.world.clock.advance(3_000);
    const frames = play.world.drainFrames();
    expect(frames[0]).toBe('other cancel b.3');
    expect(frames.at(-1)).toBe('other job b.4 x,y');
  });

  it('finds the host that runs it even if the Worker does not say so', async () => {
    const world = new ScriptedWorld();
    world.join('idle');
    world.join('runner', { jobs: 5, draining: true, running: ['b.1'] });
    new FleetBatch(job(), new Lines(), world, () => {}).advance();
    await world.clock.settle();
    expect(world.drainFrames()).toEqual(['runner job b.1 x,y']);
  });
});

async function lost(): Promise<Play> {
  const play = await begin(['h', 'other']);
  evidence(play, 'h', 'b.1', 0, ACCEPTED);
  play.world.leave('h');
  play.batch.hostGone('h', true);
  await play.world.clock.settle();
  return play;
}

describe('a batch whose first host lost it', () => {
  it('tells the Worker what its next host is asked about, and of no second opinion', async () => {
    const play = await lost();
    expect(play.world.drainFrames().at(-1)).toBe('other job b.2 y');
    play.world.join('third');
    evidence(play, 'other', 'b.2', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['third job b.3 y']);
    expect(play.sink.parts).toMatchObject([{ n: 2, indexes: [1] }]);
  });

  it('goes on at the next, by the same text, after a reset of the object', async () => {
    const before = await lost();
    const [part] = before.sink.parts;
    if (part === undefined) throw new Error('nothing was told');
    const play = await begin(['idle'], { again: true, part, known: [0] });
    await play.world.clock.advance(2_900);
    expect(play.world.drainFrames()).toEqual([]);
    play.batch.hostBack(play.world.join('other', { running: ['b.2', 'b.1'] }));
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['other cancel b.1', 'other job b.2 y']);
    expect(play.world.signed[0]?.payload).toBe(before.world.signed.at(-1)?.payload);
    ack(play, 'other', 'b.2');
    evidence(play, 'other', 'b.2', 0, TIMEOUT);
    expect(play.sink.lines).toEqual([found(1, TIMEOUT), DONE]);
  });

  it('goes to another under a new number if that one does not come back', async () => {
    const play = await begin(['idle'], { again: true, part: { n: 2, indexes: [1] }, known: [0] });
    await play.world.clock.advance(3_000);
    expect(play.world.drainFrames()).toEqual(['idle job b.3 y']);
  });

  it('asks the next again if the stream breaks, and anew if the Worker was not told of it', async () => {
    for (const [part, frames] of [
      [{ n: 2, indexes: [1] }, ['other job b.2 y']],
      [undefined, ['other cancel b.2', 'other job b.3 x,y']],
    ] as const) {
      const play = await lost();
      play.world.drainFrames();
      const again = part === undefined ? {} : { part: { n: part.n, indexes: [...part.indexes] }, known: [0] };
      play.batch.attach(job({ again: true, ...again }), new Lines());
      await play.world.clock.settle();
      expect(play.world.drainFrames()).toEqual(frames);
    }
  });
});

it('writes each address at most once and ends by its deadline, whatever its hosts do', async () => {
  const [hosts, each] = [['a', 'b', 'c'], 12];
  const addresses = Array.from({ length: each }, (_, n) => [`x${n}`, `d${n % 5}.test`] as const);
  const step = fc.record({
    kind: fc.constantFrom('answer', 'answer', 'answer', 'refuse', 'leave', 'break', 'join', 'done', 'again', 'wait'),
    host: fc.constantFrom(...hosts),
    index: fc.nat(each - 1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const play = await begin(hosts, { addresses });
      const known = new Set<number>();
      let sink = play.sink;
      let part: FleetPart | undefined;
      for (const { kind, host, index } of steps) {
        const [running] = play.world.roster.filter(({ instance }) => instance === host).flatMap((m) => m.running);
        if (kind === 'join' && !play.world.roster.some(({ instance }) => instance === host))
          play.batch.hostBack(play.world.join(host));
        if (kind === 'wait') await play.world.clock.advance(index * 250);
        if (kind === 'leave' || kind === 'break') {
          if (kind === 'leave') play.world.leave(host);
          play.batch.hostGone(host, kind === 'leave');
        }
        if (kind === 'again' && sink.state === 'open') {
          part = sink.parts.at(-1) ?? part;
          for (const i of answered(sink.lines)) known.add(i);
          sink = new Lines();
          const told = part === undefined ? {} : { part };
          play.batch.attach(job({ addresses, again: true, ...told, known: [...known] }), sink);
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
