import { describe, expect, it } from 'vitest';
import { ACCEPTED } from '../../../schema/testing/evidence.ts';
import { onLink } from '../../../schema/testing/link-evidence.ts';
import { ack, back, begin, evidence, found } from '../../testing/batch-play.ts';

const DONE = { type: 'end', cause: 'done' } as const;
describe('a FleetBatch whose host or stream is lost', () => {
  it('gives a host 2 s to return to its job before another host gets it', async () => {
    const play = await begin(['h', 'other']);
    ack(play, 'h', 'b.1');
    play.world.leave('h');
    play.batch.hostGone('h', false);
    await play.world.clock.advance(1_900);
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y']);
    back(play, 'h', 'b.1');
    await play.world.clock.advance(5_000);
    expect(play.world.drainFrames()).toEqual([]);
    play.batch.hostGone('h', false);
    await play.world.clock.advance(2_000);
    expect(play.world.drainFrames()).toEqual(['h cancel b.1', 'other job b.2 x,y']);
  });

  it('does not give a batch back to a host that has ended its job', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    play.batch.hear('h', { v: 1, type: 'done', job: 'b.1' });
    play.world.leave('h');
    play.world.drainFrames();
    back(play, 'h', 'b.1');
    await play.world.clock.advance(4_000);
    expect(play.world.drainFrames()).not.toContain('h job b.1 x,y');
    expect(play.sink.lines).toEqual([found(0, ACCEPTED), { type: 'end', cause: 'no_host' }]);
  });

  it('sends the job again to a host that returns without it', async () => {
    const play = await begin(['h']);
    play.world.leave('h');
    play.batch.hostGone('h', false);
    back(play, 'h');
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y', 'h job b.1 x,y']);
  });

  it('takes a job that a returning host names as acknowledged', async () => {
    const play = await begin(['h', 'other']);
    await play.world.clock.advance(1_500);
    play.world.leave('h');
    play.batch.hostGone('h', false);
    back(play, 'h', 'b.1');
    await play.world.clock.advance(9_999);
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y']);
  });

  it('moves the job at once if the host closed its link in good order', async () => {
    const play = await begin(['h', 'other']);
    play.world.leave('h');
    play.batch.hostGone('h', true);
    await play.world.clock.settle();
    expect(play.world.drainFrames()).toEqual(['h job b.1 x,y', 'h cancel b.1', 'other job b.2 x,y']);
  });

  it('drops and counts evidence that names an unknown MX row, and waits for better', async () => {
    const play = await begin(['h']);
    play.batch.hear('h', {
      v: 1,
      type: 'evidence',
      job: 'b.1',
      mx: [],
      items: [{ index: 0, evidence: { ...onLink(ACCEPTED), mx: 7 } }],
    });
    expect(play.sink.lines).toEqual([]);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    expect(play.sink.lines).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
    expect(play.world.logged).toEqual(['evidence_dropped']);
  });
});
