import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { close, type Script, silence, wait } from '../../testing/script.ts';
import { classify } from '../meaning/classify.ts';

// What a refusal of us is worth to the other domains of its request, and whom its cool-down affects.

const IP = '11.95.0.1';
const OTHER_IP = '11.95.0.2';
const TAKEN = '250 2.1.5 ok\r\n';
const GONE = '550 5.1.1 no such user here\r\n';
const BLOCKED = '550 5.7.1 Your address 192.0.2.1 is blocked\r\n';
const REFUSED: Script = { greeting: '554 5.7.1 Your address 192.0.2.1 is listed\r\n' };
const SERVING: Script = { rcpt: (mailbox) => [wait(100), mailbox.startsWith('u@') ? TAKEN : GONE] };
const at = (verbs: RegExp, answer: string): Script => ({ on: (line) => (verbs.test(line) ? answer : undefined) });

/** Domains d0.test, … at the same hosts, best first. */
function sharing(count: number, scripts: readonly Script[], world = new MailWorld({}, 10, classify)) {
  const ips = [IP, OTHER_IP].slice(0, scripts.length);
  for (let d = 0; d < count; d += 1)
    world.mx(
      `d${d}.test`,
      ips.map((ip) => `mx.${ip}.test`),
    );
  const servers = scripts.map((script, i) => {
    const ip = ips[i] ?? '';
    return world.host(`mx.${ip}.test`, [ip]).serve(ip, script);
  });
  return { world, servers };
}

const list = (count: number): string[] => Array.from({ length: count }, (_, d) => `u@d${d}.test`);
const kindsOf = (outcomes: readonly Outcome[]): string[] => [...new Set(outcomes.map(({ kind }) => kind))];

test.each<[string, Script[], string]>([
  ['greets with 554', [REFUSED], 'no_banner'],
  ['greets with 554 and no words', [{ greeting: '554 mx.test\r\n' }], 'no_banner'],
  ['greets with 550', [{ greeting: '550 5.7.1 poor reputation\r\n' }], 'no_banner'],
  ['refuses EHLO and HELO', [at(/^(EHLO|HELO) /, BLOCKED)], 'ehlo_rejected'],
  ['refuses MAIL', [at(/^MAIL/, BLOCKED)], 'mail_from_rejected'],
  ['greets with 554 like the other', [REFUSED, REFUSED], 'no_banner'],
  ['greets with 554, before a silent one', [REFUSED, { greeting: silence }], 'no_banner'],
  ['greets with 554, behind a silent one', [{ greeting: silence }, REFUSED], 'no_banner'],
  ['greets with 554, before one that defers', [REFUSED, at(/^MAIL/, '451 4.3.0 no\r\n')], 'deferred'],
  ['greets with 554, before one that serves', [REFUSED, SERVING], 'accepted'],
])('a host that %s is evidence for all domains of the request', async (_what, hosts, kind) => {
  const egress = [1, 2].map((n) => ({ ip: `11.0.0.${n}`, heloName: 'probe.example.net' }));
  const [one, two] = egress;
  if (one === undefined || two === undefined) throw new Error('two addresses');
  for (const world of [new MailWorld({}, 10, classify), new MailWorld({ egress: [one, two] }, 10, classify)]) {
    sharing(60, hosts, world);
    expect(kindsOf(await world.outcomes(list(10), 88_000))).toEqual([kind]);
    await world.clock.advance(3_600_000);
    expect(kindsOf(await world.outcomes(list(60), 88_000))).toEqual([kind]);
  }
});

test.each<[string, Script[], number]>([
  ['its only server', [{ greeting: '554 5.7.1 too many connections, slow down\r\n' }], 0],
  ['one of two servers, of which the other refuses us now', [{ greeting: '421 4.3.2 busy\r\n' }, REFUSED], 0],
])(
  'a domain is left open if an earlier request has made %s rest, for what is left of it',
  async (_what, hosts, first) => {
    const { world } = sharing(10, hosts);
    world.mx('other.test', [`mx.${[IP, OTHER_IP][first]}.test`]);
    await world.probe(['u@other.test'], 88_000, 7);
    await world.clock.advance(10_000);
    const left = { kind: 'unprobed', why: 'cooldown', waitS: 20 };
    expect(await world.outcomes(list(10))).toEqual(list(10).map(() => left));
  },
);

test('behind eight idle sessions of its account, a request has a session of its own at once', async () => {
  const { world, servers } = sharing(8, [SERVING]);
  world.warm().mx('own.test', { kind: 'none' }).host('own.test', [IP]);
  await world.probe(list(8));
  expect(servers[0]?.sessions.filter(({ closed }) => !closed)).toHaveLength(8);
  const began = world.clock.now();
  await world.probe(['u@own.test']);
  expect(world.clock.now() - began).toBeLessThan(400);
});

const GOOGLE = 'aspmx.l.google.com';
const ofGoogle = (): string => GOOGLE;
const ownName = (domain: string): string => `mx.${domain}`;
/** Tenants of a listed provider under its name, and under names of their own. */
const mixed = (domain: string): string => (/^b|d0/.test(domain) ? GOOGLE : ownName(domain));

test.each<[string, number, boolean, (domain: string) => string, string]>([
  ['a listed provider', 3, false, ofGoogle, BLOCKED],
  ['a listed provider', 3, false, ofGoogle, '421 4.7.0 Try again later\r\n'],
  ['a listed provider', 3, false, ofGoogle, '450 4.7.1 Your host is sending too fast\r\n'],
  ['a listed provider, also under other names', 3, false, mixed, BLOCKED],
  ['any other address', 1, false, ownName, BLOCKED],
  ['any other address', 2, false, ownName, BLOCKED],
  ['any other address', 3, true, ownName, BLOCKED],
])(
  'at %s, %i accounts rest whose domains complain at RCPT, and everyone: %s',
  async (_where, accounts, forAll, mxOf, line) => {
    const world = new MailWorld({}, 10, classify);
    const names = Array.from({ length: 3 * accounts }, (_, n) => `a${1 + Math.floor(n / 3)}d${n % 3}.test`);
    for (const name of [...names, 'b.test']) world.mx(name, [mxOf(name)]).host(mxOf(name), [IP]);
    const said = line.startsWith('421') ? [line, close] : line;
    world.serve(IP, { rcpt: (mailbox) => (mailbox.endsWith('@b.test') ? GONE : said) });
    for (const name of names) await world.probe([`u@${name}`], 88_000, Number(name[1]));
    const rests = async (address: string, account: number): Promise<boolean> =>
      (await world.probe([address], 88_000, account)).some(({ outcome }) => outcome.kind === 'unprobed');
    expect([await rests('u@a1d0.test', 1), await rests('u@b.test', 9)]).toEqual([true, forAll]);
    if (!forAll) expect(world.engine.cooling()).toBe(0);
  },
);
