import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MailWorld, nextIp } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, UNKNOWN } from '../../testing/one-domain.ts';
import type { MemoryServer } from '../../testing/memory-server.ts';
import { type ScriptedReply, close, type Script, type SessionRecord, wait } from '../../testing/script.ts';

// Servers that make a client wait are asked in a few parallel sessions; all others in one.

const GONE = '550 5.1.1 no such user here\r\n';
const TAKEN = '250 2.1.5 ok\r\n';
const COURIERS = ['PIPELINING', 'XVERP=Courier'];
/** Every second mailbox of `boxes` exists. */
const lives = (mailbox: string): boolean => /^u\d*[02468]@/.test(mailbox);
const byName = (mailbox: string): string => (lives(mailbox) ? TAKEN : GONE);
const mixed = (count: number) => boxes(count).map((_, u) => (u % 2 === 0 ? ACCEPTED : UNKNOWN));

/** Refuses after a delay that doubles with each refusal of a session. */
function tarpit(firstMs: number, refused = new Map<SessionRecord, number>()): NonNullable<Script['rcpt']> {
  return (mailbox, session) => {
    if (lives(mailbox)) return TAKEN;
    const before = refused.get(session) ?? 0;
    refused.set(session, before + 1);
    return [wait(firstMs * 2 ** before), GONE];
  };
}

/** Counts concurrently open sessions, and gives this answer to EHLO while there are more than `max`. */
function counting(server: () => MemoryServer, max: number, answer: ScriptedReply = [close]) {
  const seen = { most: 0 };
  const on: Script['on'] = (line) => {
    const open = server().sessions.filter(({ closed }) => !closed).length;
    seen.most = Math.max(seen.most, Math.min(open, max));
    return line.startsWith('EHLO') && open > max ? answer : undefined;
  };
  return { seen, on };
}

test.each<[string, Script]>([
  ['like Courier', { offers: COURIERS }],
  ['that demands TLS', { offers: [...COURIERS, 'STARTTLS'] }],
])('fifty addresses at a server %s take a minute, in five sessions with one refusal each', async (_what, script) => {
  const world = new MailWorld();
  const refused = new Map<SessionRecord, number>();
  const { seen, on } = counting(() => server, 5);
  const demands = script.offers?.includes('STARTTLS') === true;
  const server: MemoryServer = world.domain('d.test', {
    ...script,
    rcpt: tarpit(8_000, refused),
    on: (line, session) =>
      demands && !session.secure && line.startsWith('MAIL') ? '530 5.7.0 STARTTLS first\r\n' : on(line, session),
  });
  const begunMs = world.clock.now();
  expect(await world.outcomes(boxes(50))).toEqual(mixed(50));
  expect(world.clock.now() - begunMs).toBeLessThan(60_000);
  expect(seen.most).toBe(5);
  expect(Math.max(...refused.values())).toBe(1);
  expect(world.engine.cooling()).toBe(0);
});

test('an undeclared tarpit gets parallel sessions after its first refusal', async () => {
  const world = new MailWorld();
  const { seen, on } = counting(() => server, 100);
  const server: MemoryServer = world.domain('d.test', { rcpt: tarpit(6_000), on });
  expect(await world.outcomes(boxes(40))).toEqual(mixed(40));
  expect(seen.most).toBe(5);
});

test.each([4_000, 6_000, 8_000])(
  'a list too long for a tarpit of %i ms has its acceptances proven: the made-up mailbox does not wait for the rest',
  async (firstMs) => {
    const world = new MailWorld({}, 20);
    world.domain('d.test', { greeting: '220 mx.test ESMTP Postfix\r\n', rcpt: tarpit(firstMs) });
    const outcomes = await world.outcomes(boxes(200), 60_000);
    const accepted = outcomes.filter(({ kind }) => kind === 'accepted');
    expect(outcomes.some(({ kind }) => kind === 'unprobed')).toBe(true);
    expect(accepted.length).toBeGreaterThan(20);
    expect(accepted).toEqual(accepted.map(() => ACCEPTED));
  },
);

test.each([500, 1_000, 2_000, 3_000, 4_000, 6_000, 10_000])(
  'fifty addresses at a patient tarpit that doubles its delay from %i ms on are answered in time',
  async (firstMs) => {
    for (const offers of [['PIPELINING'], ['8BITMIME']]) {
      const world = new MailWorld({}, 25);
      const greeting = '220 mx.test ESMTP Postfix\r\n';
      const server = world.domain('d.test', { greeting, offers, rcpt: tarpit(firstMs) });
      expect(await world.outcomes(boxes(50), 90_000)).toEqual(mixed(50));
      expect(server.sessions.length).toBeLessThanOrEqual(35);
    }
  },
);

test('a list that would take most of the time in one session is asked in a few, and each keeps its budget', async () => {
  const world = new MailWorld();
  const { seen, on } = counting(() => server, 100);
  const server: MemoryServer = world.domain('d.test', {
    rcpt: (mailbox) => [wait(1_000), lives(mailbox) ? TAKEN : GONE],
    on,
  });
  expect(await world.outcomes(boxes(60))).toEqual(mixed(60));
  expect([2, 3, 4, 5]).toContain(seen.most);
  expect(server.sessions.length).toBeLessThanOrEqual(14);
});

test.each([10, 400])('a server whose replies take %i ms gets one session after another', async (replyMs) => {
  const world = new MailWorld();
  const { seen, on } = counting(() => server, 100);
  const server: MemoryServer = world.domain('d.test', {
    rcpt: (mailbox) => [wait(replyMs), lives(mailbox) ? TAKEN : GONE],
    on,
  });
  expect(await world.outcomes(boxes(40))).toEqual(mixed(40));
  expect(seen.most).toBe(1);
});

test.each([1_000, 2_000, 3_000])(
  'a few addresses at a server that takes %i ms for each get two sessions',
  async (replyMs) => {
    const world = new MailWorld();
    const server = world.domain('d.test', { rcpt: () => [wait(replyMs), GONE] });
    expect(await world.outcomes(boxes(5))).toEqual(boxes(5).map(() => UNKNOWN));
    expect(server.sessions.length).toBe(2);
  },
);

test.each([500, 700])('200 addresses at a server whose replies take %i ms are answered in time', async (replyMs) => {
  const world = new MailWorld();
  const { seen, on } = counting(() => server, 100);
  const server: MemoryServer = world.domain('d.test', {
    offers: [],
    rcpt: (mailbox) => [wait(replyMs), lives(mailbox) ? TAKEN : GONE],
    on,
  });
  expect(await world.outcomes(boxes(200), 90_000)).toEqual(mixed(200));
  expect(seen.most).toBeLessThanOrEqual(5);
});

test('a server that takes two connections a minute gets no session beside another', async () => {
  const world = new MailWorld({}, 20);
  const at: number[] = [];
  const [first, second] = [nextIp(), nextIp()];
  world.mx('d.test', ['a.d.test', 'b.d.test']).host('a.d.test', [first]).host('b.d.test', [second]);
  world.serve(second, { rcpt: byName });
  world.serve(first, {
    rcpt: byName,
    greeting: () => {
      at.push(world.clock.now());
      const lately = at.filter((ms) => ms > world.clock.now() - 60_000);
      return lately.length > 2 ? ['421 4.7.0 too many connections from your host\r\n', close] : '220 mx.test ESMTP\r\n';
    },
  });
  const outcomes = await world.outcomes(boxes(120));
  expect(outcomes).toEqual(mixed(120));
});

test.each<[string, Partial<Script>]>([
  ['greeting', { greeting: [wait(5_000), '220 mx.test ESMTP\r\n'] }],
  ['answer to EHLO', { on: (line) => (line.startsWith('EHLO') ? [wait(5_000), '250 PIPELINING\r\n'] : undefined) }],
])('a server that delays its %s gets as many sessions as another, a few at a time', async (_what, delayed) => {
  for (const count of [6, 200]) {
    const [usual, slow] = [new MailWorld(), new MailWorld()];
    const rcpt: Script['rcpt'] = (mailbox) => (lives(mailbox) ? TAKEN : GONE);
    const quick = usual.domain('d.test', { rcpt });
    const { seen, on } = counting(() => server, 100);
    const server: MemoryServer = slow.domain('d.test', {
      rcpt,
      ...delayed,
      on: (line, session) => delayed.on?.(line, session) ?? on(line, session),
    });
    await usual.outcomes(boxes(count));
    expect(await slow.outcomes(boxes(count), 90_000)).toEqual(mixed(count));
    expect(server.sessions.length - quick.sessions.length).toBeLessThanOrEqual(count / 50);
    expect(seen.most).toBeLessThanOrEqual(5);
  }
});

test.each<[string, number, ScriptedReply]>([
  ['one session, and closes', 1, [close]],
  ['two sessions, and closes', 2, [close]],
  ['one session, and refuses us', 1, '550 5.7.1 go away\r\n'],
  ['three sessions, and says 421', 3, ['421 too many\r\n', close]],
])("a server's limit of %s is no evidence", async (_what, max, answer) => {
  const world = new MailWorld();
  const { on } = counting(() => server, max, answer);
  const server: MemoryServer = world.domain('d.test', { offers: COURIERS, rcpt: tarpit(6_000), on });
  expect(await world.outcomes(boxes(10))).toEqual(mixed(10));
});

test.each<[string, (open: number) => ScriptedReply | undefined]>([
  ['refuses us', (open) => (open > 1 ? '550 5.7.1 not you\r\n' : undefined)],
  ['defers us', (open) => (open > 2 ? '451 4.7.1 rate limited\r\n' : undefined)],
  ['closes', (open) => (open > 2 ? [close] : undefined)],
  ['talks garbage', (open) => (open > 2 ? 'what?\r\n' : undefined)],
])('a server that %s at RCPT during parallel sessions is asked again in one', async (_what, say) => {
  const world = new MailWorld();
  const server: MemoryServer = world.domain('d.test', {
    offers: COURIERS,
    rcpt: (mailbox, session) => {
      const open = server.sessions.filter(({ closed }) => !closed).length;
      return say(open) ?? tarpit(6_000)(mailbox, session);
    },
  });
  expect(await world.outcomes(boxes(10))).toEqual(mixed(10));
});

test('a session beside others ends once it has asked, so that a server of one connection refuses nobody in the first', async () => {
  const world = new MailWorld({}, 20);
  const server: MemoryServer = world.domain('d.test', {
    rcpt: () => {
      const open = server.sessions.filter(({ closed }) => !closed).length;
      return open > 1 ? '550 5.7.1 not you\r\n' : [wait(1_000), GONE];
    },
  });
  expect(await world.outcomes(boxes(20))).toEqual(boxes(20).map(() => UNKNOWN));
});

test('a recipient whose refusal would come too late is not asked about, and is unprobed', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { offers: COURIERS, rcpt: () => [wait(8_000), GONE] });
  const outcomes = await world.outcomes(boxes(30), 30_000);
  const kinds = outcomes.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['no_such_mailbox', 'unprobed']));
  const asked = server.sessions.flatMap(({ lines }) => lines.filter((line) => line.startsWith('RCPT')));
  expect(asked).toHaveLength(kinds.filter((kind) => kind === 'no_such_mailbox').length);
  expect(asked).toHaveLength(15);
});

test.each([
  [1, ['PIPELINING'], 8],
  [1, ['8BITMIME'], 8],
  [2, ['PIPELINING'], 16],
])(
  'thirty domains of %i recipients at a server that takes a second for each get no idle session (%j)',
  async (each, offers, sessionsMax) => {
    const world = new MailWorld({}, 2);
    const ip = nextIp();
    const server = world.serve(ip, { offers, rcpt: () => [wait(1_000), GONE] });
    const domains = Array.from({ length: 30 }, (_, d) => `d${d}.test`);
    for (const name of domains) world.mx(name, [`mx.${name}`]).host(`mx.${name}`, [ip]);
    const outcomes = await world.outcomes(domains.flatMap((name) => boxes(each).map((u) => u.replace('d.test', name))));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['no_such_mailbox']));
    expect(server.sessions.length).toBeLessThanOrEqual(sessionsMax);
    expect(server.sessions.every(({ lines }) => lines.some((line) => line.startsWith('RCPT')))).toBe(true);
  },
);

test('parallel sessions end with their batch, even in the middle of a reply', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    rcpt: (mailbox, { number }) => (lives(mailbox) ? TAKEN : [wait(number === 0 ? 6_000 : 60_000), GONE]),
  });
  const begunMs = world.clock.now();
  await world.outcomes(boxes(30), 30_000);
  expect([world.clock.now() - begunMs, server.sessions.length > 1]).toEqual([30_000, true]);
  expect(server.sessions.every(({ closed }) => closed)).toBe(true);
});

test('no address gets a wrong verdict, however a slow server treats parallel sessions', async () => {
  const punishment = fc.constantFrom<ScriptedReply>(
    [close],
    '421 4.7.0 too many\r\n',
    '550 5.7.1 not you\r\n',
    '451 4.7.1 rate limited\r\n',
    'what?\r\n',
    [wait(40_000)],
  );
  const server = fc.record({
    greetingMs: fc.constantFrom(0, 5_000),
    refusalMs: fc.constantFrom(0, 1_000, 5_500, 8_000, 20_000),
    bears: fc.integer({ min: 1, max: 6 }),
    at: fc.constantFrom('EHLO', 'MAIL', 'RCPT'),
    punishment,
    offers: fc.constantFrom(COURIERS, ['PIPELINING'], ['XVERP=Courier']),
  });
  const mailboxes = fc.array(fc.boolean(), { minLength: 2, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      server,
      mailboxes,
      async ({ greetingMs, refusalMs, bears, at, punishment: said, offers }, living) => {
        const world = new MailWorld();
        const mail: MemoryServer = world.domain('d.test', {
          greeting: [wait(greetingMs), '220 mx.test ESMTP\r\n'],
          offers,
          mailboxes: living.flatMap((isAlive, u) => (isAlive ? [`u${u}@d.test`] : [])),
          on: (line) => {
            const open = mail.sessions.filter(({ closed }) => !closed).length;
            if (line.startsWith(at) && open > bears) return said;
            const isDead = line.startsWith('RCPT') && living[Number(/<u(\d+)@/.exec(line)?.[1] ?? 999)] !== true;
            return isDead ? [wait(refusalMs), GONE] : undefined;
          },
        });
        const outcomes = await world.outcomes(boxes(living.length));
        for (const [u, { kind }] of outcomes.entries())
          expect(kind).not.toBe(living[u] === true ? 'no_such_mailbox' : 'accepted');
        expect(world.bugs).toEqual([]);
        expect(mail.sessions.every(({ closed }) => closed)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});
