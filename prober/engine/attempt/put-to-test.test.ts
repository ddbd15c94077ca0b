import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { boxes, seeded } from '../../testing/one-domain.ts';
import type { Script, SessionRecord } from '../../testing/script.ts';
import { classifyFor } from '../meaning/classify.ts';
import { runs } from '../../../schema/testing/fuzz.ts';

// Unexplained refusals are tested: a mailbox is called dead only if the server distinguishes mailboxes.

const NO = '550 zzyzx\r\n';
const YES = '250 2.1.5 ok\r\n';
const ONE_WAY_MS = 25;
const DEAD = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: null }, basis: 'controls' };
const PUZZLING = { kind: 'unexpected_code', reply: { code: 550, enhanced: null } };

const rcpts = ({ lines }: SessionRecord): string[] => lines.filter((line) => line.startsWith('RCPT'));
const inTransaction = ({ lines }: SessionRecord): number =>
  lines.slice(lines.findLastIndex((line) => line.startsWith('MAIL'))).filter((line) => line.startsWith('RCPT')).length;

type Server = (mailbox: string, session: SessionRecord) => string;

async function probe(addresses: readonly string[], rcpt: Server, script: Script = {}) {
  const world = new MailWorld({}, ONE_WAY_MS);
  const server = world.domain('d.test', { rcpt, ...script });
  const outcomes = await world.outcomes(addresses);
  expect(world.bugs).toEqual([]);
  return { outcomes, sessions: server.sessions };
}

const dead = (outcomes: readonly Outcome[]): number => outcomes.filter(({ kind }) => kind === 'no_such_mailbox').length;

/** A server that knows these, and refuses all others with a text of its own. */
const knows =
  (known: readonly string[], says = (_mailbox: string): string => NO): Server =>
  (mailbox) =>
    known.includes(mailbox) ? YES : says(mailbox);

test.each<[string, readonly string[], readonly string[]]>([
  ['after an existing one', ['u0@d.test', 'u1@d.test'], ['u0@d.test']],
  ['before an existing one', ['u1@d.test', 'u0@d.test'], ['u0@d.test']],
  ['between two existing ones', ['u0@d.test', 'u2@d.test', 'u1@d.test'], ['u0@d.test', 'u1@d.test']],
  ['together with another one', ['u0@d.test', 'u2@d.test', 'u3@d.test'], ['u0@d.test']],
])('a missing mailbox is found by a test %s', async (_where, asked, known) => {
  for (const offers of [['PIPELINING'], []]) {
    const { outcomes } = await probe(asked, knows(known), { offers });
    for (const [i, address] of asked.entries()) {
      const accepted = { kind: 'accepted', madeUp: { kind: 'refused' } };
      expect(outcomes[i]).toMatchObject(known.includes(address) ? accepted : DEAD);
    }
  }
});

test('a missing mailbox is found by a test of a later transaction, where the server takes two recipients in each', async () => {
  const known = ['u0@d.test', 'u2@d.test', 'u4@d.test'];
  const taken = (session: SessionRecord): boolean =>
    session.lines
      .slice(
        session.lines.findLastIndex((line) => line.startsWith('MAIL')),
        -1,
      )
      .filter((line) => known.some((mailbox) => line.includes(mailbox))).length > 1;
  for (const offers of [['PIPELINING'], []]) {
    const { outcomes } = await probe(
      boxes(6),
      (mailbox, session) => (taken(session) ? '452 4.5.3 too many recipients\r\n' : knows(known)(mailbox, session)),
      { offers },
    );
    expect([dead(outcomes), outcomes.filter(({ kind }) => kind === 'accepted').length]).toEqual([3, 3]);
  }
});

test('parts that vary with the recipient make no difference: addresses, times, queue ids', async () => {
  let nth = 0;
  const says = (mailbox: string): string => {
    nth += 1;
    return `550 zzyzx ${mailbox.toUpperCase()} (${mailbox.split('@')[0]}) 22:41:0${nth} 4Xb2Qk1zzz${nth} ${48_151 + nth}\r\n`;
  };
  const { outcomes } = await probe(boxes(2), knows(['u0@d.test'], says));
  expect(outcomes[1]).toEqual(DEAD);
});

test.each<[string, (mailbox: string) => string]>([
  ['has other words', (mailbox) => `550 zzyzx ${mailbox.startsWith('u') ? 'for one' : 'for all'}\r\n`],
  ['has another short number', (mailbox) => `550 zzyzx QX_${mailbox.startsWith('u') ? 416 : 102}\r\n`],
  ['has another code', (mailbox) => `${mailbox.startsWith('u') ? 550 : 554} zzyzx\r\n`],
  ['has another enhanced code', (mailbox) => `550 5.0.${mailbox.startsWith('u') ? 0 : 1} zzyzx\r\n`],
  ['is understood', (mailbox) => (mailbox.startsWith('u') ? NO : '550 5.1.1 no such user\r\n')],
  ['puts off', (mailbox) => (mailbox.startsWith('u') ? NO : '450 4.2.0 greylisted\r\n')],
  ['accepts', (mailbox) => (mailbox.startsWith('u') ? NO : YES)],
  ['has a text for each', (mailbox) => `550 zzyzx ${'x'.repeat(mailbox.length)}\r\n`],
])('no mailbox is called dead if the reply to a made-up mailbox %s', async (_what, says) => {
  const { outcomes } = await probe(boxes(3), knows(['u0@d.test', 'u2@d.test'], says));
  expect(dead(outcomes)).toBe(0);
});

test.each([
  ['us', '550 zzyzx your host\r\n'],
  ['rate', '550 zzyzx rate limit\r\n'],
  ['greylisting', '550 zzyzx greylisting\r\n'],
  ['a time', '550 zzyzx later\r\n'],
  ['a block list', '550 zzyzx see https://www.spamhaus.org/q\r\n'],
  ['by its code, us', '550 5.7.1 zzyzx\r\n'],
  ['more than is read', `550 zzyzx ${'x '.repeat(1_500)}\r\n`],
])('a reply that mentions %s is not tested', async (_what, says) => {
  const { outcomes, sessions } = await probe(
    boxes(2),
    knows(['u0@d.test'], () => says),
  );
  expect(dead(outcomes)).toBe(0);
  expect(sessions.flatMap(rcpts).filter((line) => line.includes('<u0@'))).toHaveLength(1);
});

const someLive = (mailbox: string): boolean => /^u(?:\d*[0369]|1|2)@/.test(mailbox);

test.each([
  '550 Cannot receive for specified address',
  '550 5.0.0 Cannot deliver to this one',
  '554 Mail refused',
  '550 5.1.0 Not accepted here',
  '500 Error: (KeyError)',
])('after a test, like refusals in later sessions are none of the client (%s)', async (says) => {
  const world = new MailWorld({}, ONE_WAY_MS, classifyFor('verify@probe.example.net'));
  world.domain('d.test', { rcpt: (mailbox) => (someLive(mailbox) ? YES : `${says}\r\n`) });
  const outcomes = await world.outcomes(boxes(60), 600_000);
  for (const [i, { kind }] of outcomes.entries())
    expect([i, kind]).toEqual([i, someLive(`u${i}@`) ? 'accepted' : 'no_such_mailbox']);
  expect(world.bugs).toEqual([]);
});

test('refusing an accepted recipient like the others shows that the refusals are about us', async () => {
  const { outcomes } = await probe(boxes(5), (_, session) => (rcpts(session).length > 3 ? NO : YES));
  expect(outcomes.slice(3).map(({ kind }) => kind)).toEqual(['policy_rejected', 'policy_rejected']);
});

test('a code alone is overruled by the controls', async () => {
  const says = '550 5.1.1 zzyzx\r\n';
  const { outcomes } = await probe(boxes(5), (_, session) => (rcpts(session).length > 3 ? says : YES));
  expect(dead(outcomes)).toBe(0);
  const one = await probe(
    ['u1@d.test'],
    knows([], () => says),
  );
  expect(one.outcomes).toMatchObject([{ kind: 'unexpected_code' }]);
});

test('a single address of a domain stays unknown, and no control is asked about', async () => {
  const { outcomes, sessions } = await probe(['u1@d.test'], knows([]));
  expect(outcomes).toEqual([PUZZLING]);
  expect(sessions.flatMap(rcpts)).toHaveLength(1);
});

test.each([
  ['zzyzx', false],
  ['5.1.0 zzyzx', true],
  ['<u1@d.test> zzyzx', true],
])('postmaster shows that "%s" is not about us: %s', async (words, shows) => {
  const says = (mailbox: string): string => `550 ${words.replace('u1@d.test', mailbox)}\r\n`;
  const { outcomes } = await probe(['postmaster@d.test', 'u1@d.test'], knows(['postmaster@d.test'], says));
  expect(dead(outcomes)).toBe(shows ? 1 : 0);
});

test('a later test that contradicts withdraws the results of earlier ones', async () => {
  const known = ['u0@d.test'];
  const asked = boxes(8);
  let second = 0;
  const { outcomes, sessions } = await probe(asked, (mailbox, session) => {
    if (session.number > 0 && mailbox === 'u0@d.test') second += 1;
    return known.includes(mailbox) && session.number === 0 ? YES : NO;
  });
  expect(sessions.length).toBeGreaterThan(1);
  expect(second).toBeGreaterThan(0);
  expect(dead(outcomes)).toBe(0);
});

test.each([
  [['PIPELINING'], 1],
  [[], 4],
])('with offers %j a test takes two RCPTs and %i round trips', async (offers, trips) => {
  const { sessions } = await probe(boxes(2), knows(['u0@d.test']), { offers });
  expect(sessions).toHaveLength(1);
  const writes = sessions[0]?.writes.filter((write) => !write.startsWith('QUIT')) ?? [];
  const asked = writes.slice(writes.findIndex((write) => write.includes('RSET')));
  expect(asked).toHaveLength(trips);
  expect(asked.join('').match(/^RCPT TO:<(?:[a-z]{18}|u0)@d\.test>/gm)).toHaveLength(2);
});

test('the made-up mailbox of each test counts towards the four refusals of a session', async () => {
  const { outcomes, sessions } = await probe(boxes(9), knows(['u0@d.test']), { greeting: '220 mx.test ESMTP\r\n' });
  const refused = sessions.map((session) => rcpts(session).filter((line) => !line.includes('<u0@')).length);
  expect(Math.max(...refused)).toBeLessThanOrEqual(4);
  expect(dead(outcomes)).toBe(8);
});

test.each([0.1, 0.3, 0.6])(
  'tests on 100 addresses at 20 domains, %s of them dead, cost a tenth more RCPTs and no sessions',
  async (share) => {
    const spent = async (says: string) => {
      const world = new MailWorld({}, ONE_WAY_MS);
      const random = seeded(3);
      const lives = new Set<string>();
      const addresses = Array.from({ length: 100 }, (_, i) => `u${i}@d${i % 20}.test`);
      for (const address of addresses) if (random() >= share) lives.add(address);
      const servers = Array.from({ length: 20 }, (_, d) =>
        world.domain(`d${d}.test`, { rcpt: (mailbox) => (lives.has(mailbox) ? YES : says) }),
      );
      const outcomes = await world.outcomes(addresses);
      const sessions = servers.flatMap((server) => server.sessions);
      return {
        dead: dead(outcomes),
        rcpts: sessions.flatMap(rcpts).length,
        writes: sessions.flatMap(({ writes }) => writes).length,
        sessions: sessions.length,
      };
    };
    // The same text with a phrase about us is not tested.
    const [untested, tested] = [await spent('550 zzyzx your host\r\n'), await spent(NO)];
    expect(tested.dead).toBeGreaterThan(0);
    expect(tested.rcpts).toBeLessThanOrEqual(1.12 * untested.rcpts);
    expect(tested.writes).toBeLessThan(untested.writes);
    expect(tested.sessions).toBeLessThan(untested.sessions);
  },
);

/** The rules of a server that knows no mailbox: those it refuses may well exist. */
const otherRules = fc.oneof(
  fc.record({
    by: fc.constant('count' as const),
    of: fc.constantFrom('transaction', 'session', 'server'),
    n: fc.nat(12),
  }),
  fc.record({
    by: fc.constant('every nth' as const),
    of: fc.constantFrom('session', 'server'),
    n: fc.integer({ min: 2, max: 9 }),
    from: fc.nat(8),
  }),
  fc.record({ by: fc.constant('new ones' as const), n: fc.nat(6) }),
  fc.record({
    by: fc.constant('time' as const),
    onMs: fc.integer({ min: 1, max: 400 }),
    offMs: fc.integer({ min: 1, max: 400 }),
  }),
  fc.record({ by: fc.constant('client' as const), exempt: fc.constantFrom('postmaster@d.test', 'abuse@d.test', '') }),
  fc.record({ by: fc.constant('own text' as const), n: fc.integer({ min: 2, max: 9 }) }),
);
type OtherRule = typeof otherRules extends fc.Arbitrary<infer T> ? T : never;

function serverOf(rule: OtherRule, world: MailWorld): Server {
  let all = 0;
  const taken = new Map<SessionRecord, Set<string>>();
  const isRefused = (mailbox: string, session: SessionRecord): boolean => {
    const counts = { transaction: inTransaction(session), session: rcpts(session).length, server: all };
    switch (rule.by) {
      case 'count':
        return counts[rule.of] > rule.n;
      case 'every nth':
        return (counts[rule.of] + rule.from) % rule.n === 0;
      case 'new ones': {
        const known = taken.get(session) ?? new Set();
        if (counts.transaction === 1) known.clear();
        taken.set(session, known);
        if (known.has(mailbox)) return false;
        if (known.size < rule.n) known.add(mailbox);
        return !known.has(mailbox);
      }
      case 'time':
        return world.clock.now() % (rule.onMs + rule.offMs) < rule.onMs;
      case 'client':
        return mailbox !== rule.exempt;
      case 'own text':
        return all % rule.n === 0;
    }
  };
  return (mailbox, session) => {
    all += 1;
    const text = rule.by === 'own text' ? `550 zzyzx ${'abcdefghijklmnopqrstuvwxyz'.slice(0, all % 26)}\r\n` : NO;
    return isRefused(mailbox, session) ? text : YES;
  };
}

test('a server that decides by count, time, client or chance has no mailbox called dead', async () => {
  await fc.assert(
    fc.asyncProperty(otherRules, fc.integer({ min: 1, max: 24 }), fc.boolean(), async (rule, count, postmaster) => {
      const world = new MailWorld({}, ONE_WAY_MS);
      world.domain('d.test', { rcpt: serverOf(rule, world) });
      const outcomes = await world.outcomes([...boxes(count), ...(postmaster ? ['postmaster@d.test'] : [])]);
      expect(dead(outcomes)).toBe(0);
      expect(world.bugs).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
}, 60_000);

test('a server that knows mailboxes has no existing one called dead, and most missing ones found', async () => {
  let [found, all] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 24 }), async (lives) => {
      const addresses = boxes(lives.length);
      const { outcomes } = await probe(addresses, knows(addresses.filter((_, i) => lives[i])));
      for (const [i, { kind }] of outcomes.entries()) {
        if (lives[i]) expect(kind).toBe('accepted');
        else if (lives.includes(true)) all += 1;
        if (kind === 'no_such_mailbox') found += 1;
      }
    }),
    { numRuns: runs(60), seed: 7 },
  );
  expect(found / all).toBeGreaterThan(0.8);
}, 60_000);

test.each([
  [2, 0.11],
  [5, 0.1],
  [20, 0.02],
])(
  'of %i existing mailboxes, a server that refuses by chance has few called dead',
  async (count, share) => {
    let [wrong, all] = [0, 0];
    for (let run = 0; run < 60; run += 1) {
      const random = seeded(run);
      const { outcomes } = await probe(boxes(count), () => (random() < 0.5 ? NO : YES));
      wrong += dead(outcomes);
      all += count;
    }
    expect(wrong / all).toBeLessThan(share);
  },
  60_000,
);
