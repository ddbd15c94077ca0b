import { describe, expect, it } from 'vitest';
import { UNPROBED_HOST, ACCEPTED } from '../../../schema/testing/evidence.ts';
import { ack, begin, evidence, type Play } from '../../testing/batch-play.ts';

const outcomes = (play: Play): readonly string[] => play.world.outcomes;
const refuse = (play: Play, from: string, id: string, why: 'token' | 'busy'): void =>
  play.batch.hear(from, { v: 1, type: 'refuse', job: id, why });

describe('the outcome of a batch', () => {
  it('is "served" once something was learnt, even after failures', async () => {
    const play = await begin(['a', 'b']);
    refuse(play, 'a', 'b.1', 'token');
    await play.world.clock.settle();
    for (const [index] of [0, 1].entries()) evidence(play, 'b', 'b.2', index, ACCEPTED);
    expect(outcomes(play)).toEqual(['served']);
  });

  it('names the reason for which hosts refused it', async () => {
    const play = await begin(['a']);
    refuse(play, 'a', 'b.1', 'token');
    await play.world.clock.advance(60_000);
    expect(outcomes(play)).toEqual(['refused_token']);
  });

  it('is no fault of ours if a host was busy or learnt nothing', async () => {
    const busy = await begin(['a', 'b']);
    refuse(busy, 'a', 'b.1', 'busy');
    await busy.world.clock.settle();
    refuse(busy, 'b', 'b.2', 'token');
    await busy.world.clock.advance(60_000);
    expect(outcomes(busy)).toEqual(['refused_busy']);
    const unprobed = await begin(['a']);
    ack(unprobed, 'a', 'b.1');
    for (const index of [0, 1]) evidence(unprobed, 'a', 'b.1', index, UNPROBED_HOST);
    await unprobed.world.clock.advance(90_000);
    expect(outcomes(unprobed)).toEqual(['unprobed']);
  });

  it('tells apart hosts that did not answer and no host at all', async () => {
    const deaf = await begin(['a']);
    await deaf.world.clock.advance(90_000);
    expect(outcomes(deaf)).toEqual(['unanswered']);
    expect(deaf.world.told).toContain('a leaves every job unanswered');
    const empty = await begin([]);
    await empty.world.clock.advance(90_000);
    expect(outcomes(empty)).toEqual(['no_host']);
  });
});
