import { describe, expect, it } from 'vitest';
import { ACCEPTED, NO_BANNER } from '../../../schema/testing/evidence.ts';
import { Lines, ScriptedWorld } from '../../testing/scripted-world.ts';
import { FleetBatch } from './fleet-batch.ts';
import { ack, back, begin, evidence, found, job } from '../../testing/batch-play.ts';
import { LIMITS } from './limits.ts';

describe('the jobs of a FleetBatch', () => {
  it('has a job signed for the time that is left, and its host noted as running it', async () => {
    const play = await begin(['h', 'other']);
    await play.world.clock.advance(2_000);
    expect(play.world.signed.map(({ jobId, to, remainingMs }) => [jobId, to.instance, remainingMs])).toEqual([
      ['b.1', 'h', 90_000],
      ['b.2', 'other', 88_000],
    ]);
    expect(play.world.sent.flatMap(([, frame]) => (frame.type === 'job' ? [frame.payload] : []))).toEqual(
      play.world.signed.map(({ payload }) => payload),
    );
    expect([...play.world.jobs]).toEqual(['other b.2']);
  });

  it('sends no job whose signature came after its end', async () => {
    const world = new ScriptedWorld();
    world.join('h');
    const sink = new Lines();
    const batch = new FleetBatch(job(), sink, world, world, () => {});
    batch.advance();
    batch.letGo();
    await world.clock.settle();
    expect(world.drainFrames()).toEqual(['h cancel b.1']);
  });

  it('does nothing more once it is over', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    play.world.drainFrames();
    const lines = [...play.sink.lines];
    play.batch.advance();
    play.batch.letGo();
    play.batch.hostGone('h', true);
    back(play, 'h', 'b.1', 'b.2');
    await play.world.clock.settle();
    expect([play.world.drainFrames(), play.sink.lines, play.ends(), play.world.clock.pending]).toEqual([
      [],
      lines,
      1,
      0,
    ]);
  });

  it('does not hold a refusal against its other hosts: four may refuse', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      play.batch.hear(name, { v: 1, type: 'refuse', job: `b.${at + 1}`, why: 'draining' });
      await play.world.clock.settle();
    }
    expect(play.world.drainFrames().at(-1)).toBe('e job b.5 x,y');
  });

  it('gives up when three hosts finished without a word about one address', async () => {
    const play = await begin(['a', 'b', 'c', 'd'], { addresses: [['x', 'a.test']] });
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      play.batch.hear(name, { v: 1, type: 'done', job: `b.${at + 1}` });
      await play.world.clock.settle();
    }
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('counts no job as lost that was answered to the end', async () => {
    const play = await begin(['h', 'other'], {
      addresses: [
        ['x', 'a.test'],
        ['y', 'b.test'],
        ['z', 'c.test'],
      ],
    });
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    evidence(play, 'other', 'b.2', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, NO_BANNER);
    evidence(play, 'other', 'b.3', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 2, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.drainFrames().at(-1)).toBe('other job b.4 z');
  });

  it('asks no second host when too little time is left, and writes at once what it has', async () => {
    const play = await begin(['h', 'other'], { remainingMs: 9_000 });
    await play.world.clock.advance(1_000);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(LIMITS.reportMs - 4_000);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    expect(play.sink.lines).toEqual([found(0, NO_BANNER)]);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y']);
  });

  it('counts the silence of a host that came back from when it did', async () => {
    const play = await begin(['h', 'other']);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(9_500);
    play.batch.hostGone('h', false);
    await play.world.clock.advance(400);
    back(play, 'h', 'b.1');
    play.world.drainFrames();
    await play.world.clock.advance(9_999);
    expect(play.world.drainFrames()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.drainFrames()[0]).toBe('h cancel b.1');
  });

  it('waits for each host by its own time', async () => {
    const play = await begin(['a', 'b']);
    await play.world.clock.advance(1_000);
    evidence(play, 'a', 'b.1', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['a job b.1 x,y', 'b job b.2 x']);
    play.batch.hostGone('a', false);
    back(play, 'c', 'else.1');
    await play.world.clock.advance(1_999);
    expect(play.world.drainFrames()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.drainFrames().filter((frame) => frame.includes('cancel'))).toEqual([
      'a cancel b.1',
      'b cancel b.2',
    ]);
  });

  it('gives a second host as long to acknowledge as the first', async () => {
    const play = await begin(['a', 'b']);
    await play.world.clock.advance(1_000);
    evidence(play, 'a', 'b.1', 0, NO_BANNER);
    await play.world.clock.advance(1_999);
    expect(play.world.drainFrames()).toEqual(['a job b.1 x,y', 'b job b.2 x']);
    await play.world.clock.advance(1);
    expect(play.world.drainFrames()).toContain('b cancel b.2');
  });

  it('waits for no host whose job could not be signed', async () => {
    const play = await begin([]);
    play.world.signs = false;
    for (const name of ['a', 'b', 'c']) play.world.join(name);
    play.batch.advance();
    await play.world.clock.settle();
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.told).toEqual([]);
  });

  it('loses a job once, even if its signature fails later', async () => {
    const rejects: Array<(error: Error) => void> = [];
    const signJob = () => new Promise<string>((_, reject) => rejects.push(reject));
    const world = Object.assign(new ScriptedWorld(), { signJob });
    world.join('h');
    const batch = new FleetBatch(job(), new Lines(), world, world, () => {});
    batch.advance();
    await world.clock.advance(LIMITS.ackMs);
    for (const reject of rejects) reject(new Error('no key'));
    await world.clock.settle();
    expect(world.drainFrames()).toEqual(['h cancel b.1']);
  });

  it('writes what was held back even if it wakes after its deadline', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    play.world.clock.now = () => 90_000;
    play.batch.advance();
    expect(play.sink.lines).toEqual([found(0, NO_BANNER), { type: 'end', cause: 'deadline' }]);
  });
});
