import { describe, expect, it } from 'vitest';
import type { ToEdge } from '../../schema/link.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { ACCEPTED } from '../../schema/testing/evidence.ts';
import type { Item, Job } from './jobs.ts';
import { Outbox } from './outbox.ts';

type MutableJob = { -readonly [K in keyof Job]: Job[K] } & { items: Item[] };

type Play = { outbox: Outbox; clock: FakeClock; frames: ToEdge[]; sentAt: number[]; job: MutableJob };

function play(): Play {
  const clock = new FakeClock();
  const frames: ToEdge[] = [];
  const sentAt: number[] = [];
  const outbox = new Outbox({
    send: (frame) => {
      frames.push(frame);
      sentAt.push(clock.now());
    },
    clock,
    gatherMs: 10,
  });
  return {
    outbox,
    clock,
    frames,
    sentAt,
    job: { id: 'b.1', size: 2, items: [], state: 'running' },
  };
}
const items = (from: number, to: number): Item[] =>
  Array.from({ length: to - from }, (_, n) => ({ index: from + n, evidence: ACCEPTED }));
const sizes = (frames: readonly ToEdge[]): number[] =>
  frames.flatMap((frame) => (frame.type === 'evidence' ? [frame.items.length] : []));

describe('Outbox', () => {
  it('sends the results of one turn of the engine in one frame', async () => {
    const p = play();
    for (const item of items(0, 5)) {
      p.job.items.push(item);
      p.outbox.add(p.job);
    }
    await p.clock.settle();
    expect(sizes(p.frames)).toEqual([5]);
  });

  it('sends results that follow closely together, 10 ms after the previous ones', async () => {
    const p = play();
    for (const [waitMs, count] of [
      [0, 1],
      [4, 2],
      [3, 3],
      [13, 4],
    ] as const) {
      await p.clock.advance(waitMs);
      p.job.items.push(...items(p.job.items.length, count));
      p.outbox.add(p.job);
    }
    // At 20 ms the second flush is 10 ms ago, and this one need not wait.
    await p.clock.settle();
    expect(sizes(p.frames)).toEqual([1, 2, 1]);
    expect(p.sentAt).toEqual([0, 10, 20]);
    expect(p.clock.pending).toBe(0);
  });

  it('sends each item and each list of MX once, and all again on request', async () => {
    const p = play();
    for (const [index, mx] of ['mx.a.test', 'mx.b.test', 'mx.a.test'].entries()) {
      p.job.items.push({ index, evidence: { ...ACCEPTED, mx: [mx] } });
      p.outbox.add(p.job);
      await p.clock.advance(10);
    }
    p.outbox.again(p.job);
    await p.clock.advance(10);
    const sent = p.frames.filter((frame) => frame.type === 'evidence');
    expect(sent.map(({ mx }) => mx.map(({ n }) => n))).toEqual([[0], [1], [], [0, 1]]);
    expect(sent.map((frame) => frame.items.map(({ index, evidence }) => [index, evidence.mx]))).toEqual([
      [[0, 0]],
      [[1, 1]],
      [[2, 0]],
      [
        [0, 0],
        [1, 1],
        [2, 0],
      ],
    ]);
  });

  it('sends "done" if something stayed unknown, and nothing more otherwise, or for a cancelled job', async () => {
    const p = play();
    p.job.items.push(...items(0, 1));
    p.job.state = 'ended';
    p.outbox.add(p.job);
    p.outbox.add({ id: 'b.2', size: 2, items: [], state: 'forgotten' });
    p.outbox.add({ id: 'b.3', size: 2, items: items(0, 2), state: 'ended' });
    expect(p.outbox.empty).toBe(false);
    await p.clock.settle();
    expect(p.frames.map(({ type }) => type)).toEqual(['evidence', 'done', 'evidence']);
    expect(p.outbox.empty).toBe(true);
  });

  it('sends "alive" only for quiet running jobs', async () => {
    const p = play();
    const busy: MutableJob = { id: 'busy.1', size: 2, items: items(0, 1), state: 'running' };
    const ended: MutableJob = { id: 'ended.1', size: 2, items: [], state: 'ended' };
    await p.clock.advance(5_000);
    p.outbox.add(busy);
    await p.clock.settle();
    p.frames.splice(0);
    p.outbox.alive([p.job, busy, ended], 5_000);
    expect(p.frames).toEqual([{ v: 1, type: 'alive', job: 'b.1' }]);
    await p.clock.advance(5_000);
    p.outbox.alive([busy], 5_000);
    expect(p.frames.at(-1)).toEqual({ v: 1, type: 'alive', job: 'busy.1' });
  });
});
