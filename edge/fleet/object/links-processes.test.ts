import { describe, expect, it } from 'vitest';
import { CLOSE } from '../../../schema/link.ts';
import { HONEST, LyingFleet } from '../../testing/lying-fleet.ts';
import { openLinks, status } from '../../testing/scripted-links.ts';
import { LIMITS } from '../batch/limits.ts';
import { HostNotes } from './host-notes.ts';

const SILENT_MS = LIMITS.silentAfterMs;
const jobOf = (number: number): string => `batch${number}.1`;

describe('a status', () => {
  it('replaces what is known of the process', () => {
    const { links, join } = openLinks();
    const said: Parameters<typeof status>[0] = {
      draining: true,
      healthy: false,
      checked: true,
      failing: ['name'],
      jobs: 2,
      cooling: 3,
      refusing: 4,
    };
    links.update(join('a', 'a1'), status(said));
    expect(links.processes.get('a1')).toMatchObject(said);
  });
});

describe('silence', () => {
  it('of three times the allowed time closes the link', () => {
    const { links, join, cut } = openLinks();
    const [silent, pinged, heard] = [join('a', 'a1'), join('b', 'b1'), join('c', 'c1')];
    pinged.pingedAt = 5;
    links.heard(heard, 6);
    expect([links.members(3 * SILENT_MS), links.processes.all]).toEqual([[], expect.objectContaining({ length: 3 })]);
    expect([links.members(3 * SILENT_MS + 1_000), links.processes.all]).toEqual([[], []]);
    expect([silent.closed, pinged.closed, heard.closed]).toEqual([[CLOSE.silent], [CLOSE.silent], [CLOSE.silent]]);
    expect(cut).toEqual(['a1', 'b1', 'c1']);
  });

  it('does not erase when the host was last seen', async () => {
    const { clock, roster, store, logged } = new LyingFleet({ 'fra-1': HONEST });
    await clock.advance(3 * SILENT_MS + 2_000);
    expect(roster.members()).toEqual([]);
    expect(new HostNotes(store).of('fra-1').seenAtMs).toBe(0);
    expect(logged).toContain('host_gone fra-1 ');
  });

  it('ends with a ping, which the roster sees within a second', () => {
    const { links, join } = openLinks();
    const socket = join('a', 'a1');
    links.members(0);
    socket.pingedAt = SILENT_MS;
    const heard = (now: number): number => links.members(now).length;
    expect(heard(999)).toBe(1);
    expect(links.processes.get('a1')?.heardAt).toBe(0);
    links.members(1_000);
    expect(links.processes.get('a1')?.heardAt).toBe(1_000);
    expect([heard(2 * SILENT_MS), heard(2 * SILENT_MS + 1)]).toEqual([1, 0]);
  });
});

describe('a frame', () => {
  it('goes to the process it is meant for, if its link is open', () => {
    const { links, join } = openLinks();
    const [socket, other] = [join('a', 'a1'), join('b', 'b1')];
    expect(links.processes.send('a1', { v: 1, type: 'cancel', job: jobOf(1) })).toBe(true);
    expect(socket.sent.at(-1)).toEqual({ v: 1, type: 'cancel', job: jobOf(1) });
    expect(other.sent).toHaveLength(1);
    expect(links.processes.send('c1', { v: 1, type: 'cancel', job: jobOf(1) })).toBe(false);
    socket.readyState = 2;
    expect(links.processes.send('a1', { v: 1, type: 'cancel', job: jobOf(1) })).toBe(false);
  });
});
