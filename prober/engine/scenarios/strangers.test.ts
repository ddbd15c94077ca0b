import { expect, test } from 'vitest';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { close, type Script } from '../../testing/script.ts';

// What one customer, one tenant of a cloud or one domain at a gateway can do to others' waiting times: nothing.

const ONE_WAY_MS = 20;

/** Domains `PREFIX0.test`, … with different MX host names, all at one address. */
function tenants(world: MailWorld, prefix: string, count: number, ip: string): readonly string[] {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}.test`);
  for (const name of names) world.mx(name, [`mx.${name}`]).host(`mx.${name}`, [ip]);
  return names;
}

const domainOf = (mailbox: string): string => mailbox.slice(mailbox.indexOf('@') + 1);
/** Every seventh domain has a policy of its own. */
const refuses = (name: string): boolean => Number(/\d+/.exec(name)) % 7 === 0;

const endsBySevenths: Script['rcpt'] = (mailbox) =>
  refuses(domainOf(mailbox)) ? ['421 4.7.0 not now\r\n', close] : '550 5.1.1 no such user\r\n';

/** Counts the concurrently open sessions. */
function counting(script: Script): { readonly script: Script; readonly most: () => number } {
  let open = 0;
  let most = 0;
  const onLine: Script['on'] = (line, session) => {
    if (line.startsWith('EHLO')) most = Math.max(most, (open += 1));
    if (line === 'QUIT') open -= 1;
    return script.on?.(line, session);
  };
  return { script: { ...script, on: onLine }, most: () => most };
}

test.each([
  ['5.7.1', '550 5.7.1 Access denied by this domain\r\n', '220 mx.test ESMTP\r\n'],
  ['5.7.1 (Postfix)', '550 5.7.1 Access denied by this domain\r\n', '220 mx.test ESMTP Postfix\r\n'],
  ['words of a block list', '550 5.7.1 blocked by a list of our own\r\n', '220 mx.test ESMTP\r\n'],
  ['words of a block list (Postfix)', '550 5.7.1 blocked by a list of our own\r\n', '220 mx.test ESMTP Postfix\r\n'],
  ['421 (Postfix)', '421 4.7.0 not now\r\n', '220 mx.test ESMTP Postfix\r\n'],
])(
  '500 addresses in 300 domains at one address are all answered if every seventh refuses with %s',
  async (_what, refusal, greeting) => {
    const world = new MailWorld({}, ONE_WAY_MS);
    const ip = nextIp();
    const names = tenants(world, 't', 300, ip);
    const rcpt = (mailbox: string) => (refuses(domainOf(mailbox)) ? refusal : '550 5.1.1 no such user\r\n');
    world.serve(ip, { greeting, rcpt });
    const addresses = Array.from({ length: 500 }, (_, i) => `u${i}@${names[i % 300]}`);
    const outcomes = await world.outcomes(addresses);
    for (const [i, { kind }] of outcomes.entries())
      expect(kind === 'no_such_mailbox').toBe(!refuses(domainOf(addresses[i] ?? '')));
    expect(outcomes.filter(({ kind }) => kind === 'unprobed')).toEqual([]);
    // A host ends its batch two seconds before the edge does.
    expect(world.clock.now()).toBeLessThan(88_000);
    expect(world.engine.cooling()).toBe(0);
  },
);

// Each 421 ends a session, and each of 43 domains has to say it in a session of its own: at four refusals per session
// that is more than fits into a minute and a half.
test('with 421 from every seventh domain, most are answered, none wrongly, and the rest get a wait', async () => {
  const world = new MailWorld({}, ONE_WAY_MS);
  const ip = nextIp();
  const names = tenants(world, 't', 300, ip);
  world.serve(ip, { rcpt: endsBySevenths });
  const addresses = Array.from({ length: 500 }, (_, i) => `u${i}@${names[i % 300]}`);
  const outcomes = await world.outcomes(addresses);
  const answered = addresses.filter((_, i) => outcomes[i]?.kind !== 'unprobed');
  expect(answered.length).toBeGreaterThan(400);
  for (const [i, { kind }] of outcomes.entries())
    if (kind !== 'unprobed') expect(kind === 'no_such_mailbox').toBe(!refuses(domainOf(addresses[i] ?? '')));
});

test.each([
  'ec2-NR.eu-west-1.compute.amazonaws.com',
  'vps-NR.vps.ovh.net',
  'ip-NR.ip.secureserver.net',
  'NR.tenants.example',
])('three 421s of one tenant at %s do not affect the other tenants', async (cloud) => {
  const world = new MailWorld({}, ONE_WAY_MS);
  const hosts = Array.from({ length: 40 }, (_, i) => cloud.replace('NR', `10${i}`));
  for (const [i, host] of hosts.entries()) {
    const ip = nextIp();
    world.mx(`t${i}.test`, [host]).host(host, [ip]);
    world.serve(ip, i === 0 ? { greeting: '421 too busy\r\n' } : { mailboxes: [`a@t${i}.test`] });
  }
  for (let n = 0; n < 3; n += 1) await world.probe(['a@t0.test'], 3_600_000);
  const before = world.clock.now();
  const outcomes = await world.outcomes(hosts.slice(1).map((_, i) => `a@t${i + 1}.test`));
  expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
  expect(world.clock.now() - before).toBeLessThan(2000);
});

test('three hundred domains of one customer at one address use at most eight connections', async () => {
  const world = new MailWorld({ lanes: 300 }, ONE_WAY_MS);
  const ip = nextIp();
  const names = tenants(world, 't', 300, ip);
  const { script, most } = counting({});
  world.serve(ip, script);
  const parts = [0, 100, 200].map((from) => names.slice(from, from + 100).map((name) => `a@${name}`));
  const outcomes = (await Promise.all(parts.map((part) => world.outcomes(part)))).flat();
  expect(outcomes.filter(({ kind }) => kind !== 'no_such_mailbox')).toEqual([]);
  expect(most()).toBe(8);
});

test("a single address is asked about within a turn of another account's thousand lanes", async () => {
  const world = new MailWorld({ lanes: 1000 }, 500);
  const ip = nextIp();
  const names = tenants(world, 't', 1000, ip);
  tenants(world, 'single', 1, ip);
  world.serve(ip, {});
  const flood = world.engine.probe({
    account: 1,
    recipients: names.map((domain) => ({ local: 'a', domain })),
    signal: new AbortController().signal,
    deadlineMs: 3_600_000,
    report: () => {},
  });
  await world.clock.advance(1000);
  const [outcome] = (await world.probe(['a@single0.test'], 90_000, 2)).map((evidence) => evidence.outcome);
  expect(outcome?.kind).toBe('no_such_mailbox');
  // The flood's first ten serve four domains each, which takes 7 s; then follows the single one, with 4 s of its own.
  expect(world.clock.now()).toBeLessThan(11_500);
  await world.clock.finish(flood);
});

test('a complaint at a second MAIL counts even after the session has judged a mailbox', async () => {
  const world = new MailWorld();
  let mails = 0;
  world.domain('d.test', {
    on: (line) => (line.startsWith('MAIL') && (mails += 1) === 2 ? '421 4.7.0 slow down\r\n' : undefined),
    rcpt: (mailbox) => (mailbox === 'a@d.test' ? '250 ok\r\n' : '452 4.5.3 too many recipients\r\n'),
  });
  await world.probe(['a@d.test'], 20_000);
  expect(world.engine.cooling()).toBe(1);
});

test('a host that resets each connection at once is silent, however soon the reset comes', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['mx.d.test']).host('mx.d.test', ['11.40.0.1']).unserved('11.40.0.1', 'reset');
  expect(await world.outcome('a@d.test')).toEqual({ kind: 'no_banner', refused: false });
});
