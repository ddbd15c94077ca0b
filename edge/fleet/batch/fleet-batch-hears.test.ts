import { describe, expect, it } from 'vitest';
import { ACCEPTED, TIMEOUT, UNPROBED_HOST } from '../../../schema/testing/evidence.ts';
import { ack, begin, evidence, found } from '../../testing/batch-play.ts';
import { ScriptedTrust } from '../../testing/scripted-trust.ts';
import { ScriptedWorld } from '../../testing/scripted-world.ts';
import type { HostRef } from '../trust/roster.ts';

// What a FleetBatch makes of the frames of its hosts, and whether one that joins is of use to it.

/** Notes every answer to a job, and not only those that refuse it. */
class CountingTrust extends ScriptedTrust {
  readonly answers: string[] = [];
  override answered({ instance }: HostRef, refusal: string | null): void {
    this.answers.push(`${instance} ${refusal ?? 'took it'}`);
  }
}
async function withPeers(...hosts: readonly string[]) {
  const world = new ScriptedWorld();
  const peers = new CountingTrust();
  world.hosts = peers;
  return { play: await begin(hosts, {}, world), peers };
}

describe('a frame', () => {
  it('is news if it is the first answer to a job, and not if it only says that the host lives', async () => {
    const play = await begin(['h']);
    expect(ack(play, 'h', 'b.1')).toBe(1);
    expect(ack(play, 'h', 'b.1')).toBe(0);
    expect(play.batch.hear('h', { v: 1, type: 'alive', job: 'b.1' })).toBe(0);
    expect(ack(play, 'stranger', 'b.1')).toBe(0);
    expect(ack(play, 'h', 'b.7')).toBe(0);
  });

  it('speaks for its host once a job, whichever comes first', async () => {
    const { play, peers } = await withPeers('h');
    evidence(play, 'h', 'b.1', 0, ACCEPTED);
    ack(play, 'h', 'b.1');
    evidence(play, 'h', 'b.1', 1, ACCEPTED);
    expect(peers.answers).toEqual(['h took it']);
  });

  it('that refuses a job is no sign that it was taken', async () => {
    const { play, peers } = await withPeers('h');
    play.batch.hear('h', { v: 1, type: 'refuse', job: 'b.1', why: 'token' });
    expect(peers.answers).toHaveLength(1);
    expect(peers.answers).not.toContain('h took it');
  });
});

describe('evidence that is not believed', () => {
  it('is written with a row that has no MX, whatever its host said of them', async () => {
    const world = new ScriptedWorld();
    world.hosts = new ScriptedTrust({ h: 'unproven' });
    const play = await begin(['h'], {}, world);
    for (const index of [0, 1]) evidence(play, 'h', 'b.1', index, TIMEOUT);
    const unprobed = { ...UNPROBED_HOST, mx: [], mxFound: false };
    expect(play.sink.lines).toEqual([found(0, unprobed), found(1, unprobed), { type: 'end', cause: 'done' }]);
  });
});

describe('a host that joins', () => {
  it('is of use while an address has no host, and no longer when all have, or the batch has ended', async () => {
    const play = await begin([]);
    expect(play.batch.seeks).toBe(true);
    play.world.join('h');
    play.batch.advance();
    await play.world.clock.settle();
    expect(play.batch.seeks).toBe(false);
    for (const index of [0, 1]) evidence(play, 'h', 'b.1', index, ACCEPTED);
    expect(play.batch.seeks).toBe(false);
  });

  it('is of use while the one is awaited that may run the batch', async () => {
    expect((await begin(['h'], { again: true })).batch.seeks).toBe(true);
  });
});
