import { expect, test } from 'vitest';
import type { Script, SessionRecord } from '../../testing/script.ts';
import { amiss, asked, byName, CATCH_ALL, mailboxes, siteWorld, TAKEN, told } from '../../testing/site.ts';

// Postscreen's tests after the greeting defer every recipient of a client's first session, and know the client in the
// next. Who was deferred in the first is asked again in the second, which gave verdicts.

const LATER = '450 4.3.2 Service currently unavailable\r\n';

type Screen = { readonly later?: string; readonly rcpt?: (mailbox: string) => string; readonly patient?: boolean };

/** Knows a client once a session of its has ended; postscreen offers no PIPELINING while it tests. */
function screening({ later = LATER, rcpt = byName, patient = true }: Screen = {}): Script & {
  readonly seen: SessionRecord[];
} {
  const seen: SessionRecord[] = [];
  const knows = (session: SessionRecord): boolean =>
    seen.some((one) => one !== session && one.closed && one.number < session.number);
  return {
    seen,
    greeting: (session) => {
      seen.push(session);
      return `220 mx.test ESMTP${patient ? ' Postfix' : ''}\r\n`;
    },
    offers: ['SIZE 10240000', 'ENHANCEDSTATUSCODES'],
    rcpt: (mailbox, session) => (knows(session) ? rcpt(mailbox) : later),
  };
}

test.each([10, 12, 20, 50])('of %i addresses none stays deferred once a session gives verdicts', async (count) => {
  const world = siteWorld();
  const server = world.domain('d.test', screening());
  const addresses = mailboxes(count);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  // Half of them and the made-up one are refusals, nine to a session; and one session is for nothing.
  expect(server.sessions.length).toBeLessThanOrEqual(3 + Math.ceil(count / 18));
  // Nobody is asked more than twice.
  const times = new Map<string, number>();
  for (const mailbox of server.sessions.flatMap(asked)) times.set(mailbox, (times.get(mailbox) ?? 0) + 1);
  expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
});

test.each<[string, string]>([
  ['4.7.1, greylisting words', '450 4.7.1 Greylisted, please try again\r\n'],
  ['4.2.0', '450 4.2.0 Greylisted\r\n'],
  ['451 without a code', '451 try again later\r\n'],
])('so it is at a greylist that lets a client through as a whole (%s)', async (_what, later) => {
  const world = siteWorld();
  world.domain('d.test', screening({ later }));
  const addresses = mailboxes(20);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
});

test('at a server that accepts everybody, all are asked again, and its made-up mailbox is learnt', async () => {
  const world = siteWorld();
  world.domain('d.test', screening({ rcpt: () => TAKEN }));
  const addresses = mailboxes(20);
  expect(amiss(addresses, await world.probe(addresses), () => CATCH_ALL)).toEqual({});
});

test('an unknown server, whose sessions are shorter, asks no more of them', async () => {
  const world = siteWorld();
  const server = world.domain('d.test', screening({ patient: false }));
  const addresses = mailboxes(20);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(6);
});

test('mailboxes that are deferred for themselves stay so, and cost one more question each', async () => {
  const world = siteWorld();
  const server = world.domain('d.test', {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    rcpt: (mailbox) => (/^u[48]@/.test(mailbox) ? '450 4.2.0 mailbox busy\r\n' : byName(mailbox)),
  });
  const addresses = mailboxes(30);
  const evidence = await world.probe(addresses);
  expect(evidence.flatMap((one, i) => (told(one).endsWith('greylisting') ? [addresses[i]] : []))).toEqual([
    'u4@d.test',
    'u8@d.test',
  ]);
  expect(server.sessions.flatMap(asked).length).toBeLessThanOrEqual(30 + 1 + 2);
});

test('a greylist by recipient is left alone: nobody is asked twice', async () => {
  const world = siteWorld();
  const server = world.domain('d.test', { greeting: '220 mx.test ESMTP Postfix\r\n', rcpt: () => LATER });
  const addresses = mailboxes(50);
  const evidence = await world.probe(addresses);
  expect(new Set(evidence.map(told))).toEqual(new Set(['unknown greylisting']));
  expect(server.sessions.flatMap(asked)).toHaveLength(50);
});
