import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, UNKNOWN } from '../../testing/one-domain.ts';
import { close, type SessionRecord, wait } from '../../testing/script.ts';

test('a budget of one allows one recipient per session', async () => {
  const world = new MailWorld({ budgets: { refusals: 0, refusalsPatient: 0, recipients: 0 } });
  const server = world.domain('d.test', { mailboxes: ['u0@d.test'] });
  expect(await world.outcomes(boxes(3))).toEqual([ACCEPTED, UNKNOWN, UNKNOWN]);
  for (const { lines } of server.sessions) expect(lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1);
});

test('a server that delays refusals gets one per session, and is not given up for its delays', async () => {
  const refusals = new Map<SessionRecord, number>();
  const world = new MailWorld();
  const server = world.domain('d.test', {
    // Like Courier: 8 s for the first refusal of a session, 16 for the second, 32 for the third.
    rcpt: (mailbox, session) => {
      if (/^u[02468]@/.test(mailbox)) return '250 2.1.5 ok\r\n';
      const before = refusals.get(session) ?? 0;
      refusals.set(session, before + 1);
      return [wait(8_000 * 2 ** before), '550 5.1.1 no such user here\r\n'];
    },
  });
  const outcomes = await world.outcomes(boxes(10), 90_000);
  expect(outcomes).toEqual(boxes(10).map((_, u) => (u % 2 === 0 ? ACCEPTED : UNKNOWN)));
  // The first session had asked for more before this was known.
  for (const session of server.sessions.slice(1)) expect(refusals.get(session) ?? 0).toBeLessThanOrEqual(1);
});

test('a server that allows two recipients a session gets two, with none reserved', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    rcpt: (_mailbox, { lines }) =>
      lines.filter((line) => line.startsWith('RCPT')).length > 2
        ? ['421 4.7.0 too many errors\r\n', close]
        : '550 5.1.1 no such user here\r\n',
  });
  expect(await world.outcomes(boxes(40))).toEqual(boxes(40).map(() => UNKNOWN));
  expect(server.sessions.length).toBeLessThanOrEqual(21);
  expect(world.engine.cooling()).toBe(0);
});

/** Whether the nth RCPT of a session exceeds what the server tolerates of them, or of refusals. */
const BEARS = {
  recipients: (borne: number, rcpts: readonly string[]) => rcpts.length > borne,
  refusals: (borne: number, rcpts: readonly string[]) =>
    rcpts.filter((line) => !line.includes('<good@')).length > borne,
} as const;

test.each(
  (['recipients', 'refusals'] as const).flatMap((by) =>
    [1, 2, 3, 4, 5].flatMap((borne) => [true, false].map((pipelining) => [borne, by, pipelining] as const)),
  ),
)(
  'a server that ends sessions after %d %s still gets its made-up mailbox told apart, pipelining: %s',
  async (borne, by, pipelining) => {
    const world = new MailWorld();
    world.domain('d.test', {
      offers: pipelining ? ['PIPELINING'] : [],
      rcpt: (mailbox, { lines }) => {
        const rcpts = lines.filter((line) => line.startsWith('RCPT'));
        if (BEARS[by](borne, rcpts)) return ['421 4.7.0 Error: too many errors\r\n', close];
        return mailbox === 'good@d.test' ? '250 ok\r\n' : '550 5.1.1 no such user here\r\n';
      },
    });
    const [good, ...others] = await world.outcomes(['good@d.test', ...boxes(20)]);
    expect(good).toMatchObject({ kind: 'accepted', madeUp: { kind: 'refused' } });
    expect(others).toEqual(boxes(20).map(() => UNKNOWN));
  },
);

test('500 unknown recipients at one server fit the default budget and 90 s over a link of 50 ms', async () => {
  const world = new MailWorld({}, 25);
  const server = world.domain('d.test', {});
  expect(await world.outcomes(boxes(500))).toEqual(boxes(500).map(() => UNKNOWN));
  expect(world.clock.now()).toBeLessThan(90_000);
  expect(server.sessions.length).toBeLessThanOrEqual(130);
});
