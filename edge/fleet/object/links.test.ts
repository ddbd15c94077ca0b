import { describe, expect, it } from 'vitest';
import { CLOSE } from '../../../schema/link.ts';
import { hello, openLinks, scriptedSocket, status } from '../../testing/scripted-links.ts';

// Which hosts are let in and stay. Frames to and from processes: links-processes.test.ts.

const jobOf = (number: number): string => `batch${number}.1`;

describe('a hello', () => {
  it('turns a link into a process, and is answered', () => {
    const { runtime, links, dial } = openLinks();
    const socket = dial('a', 5);
    expect(links.who(socket)).toEqual({ host: 'a', instance: null });
    expect([links.processes.get('a1') !== null, links.members(5)]).toEqual([false, []]);
    const said = hello('a1', { version: '1.2.3', startedAt: 3, slots: 20, running: [jobOf(1)] });
    const member = {
      host: 'a',
      instance: 'a1',
      egress: ['192.0.2.1'],
      version: '1.2.3',
      startedAt: 3,
      heardAt: 7,
      draining: false,
      healthy: true,
      checked: false,
      failing: [],
      reachedAtMs: -Infinity,
      jobs: 0,
      slots: 20,
      cooling: 0,
      refusing: 0,
    };
    expect(links.greet(socket, said, 7)).toMatchObject(member);
    expect(links.processes.get('a1')).toMatchObject(member);
    expect(links.who(socket)).toEqual({ host: 'a', instance: 'a1' });
    expect(socket.sent).toEqual([{ v: 1, type: 'welcome', draining: false }]);
    expect([runtime.tags, socket.closed]).toEqual([[['a']], []]);
  });

  it('tells a drained host that it is draining', () => {
    const { links, dial } = openLinks();
    const socket = dial('a', 0, true);
    expect(links.greet(socket, hello('a1'), 0)).toMatchObject({ draining: true });
    expect(socket.sent).toEqual([{ v: 1, type: 'welcome', draining: true }]);
  });

  it('from a process closes its earlier link, and keeps when a mail server last answered it', () => {
    const { links, join, cut } = openLinks();
    const first = join('a', 'a1');
    links.processes.reached('a1', 4);
    const second = join('a', 'a1', 5);
    expect([first.closed, second.closed, cut]).toEqual([[CLOSE.replaced], [], []]);
    expect(links.members(5)).toMatchObject([{ instance: 'a1', reachedAtMs: 4 }]);
    links.forget(first);
    expect(links.processes.get('a1') !== null).toBe(true);
  });
});

describe('an object that hibernated', () => {
  it('restores its processes from their links', () => {
    const { runtime, links, join } = openLinks();
    const socket = join('a', 'a1', 5, { version: '1.2.3', startedAt: 3, slots: 20 });
    links.update(
      socket,
      status({ jobs: 2, cooling: 3, refusing: 4, checked: true, failing: ['name'], healthy: false }),
    );
    links.processes.reached('a1', 6);
    links.heard(socket, 7);
    socket.pingedAt = 8;
    const woken = openLinks(runtime.wake()).links;
    // Signs of life are lost; the runtime knows the last ping.
    const before = { ...links.processes.get('a1'), heardAt: 8, socket: undefined };
    expect({ ...woken.processes.get('a1'), socket: undefined }).toEqual(before);
    expect(woken.order('a', 'removed', 9)).toEqual(['a1']);
  });

  it('closes a link without a hello', () => {
    const { runtime, dial } = openLinks();
    dial('a', 5);
    const woken = runtime.wake();
    expect(openLinks(woken).links.members(5)).toEqual([]);
    expect(woken.getWebSockets().map(({ closed }) => closed)).toEqual([[CLOSE.hello]]);
  });
});

describe('an operator', () => {
  it('removing a host closes its links, and keeps it out for 10 s', () => {
    const { links, join, dial, cut } = openLinks();
    const [greeted, mute, other] = [join('a', 'a1'), dial('a'), join('b', 'b1')];
    expect(links.order('a', 'removed', 100)).toEqual(['a1']);
    expect([greeted.closed, mute.closed, other.closed, cut]).toEqual([[CLOSE.removed], [CLOSE.removed], [], []]);
    expect(links.processes.get('a1') !== null).toBe(false);
    links.order('c', 'removed', 10_099);
    expect(links.accept(scriptedSocket(), 'a', false, 10_099)).toBe(false);
    dial('b', 10_099);
    dial('a', 10_100);
  });

  it('undoing a removal lets the host in at once', () => {
    const { links, dial } = openLinks();
    expect(links.order('a', 'removed', 100)).toEqual([]);
    expect(links.order('a', 'active', 101)).toEqual([]);
    dial('a', 102);
  });

  it('draining a host tells it and gives it no jobs until it is active again', () => {
    const { links, join, dial } = openLinks();
    const [socket, mute, other] = [join('a', 'a1'), dial('a'), join('b', 'b1')];
    socket.sent.length = 0;
    other.sent.length = 0;
    expect(links.order('a', 'draining', 0)).toEqual([]);
    expect([links.processes.get('a1')?.draining, links.processes.get('b1')?.draining]).toEqual([true, false]);
    expect([socket.sent, mute.sent, other.sent]).toEqual([[{ v: 1, type: 'drain', draining: true }], [], []]);
    expect(links.greet(mute, hello('a2'), 0)).toMatchObject({ draining: true });
    links.update(socket, status());
    expect(links.processes.get('a1')?.draining).toBe(true);
    links.order('a', 'active', 0);
    expect(links.processes.get('a1')?.draining).toBe(false);
    expect(socket.sent.at(-1)).toEqual({ v: 1, type: 'drain', draining: false });
  });
});
