import { describe, expect, it } from 'vitest';
import type { Raised } from '../base/paging.ts';
import { type Alarm, isRepeated, noteAlarm } from './alarm.ts';
import { postOf } from './post-alarms.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const sick = (host: string, times = 1): Raised => ({ event: 'host_unhealthy', fields: { host, why: 'x' }, times });

it('errors in three minutes of an hour raise an alarm, a burst in two does not', () => {
  const failed = { calls: 2, error_mail_failed: 1 };
  expect(isRepeated('mail_failed', [failed, {}, { calls: 9 }, failed, failed])).toBe(true);
  expect(isRepeated('mail_failed', [{ error_mail_failed: 900 }, { error_mail_failed: 1 }])).toBe(false);
  expect(isRepeated('settle_failed', [failed, failed, failed])).toBe(false);
});

describe('noteAlarm', () => {
  it('posts each alarm once an hour per host', () => {
    const alarms = new Map<string, Alarm>();
    const isPosted = (raised: Raised, nowMs: number): boolean => {
      const isDue = noteAlarm(alarms, raised, nowMs);
      if (isDue)
        for (const [key, alarm] of alarms) alarms.set(key, { ...alarm, postedAtMs: alarm.postedAtMs ?? nowMs });
      return isDue;
    };
    expect(isPosted(sick('fra-1'), NOON)).toBe(true);
    expect(isPosted(sick('fra-1', 7), NOON + 1_000)).toBe(false);
    expect(isPosted(sick('fra-2'), NOON + 1_000)).toBe(true);
    expect(isPosted(sick('fra-1'), NOON + HOUR_MS)).toBe(true);
  });

  it('keeps unposted alarms indefinitely, but no more than 200', () => {
    const alarms = new Map<string, Alarm>();
    for (let n = 0; n < 5_000; n += 1) noteAlarm(alarms, sick(`host-${n}`), NOON + n * HOUR_MS);
    expect(alarms.size).toBe(200);
  });
});

describe('postOf', () => {
  const alarm = { ...sick('fra-1', 3), firstAtMs: NOON, postedAtMs: null };

  it('says what happened, when, how often and which runbook to read', () => {
    expect(postOf([alarm])).toEqual({
      text: 'rcpt: host_unhealthy host=fra-1 why=x (prober/runbooks/host-sick.md)',
      alarms: [
        {
          event: 'host_unhealthy',
          at: '2026-11-21T12:00:00.000Z',
          times: 3,
          runbook: 'prober/runbooks/host-sick.md',
          fields: { host: 'fra-1', why: 'x' },
        },
      ],
    });
  });

  it('is bounded for fields of any length', () => {
    const many = Array.from({ length: 40 }, (_, n) => ({
      ...alarm,
      event: `e${n}`,
      fields: { message: 'x'.repeat(10_000) },
    }));
    expect(postOf(many).text).toHaveLength(2_000);
    expect(postOf(many.slice(0, 1)).text.length).toBeLessThan(400);
  });
});
