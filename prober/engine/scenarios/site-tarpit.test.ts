import { expect, test } from 'vitest';
import type { MemoryServer } from '../../testing/memory-server.ts';
import { close, type SessionRecord, wait } from '../../testing/script.ts';
import { amiss, siteWorld, TAKEN, told } from '../../testing/site.ts';

// Courier's TARPIT sleeps before each 5xx to RCPT: 8 s before the first of a session, then twice as long each time, at
// most 128 s. It takes five connections of an address.

const GONE = '550 User unknown.\r\n';
const DOUBLES_TO_MS = 128_000;

/** Of its mailboxes u0, u1, … every nth is gone, and so is any other name. */
function courier(every: number, places = 5) {
  const world = siteWorld();
  const refused = new Map<SessionRecord, number>();
  const server: MemoryServer = world.domain('d.test', {
    greeting: ({ number }) => {
      const open = server.sessions.filter((one) => one.number < number && !one.closed).length;
      return open < places ? '220 mx.test ESMTP\r\n' : ['421 Too many connections\r\n', close];
    },
    offers: [
      'AUTH LOGIN',
      'XVERP=Courier',
      'XEXDATA',
      'XSECURITY=NONE,STARTTLS',
      'PIPELINING',
      '8BITMIME',
      'SIZE',
      'DSN',
    ],
    rcpt: (mailbox, session) => {
      if (exists(mailbox, every)) return TAKEN;
      const before = refused.get(session) ?? 0;
      refused.set(session, before + 1);
      return [wait(Math.min(DOUBLES_TO_MS, 8_000 * 2 ** before)), GONE];
    },
  });
  return { world, server };
}

const exists = (mailbox: string, every: number): boolean => {
  const [, n] = /^u(\d+)@/.exec(mailbox) ?? [];
  return n !== undefined && Number(n) % every !== 0;
};
const boxes = (count: number): string[] => Array.from({ length: count }, (_, i) => `u${i}@d.test`);

test.each([
  [495, 7, 350],
  [495, 5, 260],
  [200, 7, 200],
  [50, 2, 50],
])(
  'of %i addresses at Courier, every %ith of them gone, at least %i are answered, none wrongly',
  async (count, every, least) => {
    const { world } = courier(every);
    const addresses = boxes(count);
    const evidence = await world.probe(addresses);
    const wrong = amiss(addresses, evidence, (address) => (exists(address, every) ? 'valid null' : 'invalid null'));
    expect(Object.keys(wrong).filter((one) => !one.startsWith('unknown timeout'))).toEqual([]);
    expect(evidence.filter((one) => told(one) !== 'unknown timeout').length).toBeGreaterThanOrEqual(least);
  },
);

test('where it takes one connection, whoever is not asked in time is free', async () => {
  const { world, server } = courier(4, 1);
  const evidence = await world.probe(boxes(60));
  const kinds = new Set(evidence.map(({ outcome }) => outcome.kind));
  expect([...kinds].filter((kind) => !/^(?:accepted|no_such_mailbox|unprobed|timeout)$/.test(kind))).toEqual([]);
  expect(evidence.filter(({ outcome }) => outcome.kind === 'timeout').length).toBeLessThanOrEqual(1);
  expect(server.sessions.length).toBeLessThanOrEqual(16);
});
