import { describe, expect, it } from 'vitest';
import { ACCEPTED, NO_BANNER, seen, TIMEOUT } from '../../../schema/testing/evidence.ts';
import { ScriptedWorld } from '../../testing/scripted-world.ts';
import { ack, begin, evidence, found, type Play } from '../../testing/batch-play.ts';

const DONE = { type: 'end', cause: 'done' } as const;
const NXDOMAIN = seen({ kind: 'no_mail_domain', why: 'nxdomain' });

/** Time passes; meanwhile these hosts say every five seconds that their jobs run. */
async function pass(play: Play, seconds: number, running: Readonly<Record<string, string>>): Promise<void> {
  for (let s = 1; s <= seconds; s += 1) {
    await play.world.clock.advance(1_000);
    if (s % 5 === 0)
      for (const [job, host] of Object.entries(running)) play.batch.hear(host, { v: 1, type: 'alive', job });
  }
}

async function beginSilent(hosts = ['mute', 'well'], changes: Parameters<typeof begin>[1] = {}): Promise<Play> {
  const play = await begin(hosts, changes);
  ack(play, 'mute', 'b.1');
  expect(play.world.drainFrames()).toEqual(['mute job b.1 x,y']);
  return play;
}

describe('a host that says that its job runs, and reports nothing', () => {
  it('keeps its addresses for 45 s; then another gets them too, and is the one that counts', async () => {
    const play = await beginSilent();
    await pass(play, 44, { 'b.1': 'mute' });
    expect(play.world.drainFrames()).toEqual([]);
    await pass(play, 1, {});
    expect(play.world.drainFrames()).toEqual(['well job b.2 x,y']);
    for (const index of [0, 1]) evidence(play, 'well', 'b.2', index, ACCEPTED);
    expect(play.sink.lines).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
    expect(play.world.told.filter((line) => line.includes('outdone'))).toEqual([
      'mute outdone for b',
      'mute outdone for b',
    ]);
    expect(play.world.drainFrames()).toEqual(['mute cancel b.1']);
    expect(play.world.clock.pending).toBe(0);
  });

  it('is no worse than the other if the receiver is slow for both', async () => {
    const play = await beginSilent();
    await pass(play, 45, { 'b.1': 'mute' });
    evidence(play, 'well', 'b.2', 0, TIMEOUT);
    evidence(play, 'mute', 'b.1', 1, TIMEOUT);
    expect(play.sink.lines).toEqual([found(0, TIMEOUT), found(1, TIMEOUT), DONE]);
    expect(play.world.told).toEqual([]);
  });

  it('may still report: the first evidence of an address counts, and no other', async () => {
    const play = await beginSilent();
    await pass(play, 46, { 'b.1': 'mute' });
    evidence(play, 'mute', 'b.1', 0, ACCEPTED);
    evidence(play, 'well', 'b.2', 0, NO_BANNER);
    evidence(play, 'well', 'b.2', 1, ACCEPTED);
    evidence(play, 'mute', 'b.1', 1, NO_BANNER);
    expect(play.sink.lines).toEqual([found(0, ACCEPTED), found(1, ACCEPTED), DONE]);
  });

  it('reports a denial late: that of the second host makes it final', async () => {
    const play = await beginSilent(['mute', 'well', 'third']);
    await pass(play, 46, { 'b.1': 'mute' });
    evidence(play, 'mute', 'b.1', 0, NXDOMAIN);
    expect(play.sink.lines).toEqual([]);
    evidence(play, 'well', 'b.2', 0, NXDOMAIN);
    expect(play.sink.lines).toEqual([found(0, NXDOMAIN)]);
  });

  it('reports one address, and then nothing: the rest has half of the time that is left', async () => {
    const play = await beginSilent(['mute', 'well'], {
      addresses: [
        ['x', 'a.test'],
        ['y', 'a.test'],
      ],
    });
    await pass(play, 30, { 'b.1': 'mute' });
    evidence(play, 'mute', 'b.1', 0, ACCEPTED);
    await pass(play, 29, { 'b.1': 'mute' });
    expect(play.world.drainFrames()).toEqual([]);
    await pass(play, 1, {});
    expect(play.world.drainFrames()).toEqual(['well job b.2 y']);
  });

  it('is followed by a third if the second is like it', async () => {
    const play = await beginSilent(['mute', 'mute-too', 'well']);
    await pass(play, 45, { 'b.1': 'mute' });
    ack(play, 'mute-too', 'b.2');
    await pass(play, 23, { 'b.1': 'mute', 'b.2': 'mute-too' });
    expect(play.world.drainFrames()).toEqual(['mute-too job b.2 x,y', 'well job b.3 x,y']);
    evidence(play, 'well', 'b.3', 0, ACCEPTED);
    expect(play.world.told.slice(-2)).toEqual(['mute outdone for b', 'mute-too outdone for b']);
  });

  it.each([
    [22_000, 11],
    [62_000, 31],
  ])('has half of the time of a batch of %i ms', async (remainingMs, seconds) => {
    const play = await beginSilent(['mute', 'well'], { remainingMs });
    await pass(play, seconds - 1, { 'b.1': 'mute' });
    expect(play.world.drainFrames()).toEqual([]);
    await pass(play, 1, {});
    expect(play.world.drainFrames()).toEqual(['well job b.2 x,y']);
  });

  it.each([
    [89, ['unanswered']],
    [80, []],
  ])('and is alone is waited for; a caller that gives up after %i s: outcomes %j', async (seconds, outcomes) => {
    const play = await beginSilent(['mute']);
    await pass(play, seconds, { 'b.1': 'mute' });
    play.batch.letGo();
    expect(play.world.outcomes).toEqual(outcomes);
    expect(play.world.drainFrames()).toEqual(['mute cancel b.1']);
  });
});

it('a host that is left out confirms no denial: the other is as good as alone', async () => {
  const world = new ScriptedWorld();
  world.leftOut.add('mute');
  const play = await begin(['mute', 'well'], {}, world);
  expect(world.drainFrames()).toEqual(['well job b.1 x,y']);
  for (const index of [0, 1]) evidence(play, 'well', 'b.1', index, NXDOMAIN);
  expect(play.sink.lines).toEqual([found(0, NXDOMAIN), found(1, NXDOMAIN), DONE]);
  world.leave('well');
  const alone = await begin([], { batchId: 'c' }, world);
  expect(world.drainFrames()).toEqual(['mute job c.1 x,y']);
  alone.batch.letGo();
});

it('a host that acknowledges at the last moment, and reports each address after 44 s, is as good as any', async () => {
  const play = await begin(['slow', 'other']);
  await play.world.clock.advance(1_900);
  ack(play, 'slow', 'b.1');
  await pass(play, 42, { 'b.1': 'slow' });
  for (const index of [0, 1]) evidence(play, 'slow', 'b.1', index, ACCEPTED);
  expect(play.sink.lines.at(-1)).toEqual(DONE);
  expect(play.world.drainFrames()).toEqual(['slow job b.1 x,y']);
});

it('what a host says of jobs that it does not have does not prolong those that it has', async () => {
  const play = await begin(['h', 'other']);
  ack(play, 'h', 'b.1');
  for (const job of ['b.2', 'b.999', 'other.1']) await pass(play, 3, { [job]: 'h' });
  await pass(play, 1, { 'b.7': 'h' });
  expect(play.world.drainFrames()).toContain('other job b.2 x,y');
});
