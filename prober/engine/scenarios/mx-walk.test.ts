import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { runs } from '../../../schema/testing/fuzz.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED } from '../../testing/one-domain.ts';
import { close, reset, type Script, type ScriptedReply, silence, wait } from '../../testing/script.ts';
import { classify } from '../meaning/classify.ts';
import { DEFAULTS } from '../ports/settings.ts';

// What the silence, absence or refusal of one host of a domain is worth beside what its other hosts say.

const greets = (...greeting: Exclude<ScriptedReply, string | Uint8Array | null>): Script => ({ greeting });
const answers = (verb: string, reply: ScriptedReply): Script => ({
  on: (line) => (line.startsWith(verb) ? reply : undefined),
});
const after = (ms: number): Script => greets(wait(ms), '220 mx.test ESMTP\r\n');

const DENIED: Script = { rcpt: () => '554 5.7.1 Relay access denied\r\n' };
/** What can be at an address. */
const AT: Readonly<Record<string, Script | 'refuse' | 'reset' | 'hang' | 'no_route'>> = {
  lives: {},
  slow: after(12_000),
  slower: after(25_000),
  deny: DENIED,
  denySlow: { ...DENIED, ...after(14_000) },
  greylist: { rcpt: () => '450 4.7.1 greylisted\r\n' },
  silent: { greeting: silence },
  begun: greets('220-mx.test\r\n'),
  noEhlo: answers('EHLO', silence),
  refuse: 'refuse',
  reset: 'reset',
  hang: 'hang',
  no_route: 'no_route',
  421: greets('421 later\r\n'),
  554: greets('554 5.7.1 blocked\r\n'),
  noMail: greets('554 No SMTP service here\r\n'),
  521: greets('521 no\r\n'),
  http: greets('HTTP/1.1 400 Bad Request\r\n'),
  closed: greets(close),
  mail550: answers('MAIL', '550 5.7.1 no\r\n'),
  lost: { rcpt: () => [reset] },
};

/**
 * Domains d0.test, … with MX hosts such as `lives+hang/gone/unknown/private`, the best first; each with what is at its
 * addresses, of which every fourth is an IPv6 one. `unknown` cannot be looked up. `implicit`: the domains' own address.
 */
function worldOf(hosts: string, { implicit = false, domains = 1 } = {}): MailWorld {
  const world = new MailWorld({}, 20, classify);
  const names = Array.from({ length: domains }, (_, d) => `d${d}.test`);
  const specs = hosts.split('/');
  for (const name of names) world.mx(name, implicit ? { kind: 'none' } : specs.map((_, i) => `mx${i}.test`));
  let n = 0;
  for (const [i, spec] of specs.entries()) {
    const ips = /gone|unknown/.test(spec)
      ? []
      : spec.split('+').map((what) => {
          const at = AT[what];
          n += 1;
          const ip = n % 4 === 3 || what === 'no_route' ? `2600::${n}` : `${what === 'private' ? 10 : 11}.96.0.${n}`;
          if (typeof at === 'string') world.unserved(ip, at);
          else if (at !== undefined) world.serve(ip, { mailboxes: names.map((name) => `a@${name}`), ...at });
          return ip;
        });
    for (const host of implicit ? names : [`mx${i}.test`]) world.host(host, ips, spec !== 'unknown');
  }
  return world;
}

const DEAD = { kind: 'no_such_mailbox', reply: { code: 554, enhanced: '5.7.1' } };
const NO_MAIL = { kind: 'no_mail_domain', why: 'implicit_mx_silent' };

const UNHEARD = 'refuse hang reset silent 421 554 noMail closed mail550 lost unknown no_route'.split(' ');
test.each(UNHEARD)('relaying denied is no verdict beside an MX host that was not heard: %s', async (other) => {
  for (const hosts of [`deny/${other}`, `${other}/deny`, `deny/gone/${other}`])
    expect([hosts, await worldOf(hosts).outcome('a@d0.test', 600_000)]).toEqual([
      hosts,
      { ...DEAD, kind: 'unexpected_code' },
    ]);
});

test('relaying denied is no verdict beside MX hosts that rest, or beyond those that are asked', async () => {
  const world = worldOf('deny/421').mx('other.test', ['mx1.test']);
  await world.probe(['a@other.test'], 90_000, 7);
  expect((await world.outcome('a@d0.test')).kind).toBe('unexpected_code');
  const many = worldOf(Array.from({ length: DEFAULTS.reach.hosts + 1 }, () => 'deny').join('/'));
  expect((await many.outcome('a@d0.test')).kind).toBe('unexpected_code');
});

test.each(['deny', 'deny/deny', 'gone/deny', 'deny/private', 'private+private/gone/deny', 'refuse+deny', 'deny+421'])(
  'relaying denied by every host that counts is a verdict: %s',
  async (hosts) => {
    expect(await worldOf(hosts).outcome('a@d0.test')).toEqual(DEAD);
    if (!hosts.includes('/')) expect(await worldOf(hosts, { implicit: true }).outcome('a@d0.test')).toEqual(DEAD);
  },
);

test.each([
  ['two names of one address', ['mx0.test', 'same.test']],
  ['a host published twice, beside a name that is none', ['mx0.test', '192.0.2.1', 'mx0.test', '']],
])('relaying denied by %s is a verdict', async (_what, mx) => {
  expect(await worldOf('deny').mx('d0.test', mx).host('same.test', ['11.96.0.1']).outcome('a@d0.test')).toEqual(DEAD);
});

test.each([
  ['deny/lives', 'accepted'],
  ['deny+lives', 'accepted'],
  ['deny/greylist', 'rcpt_deferred'],
])('relaying denied yields to what another says of the mailbox: %s', async (hosts, kind) => {
  expect((await worldOf(hosts).outcome('a@d0.test')).kind).toBe(kind);
});

const ANY_554 = ['5.7.1 Your address is listed', 'Access denied', 'We do not accept mail from 192.0.2.1', 'mx.test'];
test.each<readonly [string, ScriptedReply]>([
  ['421', '421 4.3.2 too busy\r\n'],
  ['450', '450 4.7.1 later\r\n'],
  ['550', '550 go away\r\n'],
  ...[...ANY_554, 'Mail service is temporarily unavailable'].map((it) => [`554 ${it}`, `554 ${it}\r\n`] as const),
  ['220 after 7 s', [wait(7_000), '220 mx.test ESMTP\r\n']],
  ['220 after 25 s', [wait(25_000), '220 mx.test ESMTP\r\n']],
  ['220- at once and 220 after 6 s', ['220-mx.test ESMTP\r\n', wait(6_000), '220 mx.test ESMTP\r\n']],
  ['220- and nothing more', '220-mx.test ESMTP\r\n'],
  ['nothing', silence],
  ['a close', [close]],
])('an implicit MX that greets with "%s" is a mail host like any other', async (_what, greeting) => {
  const [implicit, published] = [true, false].map((isImplicit) => worldOf('lives', { implicit: isImplicit }));
  for (const world of [implicit, published]) world?.serve('11.96.0.1', { greeting, mailboxes: ['a@d0.test'] });
  expect(await implicit?.outcome('a@d0.test')).toEqual(await published?.outcome('a@d0.test'));
  expect(implicit?.clock.now()).toBe(published?.clock.now());
});

test.each([
  'No SMTP service here',
  'yourhost.test - no mail service.',
  'This host does not accept mail',
  "5.5.0 d.test doesn't receive e-mail here",
  'mail to this host is not accepted',
  'not a mail server',
  'SMTP service not available',
])('an implicit MX that greets with "554 %s" is none, and does not rest', async (words) => {
  const world = worldOf('lives', { implicit: true });
  world.serve('11.96.0.1', { greeting: `554 ${words}\r\n` });
  expect([await world.outcome('a@d0.test'), world.engine.cooling()]).toEqual([NO_MAIL, 0]);
});

test.each([
  ['refuse', NO_MAIL],
  ['hang+hang', NO_MAIL],
  ['refuse+no_route', NO_MAIL],
  ['http+refuse', NO_MAIL],
  ['521+noMail', NO_MAIL],
  ['refuse+lives', ACCEPTED],
  ['refuse+silent', { kind: 'no_banner', refused: false }],
  ['521+421', { kind: 'deferred' }],
])('an implicit MX is none if each of its addresses is: %s', async (host, outcome) => {
  expect(await worldOf(host, { implicit: true }).outcome('a@d0.test')).toMatchObject(outcome);
});

test('an implicit MX that rests at one address and refuses at the other is not known to be none', async () => {
  const world = worldOf('421+refuse', { implicit: true }).mx('other.test', { kind: 'none' });
  await world.host('other.test', ['11.96.0.1']).probe(['a@other.test'], 90_000, 7);
  expect((await world.outcome('a@d0.test')).kind).not.toBe('no_mail_domain');
});

test.each([
  ['silent/silent/silent/lives', 10],
  ['begun/begun/begun/lives', 30],
  ['noEhlo/noEhlo/noEhlo/lives', 88],
  ['hang/hang/hang/lives', 10],
  ['silent/refuse/hang/begun/554/lives', 30],
  ['silent+silent+silent+silent+silent+silent+lives', 88],
  ['slower', 30],
  ['slower/refuse/gone', 88],
  ['slower/silent', 88],
  ['slower/greylist', 88],
  ['slower/slower/slower/slower', 88],
])('a living MX host is reached: %s within %i s', async (hosts, waitS) => {
  expect(await worldOf(hosts).outcome('a@d0.test', waitS * 1_000)).toEqual(ACCEPTED);
});

test.each([
  ['silent', 'no_banner', 30_000],
  ['silent/lives', 'accepted', 12_000],
  ['silent/greylist', 'rcpt_deferred', 42_000],
  ['silent/noEhlo/lives', 'accepted', 22_000],
])(
  'a host that is silent to some domains of a request does not keep its others waiting: %s',
  async (hosts, kind, ms) => {
    const world = worldOf(hosts, { domains: 100 });
    const outcomes = await world.outcomes(Array.from({ length: 100 }, (_, d) => `a@d${d}.test`));
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set([kind]));
    expect(world.clock.now()).toBeLessThan(ms + 1_000);
  },
);

const anyHost = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('gone', 'unknown') },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constantFrom('private', ...Object.keys(AT)), { minLength: 1, maxLength: 2 })
      .map((at) => at.join('+')),
  },
);

/** Whether a mailbox of a domain with these hosts may be called dead. */
function mayBeDead({ kind }: Outcome, specs: readonly string[], implicit: boolean): boolean {
  if (kind === 'no_such_mailbox')
    return specs.every((spec) => /deny|gone/.test(spec) || /^(?:private\+?)+$/.test(spec));
  if (kind === 'mx_hosts_missing' || kind === 'mx_private')
    return specs.every((spec) => /^(?:private\+?)+$|gone/.test(spec));
  if (kind !== 'no_mail_domain') return true;
  return (
    implicit &&
    specs.every((spec) => spec.split('+').every((at) => /refuse|hang|no_route|private|http|521|noMail|gone/.test(at)))
  );
}

test('whatever its hosts do, no mailbox is called dead that may live, and one that answers in time is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyHost, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.constantFrom(4_000, 10_000, 30_000, 88_000),
      fc.integer({ min: 1, max: 3 }),
      async (hosts, implicit, waitMs, domains) => {
        const specs = implicit ? hosts.slice(0, 1) : hosts;
        const world = worldOf(specs.join('/'), { implicit, domains });
        for (const outcome of await world.outcomes(
          Array.from({ length: domains }, (_, d) => `a@d${d}.test`),
          waitMs,
        )) {
          const told = JSON.stringify([outcome, world.clock.now()]);
          expect(mayBeDead(outcome, specs, implicit), told).toBe(true);
          // One of its addresses that refuses or defers us speaks for the whole host: its others are not asked.
          if (waitMs === 88_000 && specs.length < 3 && specs.some((spec) => /^lives(?:\+lives)?$/.test(spec)))
            expect(outcome.kind, told).toBe('accepted');
        }
        expect(world.bugs).toEqual([]);
      },
    ),
    { numRuns: runs(500) },
  );
});
