import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { UNKNOWN } from '../../testing/one-domain.ts';
import { DEFAULTS } from '../ports/settings.ts';
import { PROVIDER_LIMITS } from '../providers/provider-limits.ts';

// Gateways count unknown recipients per hour. What one account names takes nothing from others.

const IP = '11.88.0.1';

function world(invalidPerHour: number, script = {}): MailWorld {
  const made = new MailWorld({ limits: { ...DEFAULTS.limits, invalidPerHour } });
  for (const name of ['a', 'b', 'c']) made.mx(`${name}.test`, ['mx.shared.test']);
  made.host('mx.shared.test', [IP]).serve(IP, { mailboxes: ['lives@a.test', 'lives@b.test'], ...script });
  return made;
}

const list = (count: number, domain: string, from = 0): string[] =>
  Array.from({ length: count }, (_, i) => `n${from + i}@${domain}`);
const coolingFor = (waitS: number) => ({ kind: 'unprobed', why: 'cooldown', waitS });
const rcptsIn = (made: ReturnType<MailWorld['serve']>): number =>
  made.sessions.flatMap(({ lines }) => lines).filter((line) => line.startsWith('RCPT')).length;

test('500 unknown addresses at a server are all answered, five times in the same hour', async () => {
  const made = new MailWorld({}, 25);
  made.domain('d.test', {});
  for (const from of [0, 500, 1_000, 1_500, 2_000]) {
    const outcomes = await made.outcomes(list(500, 'd.test', from), 88_000);
    expect(outcomes.filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
    await made.clock.advance(60_000);
  }
  const [sixth] = await made.outcomes(['one@d.test']);
  expect(sixth).toMatchObject({ kind: 'unprobed', why: 'cooldown' });
});

test('hosts of an own mail world have no limit, unless they play a listed provider', async () => {
  const google = PROVIDER_LIMITS.find(({ provider }) => provider === 'google');
  if (google === undefined) throw new Error('the table has no such provider');
  const providers = [{ ...google, suffixes: ['listed.test'] }];
  const made = new MailWorld({
    routes: [{ cidr: '10.0.0.0/8', port: 25 }],
    limits: { ...DEFAULTS.limits, invalidPerHour: 20, providers },
  });
  made.mx('own.test', ['mx.own.test']).host('mx.own.test', ['10.0.0.1'], true, true).serve('10.0.0.1', {});
  made.mx('g.test', ['mx.listed.test']).host('mx.listed.test', ['10.0.0.2'], true, true).serve('10.0.0.2', {});
  const known = async (domain: string): Promise<number> =>
    (await made.outcomes(list(30, domain))).filter(({ kind }) => kind === 'no_such_mailbox').length;
  expect([await known('own.test'), await known('g.test')]).toEqual([30, 10]);
});

test('beyond its share an account gets a waiting time until recipients are an hour old', async () => {
  const made = world(40);
  const outcomes = await made.outcomes(list(30, 'a.test'));
  expect(outcomes.slice(0, 20)).toEqual(Array(20).fill(UNKNOWN));
  expect(outcomes.slice(20)).toEqual(Array(10).fill(coolingFor(3_600)));
  await made.clock.advance(3_600_000);
  expect(await made.outcomes(['n20@a.test'])).toEqual([UNKNOWN]);
});

test('an unexplained refusal counts too, and so does the made-up mailbox of each control', async () => {
  let refused = 0;
  const made = world(20, {
    rcpt: (mailbox: string) => {
      if (mailbox === 'lives@a.test') return '250 2.1.5 ok\r\n';
      refused += 1;
      return '550 zzyzx\r\n';
    },
  });
  const outcomes = await made.outcomes(['lives@a.test', ...list(30, 'a.test')]);
  expect(outcomes.filter(({ kind }) => kind === 'no_such_mailbox').length).toBeGreaterThan(3);
  expect(refused).toBeLessThanOrEqual(10);
});

test("one account's flood takes nothing from another's share, over any domains", async () => {
  const made = world(40);
  await Promise.all([made.probe(list(30, 'a.test'), 90_000, 1), made.probe(list(30, 'b.test'), 90_000, 1)]);
  const [mine] = await made.probe(['more@c.test'], 90_000, 1);
  expect(mine?.outcome).toMatchObject(coolingFor(3_600));
  const theirs = await made.probe(list(10, 'c.test'), 90_000, 2);
  expect(theirs.map(({ outcome }) => outcome)).toEqual(Array(10).fill(UNKNOWN));
});

const byName = (mailbox: string): string => {
  if (mailbox.startsWith('lives')) return '250 2.1.5 ok\r\n';
  if (mailbox.startsWith('later')) return '450 4.2.0 greylisted\r\n';
  return mailbox.startsWith('policy') ? '550 5.7.1 not welcome\r\n' : '550 5.1.1 no such user here\r\n';
};

test('existing mailboxes, greylisting and policies do not count; made-up mailboxes do', async () => {
  const made = world(4, { rcpt: byName });
  for (let n = 0; n < 3; n += 1) {
    await made.outcomes(['later@a.test', 'policy@b.test']);
    await made.clock.advance(60_000);
  }
  expect((await made.outcome('lives@a.test')).kind).toBe('accepted');
  expect(await made.outcomes(['n1@b.test'])).toEqual([UNKNOWN]);
  expect((await made.outcome('n2@b.test')).kind).toBe('unprobed');
});

test('domains that share sessions are deferred alike, without connecting for a deferred one', async () => {
  const made = new MailWorld({ limits: { ...DEFAULTS.limits, invalidPerHour: 40 } });
  for (const name of ['a', 'b', 'c']) made.mx(`${name}.test`, ['mx.shared.test']);
  const server = made.host('mx.shared.test', [IP]).serve(IP, { greeting: '220 mx.test ESMTP Postfix\r\n' });
  const all = ['a', 'b', 'c'].flatMap((name) => list(12, `${name}.test`));
  const outcomes = await made.outcomes(all);
  expect(outcomes.filter(({ kind }) => kind === 'no_such_mailbox')).toHaveLength(20);
  expect(outcomes.filter(({ kind }) => kind === 'unprobed')).toHaveLength(16);
  expect(rcptsIn(server)).toBe(20);
  const before = server.sessions.length;
  await made.outcomes(all);
  expect(server.sessions).toHaveLength(before);
});

test("a listed provider's hosts are counted together, apart from others at their addresses", async () => {
  const google = PROVIDER_LIMITS.find(({ provider }) => provider === 'google');
  if (google === undefined) throw new Error('the table has no such provider');
  const providers = [{ ...google, suffixes: ['listed.test'] }];
  const made = new MailWorld({ limits: { ...DEFAULTS.limits, invalidPerHour: 20, providers } });
  const servers = ['11.88.1.1', '11.88.1.2'].map((ip, i) => {
    made.mx(`p${i}.test`, [`mx${i}.listed.test`]).host(`mx${i}.listed.test`, [ip]);
    return made.serve(ip, {});
  });
  made.mx('own.test', ['mx.own.test']).host('mx.own.test', ['11.88.1.1']);
  await made.outcomes(list(12, 'p0.test'));
  await made.outcomes(list(12, 'p1.test'));
  expect(servers.map(rcptsIn)).toEqual([10, 0]);
  expect(await made.outcome('n@own.test')).toEqual(UNKNOWN);
});

test('each egress address has its own limit, and one with some left is used', async () => {
  const egress = [
    { ip: '198.51.100.1', heloName: 'a.example.net' },
    { ip: '198.51.100.2', heloName: 'b.example.net' },
  ] as const;
  const made = new MailWorld({ egress, limits: { ...DEFAULTS.limits, invalidPerHour: 8 } });
  const server = made.domain('d.test', {});
  for (let n = 0; n < 9; n += 1) await made.outcomes([`n${n}@d.test`]);
  expect(rcptsIn(server)).toBe(8);
});
