import { expect, test } from 'vitest';
import { nextIp } from '../../testing/mail-world.ts';
import { asked, amiss, byName, domainsAt, rcptsAt, siteWorld, tenants } from '../../testing/site.ts';

// Words at RCPT that we ask too much: three domains in a row, and the server rests.

const named = (words: string) => (mailbox: string) => `${words.replace('BOX', mailbox)}\r\n`;

const WORDS = [
  '450 4.7.1 <BOX>: Recipient address rejected: too many recipients from 192.0.2.1',
  '450 4.7.1 <BOX>: Recipient address rejected: Too many recipients from your address, try later',
  '450 4.7.1 Error: too many recipients from 192.0.2.1',
  '550 Your message rate (12.0/1m) is too high',
  '451 Your message rate (12.0/1m) is too high',
  '550 5.7.1 Rate limit exceeded for 192.0.2.1',
  '452 4.7.0 Sending rate exceeded, slow down',
  '450 4.7.1 Try again later, you are too fast',
];

test.each(WORDS)('"%s" to three domains in a row rests the server for the others', async (words) => {
  const world = siteWorld();
  const { addresses, server } = tenants(world, 60, { greeting: '220 mx.test ESMTP Postfix\r\n', rcpt: named(words) });
  const evidence = await world.probe(addresses);
  const heard = evidence.filter(({ outcome }) => outcome.kind !== 'unprobed');
  // Eight may be in sessions at once; who is refused in a shared one is asked again in its own.
  expect(heard.length).toBeLessThanOrEqual(10);
  expect(heard.map(({ outcome }) => outcome.kind)).not.toContain('no_such_mailbox');
  expect(server.sessions.length).toBeLessThanOrEqual(12);
  expect(rcptsAt(server)).toBeLessThanOrEqual(24);
  const dials = world.dialled.length;
  expect((await world.probe(addresses.slice(-1))).map(({ outcome }) => outcome.kind)).toEqual(['unprobed']);
  expect(world.dialled.length).toBe(dials);
});

test.each(WORDS)('"%s" after twenty served domains rests the server too, and leaves their verdicts', async (words) => {
  const world = siteWorld();
  let left = 40;
  const { addresses, server } = tenants(world, 120, {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    rcpt: (mailbox) => {
      left -= 1;
      return left >= 0 ? byName(mailbox) : named(words)(mailbox);
    },
  });
  const evidence = await world.probe(addresses);
  const verdicts = evidence.filter(({ outcome }) => outcome.kind === 'no_such_mailbox' || outcome.kind === 'accepted');
  expect(verdicts.length).toBeGreaterThanOrEqual(16);
  for (const [i, { outcome }] of evidence.entries())
    if (outcome.kind === 'no_such_mailbox') expect(addresses[i]).toMatch(/^x/);
  expect(rcptsAt(server)).toBeLessThanOrEqual(40 + 48);
  expect(server.sessions.length).toBeLessThanOrEqual(24);
});

test.each(WORDS)('"%s" to one domain of many is its own affair', async (words) => {
  const world = siteWorld();
  const { addresses } = tenants(world, 30, {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    rcpt: (mailbox) => (/@d7\./.test(mailbox) ? named(words)(mailbox) : byName(mailbox)),
  });
  const others = addresses.filter((address) => !/@d7\./.test(address));
  const evidence = await world.probe(addresses);
  expect(
    amiss(
      others,
      evidence.filter((_, i) => i !== 7),
    ),
  ).toEqual({});
  expect(world.engine.cooling()).toBe(0);
});

test('a second address of a refused domain is asked no more than twice, and other servers are not concerned', async () => {
  const world = siteWorld();
  const [ip] = [nextIp()];
  const server = world.serve(ip, { rcpt: named('550 Your message rate (12.0/1m) is too high') });
  domainsAt(world, ip, 1);
  world.domain('other.test', { rcpt: byName });
  const addresses = Array.from({ length: 20 }, (_, i) => `x${i}@d0.test`);
  const evidence = await world.probe([...addresses, 'x0@other.test']);
  expect(new Set(server.sessions.flatMap(asked)).size).toBeLessThanOrEqual(3);
  expect(evidence.at(-1)?.outcome.kind).toBe('no_such_mailbox');
});
