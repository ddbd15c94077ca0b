import { describe, expect, it } from 'vitest';
import { ACCEPTED, NO_BANNER, TIMEOUT } from '../../../schema/testing/evidence.ts';
import { ack, begin, evidence, found } from '../../testing/batch-play.ts';

const DONE = { type: 'end', cause: 'done' } as const;
describe('FleetBatch', () => {
  it('sends one job, writes evidence as it arrives and ends once', async () => {
    const play = await begin(['h']);
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y']);
    ack(play, 'h', 'b.1');
    evidence(play, 'h', 'b.1', 1, TIMEOUT);
    expect(play.sink.lines).toEqual([found(1, TIMEOUT)]);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([found(1, TIMEOUT), found(0, ACCEPTED), DONE]);
    expect(play.sink.state).toBe('ended');
    expect(play.ends()).toBe(1);
    expect(play.world.drainFrames()).toEqual([]);
    expect(play.world.clock.pending).toBe(0);
  });

  it('moves a job to another host if it is not acknowledged within 2 s', async () => {
    const play = await begin(['deaf', 'other']);
    await play.world.clock.advance(1_999);
    expect(play.world.drainFrames()).toEqual(['deaf job b.1 x,y']);
    await play.world.clock.advance(1);
    expect(play.world.drainFrames()).toEqual(['deaf cancel b.1', 'other job b.2 x,y']);
    expect(play.world.told).toEqual(['deaf leaves every job unanswered']);
  });

  it('closes the circuit breaker of a host that completes a job', async () => {
    const play = await begin(['h']);
    play.world.avoided.add('h');
    for (const index of [0, 1]) evidence(play, 'h', 'b.1', index, ACCEPTED);
    expect([...play.world.avoided]).toEqual([]);
  });

  it('moves the rest of a job that is silent for 10 s to another host', async () => {
    const play = await begin(['mute', 'other']);
    ack(play, 'mute', 'b.1');
    await play.world.clock.advance(9_000);
    play.batch.hear('mute', { v: 1, type: 'alive', job: 'b.1' });
    await play.world.clock.advance(9_000);
    evidence(play, 'mute', 'b.1', 0, ACCEPTED);
    play.world.drainFrames();
    await play.world.clock.advance(9_999);
    expect(play.world.drainFrames()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.drainFrames()).toEqual(['mute cancel b.1', 'other job b.2 y']);
    expect(play.world.told).toContain('mute leaves every job unanswered');
  });

  it('ignores processes that do not have the job', async () => {
    const play = await begin(['h', 'liar']);
    evidence(play, 'liar', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.9', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([]);
  });

  it('moves a refused job to another host at once', async () => {
    const play = await begin(['busy', 'other']);
    play.batch.hear('busy', { v: 1, type: 'refuse', job: 'b.1', why: 'draining' });
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['busy job b.1 x,y', 'other job b.2 x,y']);
  });

  it('records which host refused, and why', async () => {
    const play = await begin(['busy', 'other']);
    play.batch.hear('busy', { v: 1, type: 'refuse', job: 'b.1', why: 'token' });
    expect(play.world.told).toEqual(['busy refuses every job: token']);
  });

  it('does not hold it against a host that it is busy', async () => {
    const play = await begin(['busy', 'other']);
    play.batch.hear('busy', { v: 1, type: 'refuse', job: 'b.1', why: 'busy' });
    expect(play.world.told).toEqual([]);
  });

  it('is done with a job once all its addresses are known, even if its host leaves', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y', 'other job b.2 x']);
    play.batch.hostGone('h', true);
    expect(play.world.logged).toEqual([]);
    expect([...play.world.jobs]).toEqual(['other b.2']);
  });

  it('moves what a finished job left unreported to another host', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    play.batch.hear('h', { v: 1, type: 'done', job: 'b.1' });
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y', 'other job b.2 y']);
  });

  it('waits 4 s for a host to dial in, then reports that there is none', async () => {
    const play = await begin([]);
    await play.world.clock.advance(3_999);
    expect(play.sink.lines).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('answers within 10 s if no host acknowledges', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    await play.world.clock.advance(10_000);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.drainFrames().filter((frame) => frame.includes('job'))).toHaveLength(3);
  });

  it('counts evidence for addresses that the job does not have', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 2, ACCEPTED);
    expect(play.world.logged).toEqual([]);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    expect(play.world.logged).toEqual(['evidence_dropped']);
  });

  it('ends at the deadline, cancels running jobs and writes the evidence it held back', async () => {
    const play = await begin(['h', 'other'], { remainingMs: 13_500 });
    ack(play, 'h', 'b.1');
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y', 'other job b.2 x']);
    ack(play, 'other', 'b.2');
    for (let s = 0; s < 25; s += 1) {
      await play.world.clock.advance(500);
      for (const [from, id] of [
        ['h', 'b.1'],
        ['other', 'b.2'],
      ] as const) {
        play.batch.hear(from, { v: 1, type: 'alive', job: id });
      }
    }
    // Released 1 s before the end, so that the Worker still gets it.
    expect(play.sink.lines).toEqual([found(0, NO_BANNER)]);
    await play.world.clock.advance(1_000);
    expect(play.sink.lines).toEqual([found(0, NO_BANNER), { type: 'end', cause: 'deadline' }]);
    expect(play.world.drainFrames()).toEqual(['h cancel b.1', 'other cancel b.2']);
    expect(play.world.clock.pending).toBe(0);
  });

  it('cancels every job when the stream is cancelled, and writes nothing more', async () => {
    const play = await begin(['h']);
    play.batch.letGo();
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([]);
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y', 'h cancel b.1']);
    expect(play.ends()).toBe(1);
    expect(play.world.clock.pending).toBe(0);
  });
});
