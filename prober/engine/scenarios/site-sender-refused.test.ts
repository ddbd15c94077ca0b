import { expect, test } from 'vitest';
import { nextIp } from '../../testing/mail-world.ts';
import { amiss, byName, domainsAt, siteWorld, tenants } from '../../testing/site.ts';

// A server that refuses our sender refuses it for every domain: that refusal is the evidence of all of a request.

const REFUSALS = [
  '550 5.7.27 Sender address has a null MX',
  '550 5.7.1 <verify@probe.example.net>: Sender address rejected: Access denied',
  '553 5.1.8 <verify@probe.example.net>: Sender address rejected: Domain not found',
  '550 5.7.23 SPF validation failed',
  '554 5.7.1 Your sender reputation is poor',
  '550 sender verify fail',
];

const REFUSED = 'unknown mail_from_rejected';
const atMail = (refusal: string) => (line: string) => (line.startsWith('MAIL') ? `${refusal}\r\n` : undefined);

test.each(REFUSALS)('"%s" at MAIL is the reason of all forty domains, after few sessions', async (refusal) => {
  const world = siteWorld();
  const { server, addresses } = tenants(world, 40, { on: atMail(refusal) });
  expect(amiss(addresses, await world.probe(addresses), () => REFUSED)).toEqual({});
  // Those that began together each hear it once.
  expect(server.sessions.length).toBeLessThanOrEqual(10);
});

test.each([1, 2, 5, 10, 30])(
  'that begins after %i messages, it is the reason of all others, served ones apart',
  async (served) => {
    for (const refusal of REFUSALS) {
      const world = siteWorld();
      let mails = 0;
      const { server, addresses } = tenants(world, 80, {
        greeting: '220 mx.test ESMTP Postfix\r\n',
        rcpt: byName,
        on: (line) => {
          if (!line.startsWith('MAIL')) return undefined;
          mails += 1;
          return mails > served ? `${refusal}\r\n` : undefined;
        },
      });
      const evidence = await world.probe(addresses);
      const wrong = Object.entries(amiss(addresses, evidence));
      // Some of those who were served may not have been asked about the made-up mailbox.
      expect(wrong.filter(([verdict]) => !/^(?:unknown|risky) mail_from_rejected/.test(verdict))).toEqual([]);
      expect(wrong.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThanOrEqual(80 - served);
      expect(server.sessions.length).toBeLessThanOrEqual(24);
    }
  },
);

test.each(REFUSALS)('"%s" by the first of two hosts leaves the second to answer, for all', async (refusal) => {
  const world = siteWorld();
  const [bad, good] = [nextIp(), nextIp()];
  const refusing = world.serve(bad, { on: atMail(refusal) });
  world.serve(good, { greeting: '220 mx.test ESMTP Postfix\r\n', rcpt: byName });
  const addresses = Array.from({ length: 40 }, (_, i) => `${i % 2 === 0 ? 'u' : 'x'}${i}@e${i}.test`);
  for (let d = 0; d < 40; d += 1) {
    world.mx(`e${d}.test`, [`a.e${d}.test`, `b.e${d}.test`]);
    world.host(`a.e${d}.test`, [bad]).host(`b.e${d}.test`, [good]);
  }
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  expect(refusing.sessions.length).toBeLessThanOrEqual(10);
});

test('in a later request the server rests, and its addresses are told when to come back', async () => {
  const world = siteWorld();
  const ip = nextIp();
  const server = world.serve(ip, {
    on: atMail('550 5.7.1 <verify@probe.example.net>: Sender address rejected: Access denied'),
  });
  const names = domainsAt(world, ip, 20);
  await world.probe(names.slice(0, 10).map((name) => `u0@${name}`));
  const before = server.sessions.length;
  const evidence = await world.probe(names.slice(10).map((name) => `u0@${name}`));
  for (const { outcome } of evidence) expect(outcome.kind).toMatch(/^(?:unprobed|mail_from_rejected)$/);
  expect(server.sessions.length - before).toBeLessThanOrEqual(8);
});
