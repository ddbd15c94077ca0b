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
      refusals: [],
    };
    links.update(join('a', 'a1'), status(said));
    expect(links.processes.get('a1')).toMatchObject(said);
  });
});

describe('a process whose link broke', () => {
  it('is known with its jobs and comes back to them', () => {
    const { links, join } = openLinks();
    const socket = join('a', 'a1');
    links.processes.jobBegan('a1', jobOf(1), 7);
    links.processes.reached('a1', 4);
    links.forget(socket);
    expect([links.processes.get('a1'), links.members(5)]).toEqual([null, []]);
    expect([links.processes.jobsOf('a1'), links.processes.known('a1')?.reachedAtMs]).toEqual([[jobOf(1)], 4]);
    join('a', 'a1');
    expect(links.processes.get('a1')).toMatchObject({ jobs: 1, addresses: 7, reachedAtMs: 4 });
  });

  it('is not that of another host, which gets none of its jobs', () => {
    const { links, join } = openLinks();
    const socket = join('a', 'a1');
    links.processes.jobBegan('a1', jobOf(1), 7);
    links.forget(socket);
    join('b', 'a1');
    expect([links.processes.get('a1'), links.processes.known('a1')?.host]).toEqual([null, 'a']);
  });

  it('still has reached what it reached after it came back, and the object was reset', () => {
    const { runtime, links, join } = openLinks();
    const socket = join('a', 'a1');
    links.processes.reached('a1', 4);
    links.forget(socket);
    socket.readyState = WebSocket.CLOSED;
    join('a', 'a1');
    expect(openLinks(runtime.wake()).links.processes.get('a1')?.reachedAtMs).toBe(4);
  });

  it('is one of a thousand that are known, not counting those with jobs', () => {
    const { links, join } = openLinks();
    const names = Array.from({ length: 1_100 }, (_, n) => `a${n}`);
    for (const name of names) {
      const socket = join('a', name);
      if (name === 'a0') links.processes.jobBegan(name, jobOf(1), 1);
      links.forget(socket);
    }
    const known = names.filter((name) => links.processes.known(name) !== null);
    expect([known.length, known[0], known[1]]).toEqual([1_000, 'a0', 'a101']);
  });
});

it('that mail servers answer a process all the time is stored every ten seconds', () => {
  const { runtime, links, join } = openLinks();
  join('a', 'a1');
  for (let now = 0; now <= 25_000; now += 1_000) links.processes.reached('a1', now);
  const woken = openLinks(runtime.wake()).links.processes.get('a1');
  expect([links.processes.get('a1')?.reachedAtMs, woken?.reachedAtMs]).toEqual([25_000, 20_000]);
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
