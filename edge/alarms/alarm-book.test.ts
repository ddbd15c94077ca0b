import { describe, expect, it } from 'vitest';
import type { Raised } from '../base/paging.ts';
import { MapStore } from '../testing/map-store.ts';
import { AlarmBook, isRepeated } from './alarm-book.ts';
import { postOf } from './post-alarms.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const sick = (host: string, times = 1): Raised => ({ event: 'host_unhealthy', fields: { host, why: 'x' }, times });
const order = (orderId: string): Raised => ({ event: 'order_disputed', fields: { orderId }, times: 1 });
/** What is due, and posted now. */
function due(book: AlarmBook, nowMs: number): readonly string[] {
  const alarms = book.due;
  book.mark(alarms, nowMs);
  return alarms.map(({ event, fields }) => `${event} ${String(fields['host'])}`);
}

it('an error in three minutes of an hour is told, however seldom; not a storm of it in two', () => {
  const failed = { calls: 2, error_mail_failed: 1 };
  expect(isRepeated('mail_failed', [failed, {}, { calls: 9 }, failed, failed])).toBe(true);
  expect(isRepeated('mail_failed', [{ error_mail_failed: 900 }, { error_mail_failed: 1 }])).toBe(false);
  expect(isRepeated('settle_failed', [failed, failed, failed])).toBe(false);
});

describe('AlarmBook', () => {
  it('has each alarm due once an hour, for each host', () => {
    const book = new AlarmBook(new MapStore());
    book.note(sick('fra-1'), NOON);
    expect(due(book, NOON)).toEqual(['host_unhealthy fra-1']);
    book.note(sick('fra-1', 7), NOON + 1_000);
    book.note(sick('fra-2'), NOON + 1_000);
    expect(due(book, NOON + 1_000)).toEqual(['host_unhealthy fra-2']);
    book.note(sick('fra-1'), NOON + HOUR_MS);
    expect(due(book, NOON + HOUR_MS)).toEqual(['host_unhealthy fra-1']);
  });

  it('has what could not be posted due again, however long that is, and what was posted not, also after the object was lost', () => {
    const store = new MapStore();
    const book = new AlarmBook(store);
    for (const host of ['fra-1', 'fra-2']) book.note(sick(host), NOON);
    const both = book.due;
    book.mark(both, NOON);
    expect(new AlarmBook(store).due).toEqual([]);
    book.mark(both.slice(1), null);
    book.note(order('ord_2'), NOON + 3 * HOUR_MS);
    expect(new AlarmBook(store).due).toMatchObject([{ fields: { host: 'fra-2' } }, { fields: { orderId: 'ord_2' } }]);
  });

  it('remembers no more than 200 alarms in an hour, however many kinds there are', () => {
    const store = new MapStore();
    const book = new AlarmBook(store);
    for (let n = 0; n < 5_000; n += 1) book.note(sick(`host-${n}`), NOON + n);
    expect(book.due).toHaveLength(200);
    expect(store.get('alarms')).toHaveLength(200);
  });
});

describe('postOf', () => {
  const alarm = { ...sick('fra-1', 3), firstAtMs: NOON, postedAtMs: null };

  it('says what happened, when, how often and where to read what to do', () => {
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

  it('has one line for forty hosts, so that what else is due is read', () => {
    const hosts = Array.from({ length: 40 }, (_, n) => ({ ...alarm, fields: { host: `fra-${n}` } }));
    expect(postOf([...hosts, { ...alarm, event: 'job_not_signed', fields: {} }]).text.split('\n')).toEqual([
      'rcpt: host_unhealthy host=fra-0; host=fra-1; host=fra-2 and 37 more (prober/runbooks/host-sick.md)',
      'rcpt: job_not_signed (edge/runbooks/edge-key.md)',
    ]);
  });

  it('is bounded, whatever the fields are', () => {
    const many = Array.from({ length: 40 }, (_, n) => ({
      ...alarm,
      event: `e${n}`,
      fields: { message: 'x'.repeat(10_000) },
    }));
    expect(postOf(many).text).toHaveLength(2_000);
    expect(postOf(many.slice(0, 1)).text.length).toBeLessThan(400);
  });
});
