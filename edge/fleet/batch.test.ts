import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../schema/evidence.ts';
import { ACCEPTED, NO_BANNER, TIMEOUT } from '../../schema/testing/evidence.ts';
import { Lines, ScriptedWorld } from '../testing/scripted-world.ts';
import { Batch } from './batch.ts';
import { LIMITS } from './limits.ts';
import type { FleetJob, FleetLine } from './protocol.ts';

const DONE = { type: 'end', cause: 'done' } as const;
const found = (i: number, evidence: Evidence): FleetLine => ({ type: 'evidence', i, evidence });
const job = (changes: Partial<FleetJob> = {}): FleetJob => ({
  v: 1,
  batchId: 'b',
  addresses: [
    ['x', 'a.test'],
    ['y', 'b.test'],
  ],
  remainingMs: 90_000,
  ...changes,
});

type Play = { world: ScriptedWorld; batch: Batch; sink: Lines; ends: () => number };

async function begin(hosts: readonly string[], changes: Partial<FleetJob> = {}): Promise<Play> {
  const world = new ScriptedWorld();
  for (const name of hosts) world.join(name);
  const sink = new Lines();
  let ended = 0;
  const batch = new Batch(job(changes), sink, world, LIMITS, () => (ended += 1));
  batch.advance();
  await world.clock.settle();
  return { world, batch, sink, ends: () => ended };
}
const ack = (play: Play, from: string, id: string): void => play.batch.hear(from, { v: 1, type: 'ack', job: id });
const evidence = (play: Play, from: string, id: string, i: number, what: Evidence): void =>
  play.batch.hear(from, { v: 1, type: 'evidence', job: id, items: [{ i, evidence: what }] });

describe('Batch', () => {
  it('sends one job, writes evidence as it comes and ends once', async () => {
    const play = await begin(['h']);
    expect(play.world.take()).toEqual(['h job b.1 x,y']);
    ack(play, 'h', 'b.1');
    evidence(play, 'h', 'b.1', 1, TIMEOUT);
    expect(play.sink.lines).toEqual([found(1, TIMEOUT)]);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([found(1, TIMEOUT), found(0, ACCEPTED), DONE]);
    expect(play.sink.state).toBe('ended');
    expect(play.ends()).toBe(1);
    expect(play.world.take()).toEqual([]);
    expect(play.world.clock.pending).toBe(0);
  });

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
    expect(play.world.roster.map(({ running }) => running)).toEqual([[], ['b.2']]);
  });

  it('sends no job whose signature came after its end', async () => {
    const world = new ScriptedWorld();
    world.join('h');
    const sink = new Lines();
    const batch = new Batch(job(), sink, world, LIMITS, () => {});
    batch.advance();
    batch.letGo(sink);
    await world.clock.settle();
    expect(world.take()).toEqual(['h cancel b.1']);
  });

  it('does nothing more once it is over', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    play.world.take();
    const lines = [...play.sink.lines];
    play.batch.advance();
    play.batch.letGo(play.sink);
    play.batch.hostGone('h', true);
    play.batch.hostBack(play.world.join('h', { running: ['b.1', 'b.2'] }));
    await play.world.clock.settle();
    expect([play.world.take(), play.sink.lines, play.ends(), play.world.clock.pending]).toEqual([[], lines, 1, 0]);
  });

  it('gives a job that is not acknowledged in 2 s to another host', async () => {
    const play = await begin(['deaf', 'other']);
    await play.world.clock.advance(1_999);
    expect(play.world.take()).toEqual(['deaf job b.1 x,y']);
    await play.world.clock.advance(1);
    expect(play.world.take()).toEqual(['deaf cancel b.1', 'other job b.2 x,y']);
    expect(play.world.roster.map(({ doubted }) => doubted)).toEqual([true, false]);
  });

  it('ends the doubt in a host as soon as it answers a job', async () => {
    const play = await begin([]);
    play.world.join('h', { doubted: true });
    play.batch.advance();
    await play.world.clock.settle();
    ack(play, 'h', 'b.1');
    expect(play.world.roster.map(({ doubted }) => doubted)).toEqual([false]);
  });

  it('gives the rest of a job that is silent for 10 s to another host', async () => {
    const play = await begin(['mute', 'other']);
    ack(play, 'mute', 'b.1');
    await play.world.clock.advance(9_000);
    play.batch.hear('mute', { v: 1, type: 'alive', job: 'b.1' });
    await play.world.clock.advance(9_000);
    evidence(play, 'mute', 'b.1', 0, ACCEPTED);
    play.world.take();
    await play.world.clock.advance(9_999);
    expect(play.world.take()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.take()).toEqual(['mute cancel b.1', 'other job b.2 y']);
    expect(play.world.roster.map(({ doubted }) => doubted)).toEqual([true, false]);
  });

  it('hears nobody but the process that has the job', async () => {
    const play = await begin(['h', 'liar']);
    evidence(play, 'liar', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.9', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([]);
  });

  it('hears no late evidence of a job that went elsewhere', async () => {
    const play = await begin(['late', 'other']);
    await play.world.clock.advance(2_000);
    evidence(play, 'late', 'b.1', 0, TIMEOUT);
    evidence(play, 'other', 'b.2', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([found(0, ACCEPTED)]);
  });

  it('gives a refused job to another host at once', async () => {
    const play = await begin(['busy', 'other']);
    play.batch.hear('busy', { v: 1, type: 'refuse', job: 'b.1', why: 'draining' });
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['busy job b.1 x,y', 'other job b.2 x,y']);
  });

  it('does not hold a refusal against its other hosts: four may refuse', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      play.batch.hear(name, { v: 1, type: 'refuse', job: `b.${at + 1}`, why: 'draining' });
      await play.world.clock.settle();
    }
    expect(play.world.take().at(-1)).toBe('e job b.5 x,y');
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
    expect(play.world.take().at(-1)).toBe('other job b.4 z');
  });

  it('asks no second host when too little time is left, and writes at once what it has', async () => {
    const play = await begin(['h', 'other'], { remainingMs: 9_000 });
    await play.world.clock.advance(1_000);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(LIMITS.reportMs - 4_000);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    expect(play.sink.lines).toEqual([found(0, NO_BANNER)]);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y']);
  });

  it('is done with a job of which all is known, whatever becomes of its host', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'other job b.2 x']);
    play.batch.hostGone('h', true);
    expect(play.world.logged).toEqual([]);
    expect(play.world.roster[0]?.running).toEqual([]);
  });

  it('gives what a finished job left unsaid to another host', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    play.batch.hear('h', { v: 1, type: 'done', job: 'b.1' });
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'other job b.2 y']);
  });

  it('gives a host 2 s to come back to its job before it goes elsewhere', async () => {
    const play = await begin(['h', 'other']);
    ack(play, 'h', 'b.1');
    play.world.leave('h');
    play.batch.hostGone('h', false);
    await play.world.clock.advance(1_900);
    expect(play.world.take()).toEqual(['h job b.1 x,y']);
    play.batch.hostBack(play.world.join('h', { running: ['b.1'] }));
    await play.world.clock.advance(5_000);
    expect(play.world.take()).toEqual([]);
    play.batch.hostGone('h', false);
    await play.world.clock.advance(2_000);
    expect(play.world.take()).toEqual(['h cancel b.1', 'other job b.2 x,y']);
  });

  it('counts the silence of a host that came back from when it did', async () => {
    const play = await begin(['h', 'other']);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(9_500);
    play.batch.hostGone('h', false);
    await play.world.clock.advance(400);
    const back = play.world.roster[0];
    if (back !== undefined) play.batch.hostBack(back);
    play.world.take();
    await play.world.clock.advance(9_999);
    expect(play.world.take()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.take()[0]).toBe('h cancel b.1');
  });

  it('has one timer, whatever falls due', async () => {
    const play = await begin(['h']);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(3_000);
    play.batch.hostGone('h', false);
    expect(play.world.clock.pending).toBe(1);
  });

  it('waits for each host by its own time', async () => {
    const play = await begin(['a', 'b']);
    await play.world.clock.advance(1_000);
    evidence(play, 'a', 'b.1', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['a job b.1 x,y', 'b job b.2 x']);
    play.batch.hostGone('a', false);
    const b = play.world.roster.find(({ instance }) => instance === 'b');
    if (b !== undefined) play.batch.hostBack({ ...b, running: ['b.2'] });
    await play.world.clock.advance(1_999);
    expect(play.world.take()).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.world.take().filter((frame) => frame.includes('cancel'))).toEqual(['a cancel b.1', 'b cancel b.2']);
  });

  it('gives a second host as long to acknowledge as the first', async () => {
    const play = await begin(['a', 'b']);
    await play.world.clock.advance(1_000);
    evidence(play, 'a', 'b.1', 0, NO_BANNER);
    await play.world.clock.advance(1_999);
    expect(play.world.take()).toEqual(['a job b.1 x,y', 'b job b.2 x']);
    await play.world.clock.advance(1);
    expect(play.world.take()).toContain('b cancel b.2');
  });

  it('lets no host take up again a job of which something is written', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    play.world.leave('other');
    play.world.leave('h');
    play.batch.hostGone('h', true);
    play.world.take();
    play.batch.hostBack(play.world.join('h', { running: ['b.1'] }));
    await play.world.clock.settle();
    expect(play.world.take()).toEqual([]);
    play.world.join('other');
    play.batch.advance();
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['other job b.2 y']);
  });

  it('sends the job again to a host that came back without having got it', async () => {
    const play = await begin(['h']);
    play.world.leave('h');
    play.batch.hostGone('h', false);
    play.batch.hostBack(play.world.join('h'));
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'h job b.1 x,y']);
  });

  it('waits for nobody who ended the link in good order', async () => {
    const play = await begin(['h', 'other']);
    play.world.leave('h');
    play.batch.hostGone('h', true);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'h cancel b.1', 'other job b.2 x,y']);
  });

  it('cancels what a host that comes back late still runs', async () => {
    const play = await begin(['h', 'other']);
    await play.world.clock.advance(2_000);
    ack(play, 'other', 'b.2');
    play.world.take();
    play.batch.hostBack(play.world.join('h', { running: ['b.1', 'else.1'] }));
    expect(play.world.take()).toEqual(['h cancel b.1']);
  });

  it('waits 4 s for a host to dial in, and says so when none does', async () => {
    const play = await begin([]);
    await play.world.clock.advance(3_999);
    expect(play.sink.lines).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('answers within 10 s where every host is deaf', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    await play.world.clock.advance(10_000);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.take().filter((frame) => frame.includes('job'))).toHaveLength(3);
  });

  it('gives up as soon as three hosts have lost it', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    await play.world.clock.advance(3 * LIMITS.ackMs);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('tries the next host where a job cannot be signed, and gives up in time', async () => {
    const play = await begin([]);
    play.world.signs = false;
    play.world.join('h');
    play.batch.advance();
    await play.world.clock.advance(10_000);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.logged).toContain('job_not_signed');
  });

  it('waits for no host whose job could not be signed', async () => {
    const play = await begin([]);
    play.world.signs = false;
    for (const name of ['a', 'b', 'c']) play.world.join(name);
    play.batch.advance();
    await play.world.clock.settle();
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.roster.map(({ doubted }) => doubted)).toEqual([false, false, false]);
  });

  it('loses a job once, even if its signature fails later', async () => {
    const world = new ScriptedWorld();
    world.join('h');
    const rejects: Array<(error: Error) => void> = [];
    world.sign = () => new Promise((_, reject) => rejects.push(reject));
    const batch = new Batch(job(), new Lines(), world, LIMITS, () => {});
    batch.advance();
    await world.clock.advance(LIMITS.ackMs);
    for (const reject of rejects) reject(new Error('no key'));
    await world.clock.settle();
    expect(world.take()).toEqual(['h cancel b.1']);
  });

  it('ends at the deadline, cancels what runs and keeps what was held back', async () => {
    const play = await begin(['h', 'other'], { remainingMs: 20_000 });
    ack(play, 'h', 'b.1');
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'other job b.2 x']);
    ack(play, 'other', 'b.2');
    for (let s = 0; s < 19; s += 1) {
      await play.world.clock.advance(1_000);
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
    expect(play.world.take()).toEqual(['h cancel b.1', 'other cancel b.2']);
    expect(play.world.clock.pending).toBe(0);
  });

  it('writes what was held back even if it wakes after its deadline', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    play.world.now = () => 90_000;
    play.batch.advance();
    expect(play.sink.lines).toEqual([found(0, NO_BANNER), { type: 'end', cause: 'deadline' }]);
  });

  it.each([
    ['one, as soon as it ends', 9, ['evidence_dropped']],
    ['none', 0, []],
  ])('tells the operator of evidence about addresses that were not in the job: %s', async (_, i, logged) => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', i, ACCEPTED);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    expect(play.sink.lines.at(-1)).toEqual(DONE);
    expect(play.world.logged).toEqual(logged);
  });

  it('cancels every job when the stream is let go of, and writes no more', async () => {
    const play = await begin(['h']);
    play.batch.letGo(play.sink);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([]);
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'h cancel b.1']);
    expect(play.world.roster[0]?.running).toEqual([]);
    expect(play.ends()).toBe(1);
    expect(play.world.clock.pending).toBe(0);
  });

  it('moves to a new stream with all that is known, and minds no cancel of the old one', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    const later = new Lines();
    play.batch.attach(job({ again: true }), later);
    expect(play.sink.state).toBe('abandoned');
    play.batch.letGo(play.sink);
    evidence(play, 'h', 'b.1', 1, TIMEOUT);
    expect(later.lines).toEqual([found(0, ACCEPTED), found(1, TIMEOUT), DONE]);
  });

  it('takes no other addresses under the same id', async () => {
    const { batch } = await begin(['h']);
    expect(() => batch.attach(job({ addresses: [['z', 'c.test']] }), new Lines())).toThrow('Batch id used twice');
  });

  describe('asked for again after the object was reset', () => {
    it('waits up to 3 s for the host that says it runs the batch', async () => {
      const play = await begin(['idle'], { again: true });
      await play.world.clock.advance(2_900);
      expect(play.world.take()).toEqual([]);
      const back = play.world.join('runner', { running: ['b.1', 'b.2'] });
      play.batch.hostBack(back);
      await play.world.clock.settle();
      // Its first job is asked for by the same id; what only this object's predecessor could read is ended.
      expect(play.world.take()).toEqual(['runner cancel b.2', 'runner job b.1 x,y']);
      evidence(play, 'runner', 'b.1', 0, ACCEPTED);
      evidence(play, 'runner', 'b.1', 1, ACCEPTED);
      expect(play.sink.lines.at(-1)).toEqual(DONE);
    });

    it('goes to another host after that, under an attempt that nobody had', async () => {
      const play = await begin([], { again: true });
      play.world.join('idle');
      play.batch.advance();
      await play.world.clock.advance(2_999);
      expect(play.world.take()).toEqual([]);
      await play.world.clock.advance(1);
      expect(play.world.take()).toEqual(['idle job b.1 x,y']);
    });

    it('waits for any other host only after that', async () => {
      const play = await begin([], { again: true });
      await play.world.clock.advance(LIMITS.claimWaitMs + LIMITS.hostWaitMs - 1);
      expect(play.sink.lines).toEqual([]);
      await play.world.clock.advance(1);
      expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    });

    it('ends attempts that it cannot read and never gives their numbers again', async () => {
      const play = await begin([], { again: true });
      play.batch.hostBack(play.world.join('other', { running: ['b.3'] }));
      await play.world.clock.advance(3_000);
      const frames = play.world.take();
      expect(frames[0]).toBe('other cancel b.3');
      expect(frames.at(-1)).toBe('other job b.4 x,y');
    });

    it('ends at once what a host that is there says it runs of it', async () => {
      const world = new ScriptedWorld();
      world.join('other', { running: ['b.3', 'c.1'] });
      new Batch(job({ again: true }), new Lines(), world, LIMITS, () => {}).advance();
      expect(world.take()).toEqual(['other cancel b.3']);
    });

    it('finds the host that runs it also where the Worker does not say so', async () => {
      const world = new ScriptedWorld();
      world.join('idle');
      world.join('runner', { jobs: 5, draining: true, running: ['b.1'] });
      new Batch(job(), new Lines(), world, LIMITS, () => {}).advance();
      await world.clock.settle();
      expect(world.take()).toEqual(['runner job b.1 x,y']);
    });
  });
});
