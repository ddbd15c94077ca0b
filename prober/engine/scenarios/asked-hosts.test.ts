import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED } from '../../testing/one-domain.ts';
import { silence } from '../../testing/script.ts';

// Which hosts of a domain are asked, at which of their addresses, and in which order.

test('an MX list with private and public hosts is dialled at the public ones only', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['a.test', 'b.test', 'c.test']);
  world.host('a.test', ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '64:ff9b::7f00:1', '2002:7f00:1::']);
  world.host('b.test', ['192.168.0.1', '11.9.9.9', '169.254.169.254']).host('c.test', ['0.0.0.0']);
  world.serve('11.9.9.9', { mailboxes: ['a@d.test'] });
  const [evidence] = await world.probe(['a@d.test']);
  expect(evidence?.outcome).toEqual(ACCEPTED);
  expect(world.dialled.map(({ ip }) => ip)).toEqual(['11.9.9.9']);
});

test('a family without a route is skipped, and is no evidence', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ['2600::1', '11.8.8.8']);
  world.unserved('2600::1', 'no_route');
  world.serve('11.8.8.8', { mailboxes: ['a@d.test'] });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  world.mx('e.test', ['mx.e.test']).host('mx.e.test', ['2600::1']);
  expect(await world.outcome('a@e.test')).toEqual({ kind: 'unprobed', why: 'host', waitS: null });
});

test('an egress address of the other family is not used', async () => {
  const world = new MailWorld({
    egress: [
      { ip: '11.0.0.1', heloName: 'four.example.net' },
      { ip: '2600::9', heloName: 'six.example.net' },
    ],
  });
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ['2600::1']);
  const server = world.serve('2600::1', {});
  await world.outcome('a@d.test');
  expect(server.sessions[0]?.from).toBe('2600::9');
  expect(server.sessions[0]?.lines[0]).toBe('EHLO six.example.net');
});

test('a family that this host lacks is left to other hosts, and hides no result of the other family', async () => {
  const world = new MailWorld({ egress: [{ ip: '11.0.0.1', heloName: 'four.example.net' }] });
  world.mx('six.test', ['mx.six.test']).host('mx.six.test', ['2600::1']).serve('2600::1', {});
  world.mx('both.test', ['mx.both.test']).host('mx.both.test', ['2600::2', '11.8.8.8']).unserved('11.8.8.8', 'refuse');
  expect(await world.outcome('a@six.test')).toEqual({ kind: 'unprobed', why: 'cooldown', waitS: 3_600 });
  expect(await world.outcome('a@both.test')).toMatchObject({ kind: 'connection_error' });
  expect(world.dialled.map(({ ip }) => ip)).not.toContain('2600::1');
});

test('a domain with an MX has no implicit one: its own address is not dialled', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', []).host('d.test', ['11.7.7.7']);
  expect(await world.outcome('a@d.test')).toEqual({ kind: 'mx_hosts_missing' });
  expect(world.dialled).toEqual([]);
});

test('the addresses of one host are tried in turn, IPv4 first', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ['2600::1', '11.6.6.6']);
  world.serve('2600::1', { mailboxes: ['a@d.test'] });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(world.dialled.map(({ ip }) => ip)).toEqual(['11.6.6.6', '2600::1']);
});

test('IPv6 addresses are looked up only if IPv4 gave no verdict', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ['2600::1', '11.6.6.7']);
  world.serve('11.6.6.7', { mailboxes: ['a@d.test'] });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(world.lookedUpV6).toEqual([]);
  world.mx('e.test', ['mx.e.test']).host('mx.e.test', ['2600::2', '10.0.0.1']);
  world.serve('2600::2', { mailboxes: ['a@e.test'] });
  expect(await world.outcome('a@e.test')).toEqual(ACCEPTED);
  expect(world.lookedUpV6).toEqual(['mx.e.test']);
});

test('a host without an IPv4 address is missing only if its IPv6 lookup is certain too', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', [], false);
  expect(await world.outcome('a@d.test')).toEqual({ kind: 'mx_lookup_failed' });
  world.mx('e.test', ['mx.e.test']).host('mx.e.test', ['10.0.0.1'], false);
  expect(await world.outcome('a@e.test')).toEqual({ kind: 'mx_lookup_failed' });
  expect(world.lookedUpV6).toEqual(['mx.d.test', 'mx.e.test']);
});

test('after a 421 the next host is asked at once, even under a neighbouring name', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx1.host.test', 'mx2.host.test']);
  world.host('mx1.host.test', ['11.21.0.1']).host('mx2.host.test', ['11.21.0.2']);
  world.serve('11.21.0.1', { greeting: '421 later\r\n' });
  world.serve('11.21.0.2', { mailboxes: ['a@d.test'] });
  expect(await world.outcome('a@d.test')).toEqual(ACCEPTED);
  expect(world.clock.now()).toBe(0);
  expect(world.engine.cooling()).toBe(1);
});

test('a complaint before any recipient starts a cool-down, and its evidence counts', async () => {
  const world = new MailWorld();
  world.domain('d.test', { on: (line) => (line.startsWith('MAIL') ? '550 5.7.1 we do not want you\r\n' : undefined) });
  expect((await world.outcome('a@d.test', 20_000)).kind).toBe('mail_from_rejected');
  expect(world.engine.cooling()).toBe(1);
  expect(await world.outcome('b@d.test', 20_000)).toEqual({ kind: 'unprobed', why: 'cooldown', waitS: 30 });
});

test('hosts are tried once, by preference, and equal ones in random order', async () => {
  const orders = new Set<string>();
  for (const chance of [0, 0.4, 0.999]) {
    const world = new MailWorld();
    world.random = () => chance;
    const records = ['b', 'a', 'c', 'z', 'b'].map((name) => ({
      exchange: `${name}.test`,
      preference: name === 'z' ? 5 : 10,
    }));
    world.mx('d.test', { kind: 'found', records });
    const [evidence] = await world.probe(['a@d.test']);
    expect(evidence?.mx).toEqual(['z.test', 'b.test', 'a.test', 'c.test']);
    expect(world.lookedUp[1]).toBe('z.test');
    orders.add(world.lookedUp.slice(2).join(' '));
  }
  expect(orders.size).toBeGreaterThan(1);
});

test('a provider that accepts everyone gets no made-up mailbox, and no result waits for one', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mta5.am0.yahoodns.net']).host('mta5.am0.yahoodns.net', ['11.23.1.1']);
  const server = world.serve('11.23.1.1', {
    rcpt: (mailbox) => (mailbox === 'b@d.test' ? '550 no such\r\n' : '250 ok\r\n'),
  });
  expect(await world.outcomes(['a@d.test', 'b@d.test', 'c@d.test'])).toMatchObject([
    { kind: 'accepted', madeUp: { kind: 'provider_accepts_all' } },
    { kind: 'no_such_mailbox' },
    { kind: 'accepted', madeUp: { kind: 'provider_accepts_all' } },
  ]);
  expect(server.sessions.map(({ lines }) => lines.filter((line) => line.startsWith('RCPT')).length)).toEqual([3]);
});

test.each([
  ['refuses EHLO', '550 go away\r\n', /^(?:EHLO|HELO)/, ['11.24.0.1', '11.24.0.3']],
  ['refuses MAIL', '550 go away\r\n', /^MAIL/, ['11.24.0.1', '11.24.0.3']],
  ['hangs at MAIL', silence, /^MAIL/, ['11.24.0.1', '11.24.0.2', '11.24.0.3']],
])('whether a host that %s is asked at its other address', async (_what, answer, verb, ips) => {
  const world = new MailWorld();
  world.random = () => 0.999;
  world.mx('d.test', ['mx1.one.test', 'mx2.two.test']);
  world.host('mx1.one.test', ['11.24.0.1', '11.24.0.2']).host('mx2.two.test', ['11.24.0.3']);
  for (const ip of ['11.24.0.1', '11.24.0.2', '11.24.0.3'])
    world.serve(ip, { offers: [], on: (line) => (verb.test(line) ? answer : undefined) });
  await world.outcome('a@d.test', 3_600_000);
  expect(world.dialled.map(({ ip }) => ip)).toEqual(ips);
});

test('a host without a route decides nothing if the deadline cut off the next one', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx1.one.test', 'mx2.two.test']);
  world.host('mx1.one.test', ['2600::1']).host('mx2.two.test', ['11.26.0.1']);
  world.unserved('2600::1', 'no_route').serve('11.26.0.1', { greeting: silence });
  expect(await world.outcome('a@d.test', 5000)).toEqual({ kind: 'unprobed', why: 'deadline', waitS: null });
});

test('a host offers SMTPUTF8 if any of its addresses does', async () => {
  const world = new MailWorld();
  world.random = () => 0.999;
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ['11.27.0.1', '11.27.0.2']);
  world.serve('11.27.0.1', { offers: ['SMTPUTF8'], on: (line) => (line.startsWith('MAIL') ? silence : undefined) });
  world.serve('11.27.0.2', {});
  expect(await world.outcome('ä@d.test')).toEqual({ kind: 'timeout', greeted: true });
  expect(world.dialled.map(({ ip }) => ip)).toEqual(['11.27.0.1', '11.27.0.2']);
});

test('a session without a verdict does not shorten a cool-down', async () => {
  const world = new MailWorld();
  const ehlo = ['421 busy\r\n', undefined, '421 busy\r\n'];
  world.domain('d.test', {
    on: (line, { number }) => {
      if (line.startsWith('EHLO')) return ehlo[number];
      return line.startsWith('MAIL') ? '550 no\r\n' : undefined;
    },
  });
  for (const kind of ['deferred', 'mail_from_rejected', 'deferred']) {
    expect((await world.outcome('a@d.test')).kind).toBe(kind);
    if (kind === 'deferred' && world.clock.now() === 0) await world.clock.advance(30_000);
  }
  expect(await world.outcome('a@d.test', 1000)).toEqual({ kind: 'unprobed', why: 'cooldown', waitS: 60 });
});
