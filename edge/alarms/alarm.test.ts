import { describe, expect, it } from 'vitest';
import { alarmKey, type Raised } from '../base/paging.ts';
import { AlarmBook, isRepeated, type Posting } from './alarm.ts';
import { postOf } from './post-alarms.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const sick = (host: string, why = 'x', times = 1): Raised => ({
  event: 'host_unhealthy',
  fields: { host, why },
  times,
});
const down = (): Raised => ({ event: 'service_down', fields: { cause: 'd1_away', why: 'y' }, times: 1 });

const key = (fields: Raised['fields']): string => alarmKey('service_down', fields);
const between = (from: number, to: number, raised: () => Raised) => (minute: number) =>
  minute >= from && minute < to ? [raised()] : [];

/**
 * What is posted of alarms that are logged in these minutes of a day, each minute in which any is; the cron looks
 * every minute.
 */
function posts(logged: (minute: number) => readonly Raised[], minutes: number): readonly string[] {
  const book = new AlarmBook();
  const said: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const now = NOON + minute * MINUTE_MS;
    for (const raised of logged(minute)) book.note(raised, now);
    for (const { state, alarm } of book.take(now))
      said.push(`${minute} ${state} ${[alarm.fields['host'] ?? '', alarm.fields['why']].join(' ').trim()}`);
  }
  return said;
}

it('errors in three minutes of an hour raise an alarm, a burst in two does not', () => {
  const failed = { calls: 2, error_mail_failed: 1 };
  expect(isRepeated('mail_failed', [failed, {}, { calls: 9 }, failed, failed])).toBe(true);
  expect(isRepeated('mail_failed', [{ error_mail_failed: 900 }, { error_mail_failed: 1 }])).toBe(false);
  expect(isRepeated('settle_failed', [failed, failed, failed])).toBe(false);
});

it('a figure in a reason, or how many of what failed, makes no other alarm; a host, an egress address and a reason do', () => {
  const failing = (words: string): string => key({ cause: 'requests_fail', why: `the database failed (${words})` });
  expect(failing('3 of 4 verifications failed in this minute')).toBe(failing('9 of 9 failed in the last 5 minutes'));
  expect(key({ cause: 'cron_late', why: 'the last run was 181 s ago' })).toBe(key({ why: 'the last run was 7 s ago' }));
  const keys = [
    { host: 'fra-1', why: 'a' },
    { host: 'fra-1', why: 'b' },
    { host: 'fra-2', why: 'a' },
  ];
  const others = [{ cause: 'd1_away' }, { cause: 'fleet_away' }, { host: 'fra-1', egress: 0, why: 'a' }];
  expect(new Set([...keys, ...others].map(key)).size).toBe(6);
});

describe('AlarmBook', () => {
  it.each<[string, (minute: number) => readonly Raised[], number, readonly string[]]>([
    ['an outage of a minute', between(0, 1, down), 30, ['0 new y', '5 over y']],
    [
      'a second outage within the hour',
      (m) => (m < 2 || m === 20 ? [down()] : []),
      60,
      ['0 new y', '6 over y', '20 new y', '25 over y'],
    ],
    [
      'one that goes away for less than five minutes',
      (m) => (m % 4 === 0 && m < 30 ? [down()] : []),
      60,
      ['0 new y', '33 over y'],
    ],
    ['one that lasts', between(0, 130, down), 180, ['0 new y', '60 lasts y', '120 lasts y', '134 over y']],
    [
      'a host that fails in turn for several reasons',
      (m) => [sick('fra-1', ['dns', 'port 25', 'clock', 'block'][m])].filter(() => m < 4),
      5,
      ['0 new fra-1 dns', '1 new fra-1 port 25', '2 new fra-1 clock', '3 new fra-1 block'],
    ],
    ['hosts', (m) => (m === 0 ? [sick('a'), sick('b')] : []), 3, ['0 new a x', '0 new b x']],
    [
      'a warning that lasts for hours, once',
      (m) => (m < 200 ? [{ event: 'host_suspect', fields: { host: 'a', why: 'z' }, times: 1 }] : []),
      240,
      ['0 new a z', '204 over a z'],
    ],
    [
      'what waits for an operator, which silence does not end',
      (m) => (m === 0 || m === 30 || m === 90 ? [{ event: 'order_disputed', fields: { why: 'q' }, times: 1 }] : []),
      300,
      ['0 new q', '60 lasts q', '120 lasts q'],
    ],
  ])('posts %s', (_, logged, minutes, expected) => {
    expect(posts(logged, minutes)).toEqual(expected);
  });

  it('posts one event six times an hour, the last of them says so, and what waited is posted after that', () => {
    // A host that fails for another reason every minute.
    const said = posts((m) => (m < 20 ? [sick('a', `r${String.fromCodePoint(97 + m)}`)] : [down()]), 70);
    const ofHost = said.filter((line) => line.includes(' a r'));
    const within = ofHost.filter((line) => Number(line.split(' ')[0]) < 60);
    expect(new Set(within.map((line) => line.split(' ')[0])).size).toBe(6);
    expect(said).toContain('20 new y');
    // All but the first, whose end fitted in.
    expect(ofHost.filter((line) => line.startsWith('60 '))).toHaveLength(19);
    const book = new AlarmBook();
    const silent = Array.from({ length: 6 }, (_, n) => {
      book.note(sick(`host-${n}`), NOON + n);
      return book.take(NOON + n).map(({ silentUntilMs }) => silentUntilMs);
    });
    expect(silent.flat()).toEqual([null, null, null, null, null, NOON + HOUR_MS]);
  });

  it('a post that fails is due again, as it was', () => {
    const book = new AlarmBook();
    book.note(down(), NOON);
    const first = book.take(NOON);
    book.note(down(), NOON + 1_000);
    book.putBack(first, NOON);
    const again = book.take(NOON + 2_000);
    expect(again).toMatchObject([{ state: 'new', alarm: { firstAtMs: NOON, times: 2 } }]);
    const over = book.take(NOON + HOUR_MS);
    book.putBack(over, NOON + HOUR_MS);
    expect(book.take(NOON + HOUR_MS + 1)).toEqual(over);
  });

  it('outlives its object, and is bounded', () => {
    const book = new AlarmBook();
    for (let n = 0; n < 5_000; n += 1) book.note(sick(`host-${n}`), NOON + n);
    expect(book.take(NOON)).toHaveLength(200);
    const kept = new AlarmBook(structuredClone(book.kept));
    expect(kept.take(NOON + MINUTE_MS)).toEqual([]);
    expect(kept.take(NOON + 10 * MINUTE_MS)).toHaveLength(200);
  });

  it('writes what lasts now and then, and never how often', () => {
    const book = new AlarmBook();
    const written = [0, 1, 2, 30_000, 30_001, 61_000].map((ms) => book.note(down(), NOON + ms));
    expect(written).toEqual([true, false, false, true, false, true]);
  });
});

describe('postOf', () => {
  const { event, fields } = sick('fra-1');
  const alarm = { event, fields, firstAtMs: NOON, lastAtMs: NOON + MINUTE_MS, times: 3, postedAtMs: null };
  const posting: Posting = { key: 'k', alarm, state: 'new', silentUntilMs: null };

  it('says what happened, when, how often and which runbook to read', () => {
    expect(postOf([posting])).toEqual({
      text: 'rcpt: host_unhealthy host=fra-1 why=x (prober/runbooks/host-sick.md)',
      alarms: [
        {
          event: 'host_unhealthy',
          state: 'new',
          at: '2026-11-21T12:00:00.000Z',
          until: '2026-11-21T12:01:00.000Z',
          times: 3,
          runbook: 'prober/runbooks/host-sick.md',
          fields: { host: 'fra-1', why: 'x' },
        },
      ],
    });
  });

  it.each<[Partial<Posting>, RegExp]>([
    [
      { state: 'over' },
      /^rcpt: over: host_unhealthy host=fra-1 why=x, from 2026-11-21T12:00:00.000Z to .*12:01:00.000Z$/,
    ],
    [{ state: 'lasts' }, /^rcpt: still, since 2026-11-21T12:00:00.000Z: host_unhealthy /],
    [
      { silentUntilMs: NOON + HOUR_MS },
      /\nrcpt: no more about host_unhealthy before .*13:00:00.000Z: 6 posts an hour$/,
    ],
  ])('says that an alarm lasts, is over, or is the last for a while', (change, text) => {
    expect(postOf([{ ...posting, ...change }]).text).toMatch(text);
  });

  it('is bounded for fields of any length', () => {
    const many = Array.from({ length: 40 }, (_, n) => ({
      ...posting,
      alarm: { ...alarm, event: `e${n}`, fields: { message: 'x'.repeat(10_000) } },
      silentUntilMs: n === 39 ? NOON : null,
    }));
    expect(postOf(many).text.length).toBeLessThanOrEqual(2_000);
    expect(postOf(many).text).toMatch(/no more about e39/);
    expect(postOf(many.slice(0, 1)).text.length).toBeLessThan(400);
  });
});
