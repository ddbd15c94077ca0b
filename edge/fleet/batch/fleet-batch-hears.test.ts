import { describe, expect, it } from 'vitest';
import { ACCEPTED, NO_BANNER, seen, TIMEOUT, UNPROBED_HOST } from '../../../schema/testing/evidence.ts';
import { begin, evidence, found } from '../../testing/batch-play.ts';
import { ScriptedWorld } from '../../testing/scripted-world.ts';

// What a FleetBatch does with evidence from its hosts, and when it can use a host that joins.

const DONE = { type: 'end', cause: 'done' } as const;
const NXDOMAIN = seen({ kind: 'no_mail_domain', why: 'nxdomain' });
const REST = seen({ kind: 'unprobed', why: 'cooldown', waitS: 60 });
const ONE = { addresses: [['x', 'a.test']] } as const;

describe('evidence that is not trusted', () => {
  it('is written with the empty MX row, without the MX that its host reported', async () => {
    const world = new ScriptedWorld();
    world.broken.add('h');
    const play = await begin(['h'], {}, world);
    for (const index of [0, 1]) evidence(play, 'h', 'b.1', index, TIMEOUT);
    const unprobed = { ...UNPROBED_HOST, mx: [], mxFound: false };
    expect(play.sink.lines).toEqual([found(0, unprobed), found(1, unprobed), DONE]);
  });
});

describe('a second host', () => {
  it('is asked about a denial, and what both report is written once', async () => {
    const play = await begin(['a', 'b', 'c'], ONE);
    evidence(play, 'a', 'b.1', 0, NXDOMAIN);
    await play.world.clock.settle();
    expect([play.world.drainFrames(), play.sink.lines]).toEqual([['a job b.1 x', 'b job b.2 x'], []]);
    evidence(play, 'b', 'b.2', 0, NXDOMAIN);
    expect(play.sink.lines).toEqual([found(0, NXDOMAIN), DONE]);
    expect(play.sink.last).toMatchObject({ hosts: ['a', 'b'], jobs: 2 });
  });

  it('gets no domain that another host is at, and at most 20 domains at a time', async () => {
    const addresses = Array.from({ length: 30 }, (_, n) => [`x${n}`, `d${n}.test`] as const);
    const play = await begin(['a', 'b'], { addresses: [...addresses, ['y', 'd0.test']] });
    play.world.drainFrames();
    for (let n = 0; n < 30; n += 1) evidence(play, 'a', 'b.1', n, NXDOMAIN);
    await play.world.clock.settle();
    const asked = play.world.drainFrames().flatMap((frame) => frame.split(' ')[3]?.split(',') ?? []);
    expect([asked.length, asked.includes('x0')]).toEqual([19, false]);
  });

  it('lost together with the address leaves it with the evidence known so far', async () => {
    const play = await begin(['a', 'b'], ONE);
    evidence(play, 'a', 'b.1', 0, NO_BANNER);
    await play.world.clock.advance(2_000);
    expect(play.sink.lines).toEqual([found(0, NO_BANNER), DONE]);
  });

  it('gets what the first declined, and the first gets it again if the second declines too', async () => {
    const play = await begin(['a', 'b'], ONE);
    evidence(play, 'a', 'b.1', 0, REST);
    await play.world.clock.settle();
    expect(play.world.signed.map(({ to }) => to.host)).toEqual(['a', 'b']);
    evidence(play, 'b', 'b.2', 0, ACCEPTED);
    expect(play.sink.lines).toEqual([found(0, ACCEPTED), DONE]);
  });
});

describe('a host that joins', () => {
  it('is needed while an address has no host, and not once all have, or after the end', async () => {
    const play = await begin([]);
    expect(play.batch.seeks).toBe(true);
    play.world.join('h');
    play.batch.advance();
    await play.world.clock.settle();
    expect(play.batch.seeks).toBe(false);
    for (const index of [0, 1]) evidence(play, 'h', 'b.1', index, ACCEPTED);
    expect(play.batch.seeks).toBe(false);
  });
});
