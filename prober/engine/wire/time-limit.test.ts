import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { Clock } from '../ports/ports.ts';
import { TimeLimit } from './time-limit.ts';

function setUp(parent = new AbortController()) {
  const clock = new FakeClock();
  const limit = new TimeLimit(clock, parent.signal);
  return { clock, limit, parent, state: () => ({ over: limit.isDone, why: limit.why }) };
}

const RUNNING = { over: false, why: 'ended' };
const EXPIRED = { over: true, why: 'timeout' };
const ENDED = { over: true, why: 'ended' };

describe('a time limit', () => {
  it('fires when the wait has lasted as long as it may', async () => {
    const { clock, limit, state } = setUp();
    limit.allow(100);
    await clock.advance(99);
    expect(state()).toEqual(RUNNING);
    await clock.advance(1);
    expect(state()).toEqual(EXPIRED);
    expect(clock.pending).toBe(0);
  });

  it('fires at once for a wait of no time', async () => {
    const { clock, limit, state } = setUp();
    limit.allow(0);
    await clock.advance(0);
    expect(state()).toEqual(EXPIRED);
  });

  it('counts each wait anew', async () => {
    const { clock, limit, state } = setUp();
    for (let wait = 0; wait < 5; wait += 1) {
      limit.allow(100);
      await clock.advance(60);
    }
    expect(state()).toEqual(RUNNING);
    await clock.advance(40);
    expect(state()).toEqual(EXPIRED);
  });

  it('keeps a short wait that follows a long one', async () => {
    const { clock, limit, state } = setUp();
    limit.allow(1_000);
    limit.allow(100);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    expect(state()).toEqual(EXPIRED);
  });

  it('sets one timer for many waits of the same length', async () => {
    const clock = new FakeClock();
    let timers = 0;
    const counting: Clock = {
      now: () => clock.now(),
      after(delayMs, run) {
        timers += 1;
        return clock.after(delayMs, run);
      },
    };
    const limit = new TimeLimit(counting, new AbortController().signal);
    for (let wait = 0; wait < 50; wait += 1) {
      limit.allow(100);
      limit.allow(100);
      await clock.advance(1);
    }
    expect(timers).toBe(1);
  });

  it.each([
    ['before it was made', true],
    ['while it waits', false],
  ])('ends with the batch that ended %s, and has not expired', async (_, before) => {
    const parent = new AbortController();
    if (before) parent.abort();
    const { clock, limit, state } = setUp(parent);
    limit.allow(100);
    parent.abort();
    expect(state()).toEqual(ENDED);
    limit.end();
    await clock.advance(200);
    expect(limit.isOver()).toBe(true);
    expect(state()).toEqual(ENDED);
  });

  it('frees its timer and the batch when it is done', () => {
    const { clock, limit, parent, state } = setUp();
    limit.allow(100);
    limit.end();
    expect(clock.pending).toBe(0);
    parent.abort();
    expect(state()).toEqual(RUNNING);
  });

  it('asks the clock if a busy peer keeps the timer from running', () => {
    let now = 0;
    const limit = new TimeLimit({ now: () => now, after: () => () => undefined }, new AbortController().signal);
    limit.allow(100);
    now = 99;
    expect([limit.isOver(), limit.isDone]).toEqual([false, false]);
    now = 100;
    expect([limit.isOver(), limit.isDone, limit.why]).toEqual([true, true, 'timeout']);
  });
});
