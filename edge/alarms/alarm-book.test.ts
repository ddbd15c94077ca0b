import { describe, expect, it } from 'vitest';
import type { Raised } from '../base/paging.ts';
import { MapStore } from '../testing/map-store.ts';
import { AlarmBook } from './alarm-book.ts';
import { postOf } from './post-alarms.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const sick = (host: string, times = 1): Raised => ({ event: 'host_unhealthy', fields: { host, why: 'x' }, times });
const due = (book: AlarmBook, nowMs: number): readonly string[] =>
  book.takeDue(nowMs).map(({ event, fields }) => `${event} ${String(fields['host'])}`);

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

  it('has what could not be posted due again, and what was posted not, also after the object was lost', () => {
    const store = new MapStore();
    const book = new AlarmBook(store);
    book.note(sick('fra-1'), NOON);
    book.note(sick('fra-2'), NOON);
    const [, second] = book.takeDue(NOON);
    expect(new AlarmBook(store).takeDue(NOON)).toEqual([]);
    book.giveBack(second === undefined ? [] : [second]);
    expect(due(new AlarmBook(store), NOON)).toEqual(['host_unhealthy fra-2']);
  });

  it('posts at most thirty an hour and keeps at most two hundred, however many hosts fall sick', () => {
    const store = new MapStore();
    const book = new AlarmBook(store);
    let posted = 0;
    for (let n = 0; n < 5_000; n += 1) {
      book.note(sick(`host-${n}`), NOON + n);
      posted += book.takeDue(NOON + n).length;
    }
    expect(posted).toBe(30);
    expect(store.get('alarms')).toHaveLength(200);
  });
});

describe('postOf', () => {
  it('says what happened, when, how often and where to read what to do', () => {
    const alarm = { ...sick('fra-1', 3), firstAtMs: NOON, postedAtMs: null };
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

  it('is bounded, whatever the fields are', () => {
    const alarm = {
      event: 'unexpected',
      fields: { message: 'x'.repeat(10_000) },
      times: 1,
      firstAtMs: NOON,
      postedAtMs: null,
    };
    expect(postOf([alarm]).text).toHaveLength(1_000);
  });
});
