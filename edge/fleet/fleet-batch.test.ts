import { describe, expect, it } from 'vitest';
import { ACCEPTED, NO_BANNER, TIMEOUT } from '../../schema/testing/evidence.ts';
import { onLink } from '../../schema/testing/link-evidence.ts';
import { ScriptedPeers } from '../testing/scripted-peers.ts';
import { Lines, ScriptedWorld } from '../testing/scripted-world.ts';
import { FleetBatch } from './fleet-batch.ts';
import { ack, begin, evidence, found, job } from '../testing/batch-play.ts';
import { LIMITS } from './limits.ts';

const DONE = { type: 'end', cause: 'done' } as const;
describe('FleetBatch', () => {
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

  it('tells hosts whose batch it is by a number alone, in every job of it', async () => {
    const play = await begin(['deaf', 'other'], { account: 'account-17' });
    await play.world.clock.advance(2_000);
    expect(play.world.signed.map(({ account }) => account)).toEqual([17, 17]);
    expect(JSON.stringify(play.world.take())).not.toContain('17');
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

  it('remembers who refused, and why', async () => {
    const play = await begin(['busy', 'other']);
    play.batch.hear('busy', { v: 1, type: 'refuse', job: 'b.1', why: 'token' });
    expect(play.world.peers.told).toEqual(['busy refused: token']);
  });

  it('holds it against no host that it is full', async () => {
    const play = await begin(['busy', 'other']);
    play.batch.hear('busy', { v: 1, type: 'refuse', job: 'b.1', why: 'busy' });
    expect(play.world.peers.told).toEqual([]);
  });

  it('takes a job from a host that is not trusted and reaches nobody, and gives the rest to another', async () => {
    const addresses = Array.from({ length: 30 }, (_, n) => [`x${n}`, `d${n}.test`] as const);
    const world = new ScriptedWorld();
    world.peers = new ScriptedPeers({ sick: 'unproven' });
    const play = await begin(['sick'], { addresses }, world);
    play.world.take();
    play.world.join('other');
    for (let n = 0; n < 20; n += 1) evidence(play, 'sick', 'b.1', n, TIMEOUT);
    await play.world.clock.settle();
    const sent = play.world.take();
    expect(sent).toContain('sick cancel b.1');
    expect(sent).toContainEqual(expect.stringMatching(/^other job b\.\d+ x20,x21,x22,x23,x24,x25,x26,x27,x28,x29$/));
    expect(play.sink.lines).toEqual([]);
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

  it('does not wait longer for a host whose link breaks twice', async () => {
    const play = await begin(['h', 'other']);
    play.world.leave('h');
    play.batch.hostGone('h', false);
    await play.world.clock.advance(1_500);
    play.batch.hostGone('h', false);
    await play.world.clock.advance(500);
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'h cancel b.1', 'other job b.2 x,y']);
  });

  it('gives a host that is back 10 s to report again', async () => {
    const play = await begin(['h', 'other']);
    ack(play, 'h', 'b.1');
    await play.world.clock.advance(9_000);
    play.world.leave('h');
    play.batch.hostGone('h', false);
    await play.world.clock.advance(1_500);
    play.batch.hostBack(play.world.join('h', { running: ['b.1'] }));
    await play.world.clock.advance(9_999);
    expect(play.world.take()).toEqual(['h job b.1 x,y']);
    await play.world.clock.advance(1);
    expect(play.world.take()).toEqual(['h cancel b.1', 'other job b.2 x,y']);
  });

  it('does not give a batch back to the host that has ended its job', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    play.batch.hear('h', { v: 1, type: 'done', job: 'b.1' });
    play.world.leave('h');
    play.world.take();
    play.batch.hostBack(play.world.join('h', { running: ['b.1'] }));
    await play.world.clock.advance(4_000);
    expect(play.world.take()).not.toContain('h job b.1 x,y');
    expect(play.sink.lines).toEqual([found(0, ACCEPTED), { type: 'end', cause: 'no_host' }]);
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
    play.batch.hostBack(play.world.join('h', { running: ['b.1', 'else.1', 'bb.1'] }));
    expect(play.world.take()).toEqual(['h cancel b.1']);
  });

  it('waits 4 s for a host to dial in, and says so when none does', async () => {
    const play = await begin([]);
    await play.world.clock.advance(3_999);
    expect(play.sink.lines).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('answers within 10 s if every host is deaf', async () => {
    const play = await begin(['a', 'b', 'c', 'd', 'e']);
    await play.world.clock.advance(10_000);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.take().filter((frame) => frame.includes('job'))).toHaveLength(3);
  });

  it('waits for no other host once three jobs are lost', async () => {
    const play = await begin(['a', 'b', 'c', 'd']);
    await play.world.clock.advance(5_999);
    expect(play.sink.lines).toEqual([]);
    await play.world.clock.advance(1);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('takes a job that ends without its evidence for lost', async () => {
    const play = await begin(['a', 'b', 'c', 'd']);
    for (const [from, id] of [
      ['a', 'b.1'],
      ['b', 'b.2'],
      ['c', 'b.3'],
    ] as const) {
      play.batch.hear(from, { v: 1, type: 'done', job: id });
      await play.world.clock.settle();
    }
    expect(play.world.take()).toEqual(['a job b.1 x,y', 'b job b.2 x,y', 'c job b.3 x,y']);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
  });

  it('tells a host how much time is left', async () => {
    const play = await begin([]);
    await play.world.clock.advance(1_500);
    play.world.join('h');
    play.batch.advance();
    expect(play.world.signed).toMatchObject([{ jobId: 'b.1', remainingMs: 88_500 }]);
  });

  it('counts evidence of addresses that the job does not have', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 2, ACCEPTED);
    expect(play.world.logged).toEqual([]);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    expect(play.world.logged).toEqual(['evidence_dropped']);
  });

  it('tries the next host if a job cannot be signed, and gives up in time', async () => {
    const play = await begin([]);
    play.world.signs = false;
    play.world.join('h');
    play.batch.advance();
    await play.world.clock.advance(10_000);
    expect(play.sink.lines).toEqual([{ type: 'end', cause: 'no_host' }]);
    expect(play.world.logged).toContain('job_not_signed');
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

  it('cancels every job when the stream is let go of, and writes no more', async () => {
    const play = await begin(['h']);
    play.batch.letGo(play.sink);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([]);
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'h cancel b.1']);
    expect(play.ends()).toBe(1);
    expect(play.world.clock.pending).toBe(0);
  });

  it('ends once, however often its stream is let go of', async () => {
    const play = await begin(['h']);
    play.batch.letGo(play.sink);
    play.batch.letGo(play.sink);
    expect(play.ends()).toBe(1);
  });

  it('sends no job that was being signed when the stream was let go of', async () => {
    const world = new ScriptedWorld();
    world.join('h');
    const sink = new Lines();
    const batch = new FleetBatch(job(), sink, world, LIMITS, () => {});
    batch.advance();
    batch.letGo(sink);
    await world.clock.settle();
    expect(world.take()).toEqual(['h cancel b.1']);
  });

  it('moves to a new stream with all that its host still knows, and minds no cancel of the old one', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    const later = new Lines();
    play.batch.attach(job({ again: true }), later);
    expect(play.sink.state).toBe('abandoned');
    play.batch.letGo(play.sink);
    await play.world.clock.settle();
    // The same id with the same text: the host answers with what it has.
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'h job b.1 x,y']);
    expect(play.world.signed[1]?.payload).toBe(play.world.signed[0]?.payload);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, TIMEOUT);
    expect(later.lines).toEqual([found(0, ACCEPTED), found(1, TIMEOUT), DONE]);
  });

  it('writes to a new stream nothing that the Worker says it has', async () => {
    const play = await begin(['h']);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    const later = new Lines();
    play.batch.attach(job({ again: true, known: [0] }), later);
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    evidence(play, 'h', 'b.1', 1, TIMEOUT);
    expect(later.lines).toEqual([found(1, TIMEOUT), DONE]);
  });

  it('asks anew for what the host of a later job had, under a number of its own', async () => {
    const play = await begin(['h', 'other']);
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['h job b.1 x,y', 'other job b.2 x']);
    const later = new Lines();
    play.batch.attach(job({ again: true, known: [1] }), later);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['other cancel b.2', 'h job b.1 x,y']);
    evidence(play, 'h', 'b.1', 0, NO_BANNER);
    await play.world.clock.settle();
    expect(play.world.take()).toEqual(['other job b.3 x']);
    evidence(play, 'other', 'b.3', 0, ACCEPTED);
    expect(later.lines).toEqual([found(0, ACCEPTED), DONE]);
  });

  it('counts evidence that names an MX row which was never sent, and waits for better', async () => {
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

  it('writes an MX row once, however often a host sends it', async () => {
    const world = new ScriptedWorld();
    world.join('h');
    const rows: unknown[] = [];
    const sink = { write: (lines: readonly unknown[]) => rows.push(...lines), end() {}, abandon() {}, unread: 0 };
    const batch = new FleetBatch(job(), sink, world, LIMITS, () => {});
    batch.advance();
    for (let n = 0; n < 3; n += 1)
      evidence({ world, batch, sink: new Lines(), ends: () => 0 }, 'h', 'b.1', 0, ACCEPTED);
    expect(rows).toEqual([
      { type: 'mx', n: 500, mx: ACCEPTED.mx, mxFound: true },
      { type: 'evidence', i: 0, evidence: { ...onLink(ACCEPTED), mx: 500 } },
    ]);
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

    it('ends attempts that it cannot read and never gives their numbers again', async () => {
      const play = await begin([], { again: true });
      play.batch.hostBack(play.world.join('other', { running: ['b.3'] }));
      await play.world.clock.advance(3_000);
      const frames = play.world.take();
      expect(frames[0]).toBe('other cancel b.3');
      expect(frames.at(-1)).toBe('other job b.4 x,y');
    });

    it('finds the host that runs it even if the Worker does not say so', async () => {
      const world = new ScriptedWorld();
      world.join('idle');
      world.join('runner', { jobs: 5, draining: true, running: ['b.1'] });
      new FleetBatch(job(), new Lines(), world, LIMITS, () => {}).advance();
      await world.clock.settle();
      expect(world.take()).toEqual(['runner job b.1 x,y']);
    });
  });
});
