import { describe, expect, it } from 'vitest';
import { ACCEPTED, NO_BANNER } from '../../../schema/testing/evidence.ts';
import { Lines, ScriptedWorld } from '../../testing/scripted-world.ts';
import { FleetBatch } from './fleet-batch.ts';
import { ack, back, begin, evidence, found, job } from '../../testing/batch-play.ts';
import { LIMITS } from './limits.ts';

describe('the jobs of a FleetBatch', () => {
  it('sends no job whose signature arrives after its end', async () => {
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

  it('tries further hosts after refusals: up to four may refuse', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      play.batch.hear(name, { v: 1, type: 'refuse', job: `b.${at + 1}`, why: 'draining' });
      await play.world.clock.settle();
    }
    expect(play.world.drainFrames().at(-1)).toBe('e job b.5 x,y');
  });

  it('gives up an address that three hosts finished without evidence', async () => {
    const play = await begin(['a', 'b', 'c', 'd'], { addresses: [['x', 'a.test']] });
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      play.batch.hear(name, { v: 1, type: 'done', job: `b.${at + 1}` });
      await play.world.clock.settle();
    }
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('asks no second host when little time is left, and writes its evidence at once', async () => {
    const play = await begin(['h', 'other'], { remainingMs: 9_000 });
    await play.world.clock.advance(1_000);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(LIMITS.reportMs - 4_000);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    expect(play.sink.lines).toEqual([found(0, NO_BANNER)]);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y']);
  });

  it('does not wait for hosts whose jobs could not be signed', async () => {
    const play = await begin([]);
    play.world.signs = false;
    for (const name of ['a', 'b', 'c']) play.world.join(name);
    play.batch.advance();
    await play.world.clock.settle();
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.told).toEqual([]);
  });
});
