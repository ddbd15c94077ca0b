import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../schema/testing/fuzz.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, UNKNOWN } from '../../testing/one-domain.ts';
import { byteByByte, close, type Script, type ScriptedReply, type SessionRecord, wait } from '../../testing/script.ts';

// Servers whose replies to a group of commands cannot be matched to them: they are asked again, one command at a time.

const TAKEN = '250 2.1.5 ok\r\n';
const GONE = '550 5.1.1 no such user here\r\n';

const rcpts = ({ lines }: SessionRecord): number => lines.filter((line) => line.startsWith('RCPT')).length;
/** Every second one of `boxes`. */
const lives = (mailbox: string): boolean => /^u\d*[02468]@/.test(mailbox);
const exists = (mailbox: string): string => (lives(mailbox) ? TAKEN : GONE);

async function probe(script: Script, addresses: readonly string[], deadlineMs?: number, oneWayMs = 25) {
  const world = new MailWorld({}, oneWayMs);
  const server = world.domain('d.test', script);
  const outcomes = await world.outcomes(addresses, deadlineMs);
  expect(world.bugs).toEqual([]);
  return { outcomes, sessions: server.sessions, ms: world.clock.now() };
}

/** Whether each recipient was found living or dead as `lives` says. */
const asExpected = (addresses: readonly string[]) =>
  addresses.map((one) =>
    lives(one) ? { kind: 'accepted', madeUp: { kind: 'refused' } } : { kind: 'no_such_mailbox' },
  );

/** The verbs and recipients that were sent after EHLO were never in one write. */
function isOneByOne({ writes }: SessionRecord): boolean {
  return writes.every((write) => write.split('\r\n').length === 2);
}

/** How servers name the mailbox that an address leads to; `of` is the address asked about, `first` the first one. */
const NAMINGS: readonly (readonly [string, (of: string, before: string) => string])[] = [
  ['an alias of it that was asked about too', () => '<u0@d.test>... Recipient ok'],
  ['the recipient before', (_of, before) => `<${before}> ok`],
  ['the recipient before, without brackets', (_of, before) => `recipient ${before} ok`],
  ['the recipient before, in capitals', (_of, before) => `${before.toUpperCase()}... Recipient ok`],
  ['both', (of, before) => `<${of}> ok, like <${before}>`],
  ['a mailbox of another domain', (of) => `<${of.replace('d.test', 'other.test')}> ok`],
  ['its own address in capitals', (of) => `<${of.toUpperCase()}> ok`],
  ['a longer address', (of) => `<x${of}> ok`],
  ['nobody', () => ''],
];

test.each(NAMINGS)('an acceptance that names %s is of the recipient that was asked about', async (_what, name) => {
  for (const offers of [['PIPELINING'], []]) {
    const addresses = boxes(30);
    const rcpt = (mailbox: string, { lines }: SessionRecord): string => {
      const before = /<(.*)>/.exec(lines.filter((line) => line.startsWith('RCPT')).at(-2) ?? '')?.[1] ?? mailbox;
      return lives(mailbox) ? `250 2.1.5 ${name(mailbox, before)}\r\n` : GONE;
    };
    const { outcomes, sessions } = await probe({ offers, rcpt }, addresses);
    expect(outcomes).toMatchObject(asExpected(addresses));
    // At most one void group: no more than four recipients are asked about again.
    const asked = sessions.reduce((sum, session) => sum + rcpts(session), 0);
    expect(asked).toBeLessThanOrEqual(addresses.length + 4 + 2);
  }
});

test('a domain whose mailboxes all lead to one is a catch-all, whomever its server names', async () => {
  const { outcomes } = await probe({ rcpt: () => '250 2.1.5 <u0@d.test>... Recipient ok\r\n' }, boxes(60));
  expect(outcomes).toMatchObject(boxes(60).map(() => ({ kind: 'accepted', madeUp: { kind: 'accepted' } })));
});

const named = (mailbox: string): string => `550 5.1.1 <${mailbox}>: no such mailbox\r\n`;

/** Refuses in two ways, and keeps nothing. */
const inTwoWays = (mailbox: string): string =>
  lives(mailbox) ? TAKEN : mailbox.length % 2 === 0 ? GONE : named(mailbox);

/** Haraka's `delay_deny`: each refusal of a transaction waits for the next recipient that would be accepted. */
function handsOn(_mailbox: string, { lines }: SessionRecord): string {
  let kept = 0;
  let reply = '';
  for (const line of lines.slice(lines.findLastIndex((one) => one.startsWith('MAIL')) + 1)) {
    const mailbox = /<(.*)>/.exec(line)?.[1] ?? '';
    reply = lives(mailbox) ? (kept > 0 ? GONE : TAKEN) : named(mailbox);
    kept = Math.max(0, kept + (lives(mailbox) ? -1 : 1));
  }
  return reply;
}

test.each([
  ['are kept for the next one', handsOn],
  ['come in two ways', inTwoWays],
])('refusals that name their recipient or nobody are asked for again: they %s', async (_how, rcpt) => {
  const order = fc.array(fc.nat(25), { minLength: 2, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(order, fc.boolean(), async (numbers, pipelining) => {
      const addresses = [...new Set(numbers)].map((number) => `u${number}@d.test`);
      const { outcomes, sessions } = await probe(
        { offers: pipelining ? ['PIPELINING'] : [], rcpt },
        addresses,
        600_000,
      );
      expect(outcomes).toMatchObject(asExpected(addresses));
      const asked = sessions.reduce((sum, session) => sum + rcpts(session), 0);
      expect(asked).toBeLessThanOrEqual(2 * addresses.length + 2);
    }),
    { numRuns: runs(200) },
  );
});

test('a refusal that names another recipient is of the one that was asked about', async () => {
  const addresses = boxes(12);
  const { outcomes, sessions } = await probe(
    {
      rcpt: (mailbox) => (lives(mailbox) ? TAKEN : '550 5.1.1 no such user, it was merged with u0@d.test\r\n'),
    },
    addresses,
  );
  expect(outcomes).toMatchObject(asExpected(addresses));
  expect(sessions.slice(1).every(isOneByOne)).toBe(true);
});

/** Reads one command of each packet, and drops the rest. */
const onePerPacket: Script = {
  rcpt: exists,
  on: (line, { writes }) => (writes.at(-1)?.startsWith(line) === true ? undefined : null),
};

test.each([
  ['one', ['u0@d.test'], 90_000],
  ['one that does not exist', ['u1@d.test'], 90_000],
  ['many', boxes(20), 90_000],
  ['one, with little time,', ['u0@d.test'], 20_000],
])('behind a firewall that reads one command a packet, %s is answered in a second session', async (_n, list, ms) => {
  const { outcomes, sessions } = await probe(onePerPacket, list, ms);
  expect(outcomes).toMatchObject(asExpected(list));
  expect(sessions.slice(1).every(isOneByOne)).toBe(true);
});

test('a server that stops pipelining after STARTTLS is asked one command at a time', async () => {
  const { outcomes } = await probe(
    {
      offers: ['PIPELINING', 'STARTTLS'],
      rcpt: exists,
      on: (line, session) => {
        if (!session.secure && line.startsWith('MAIL')) return '530 5.7.0 Must issue a STARTTLS command first\r\n';
        return session.secure ? onePerPacket.on?.(line, session) : undefined;
      },
    },
    boxes(4),
  );
  expect(outcomes).toMatchObject(asExpected(boxes(4)));
});

test('a server that hangs at a group, and then at a single command, has no third session', async () => {
  const { outcomes, sessions, ms } = await probe({ rcpt: () => null }, boxes(50), 600_000);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['timeout']));
  expect([sessions.length, ms <= 61_000]).toEqual([2, true]);
});

/** Takes 20 s for each reply. */
const slow = (rcpt: (mailbox: string) => string): Script => ({
  greeting: [wait(20_000), '220 mx.test ESMTP\r\n'],
  on: (line) => {
    if (line.startsWith('EHLO')) return [wait(20_000), '250-mx.test\r\n250 PIPELINING\r\n'];
    if (line.startsWith('RCPT')) return [wait(20_000), rcpt(/<(.*)>/.exec(line)?.[1] ?? '')];
    return [wait(20_000), '250 2.1.0 ok\r\n'];
  },
});

test('at the deadline, an acceptance in an unfinished group stands, and a refusal does not', async () => {
  const late = { kind: 'timeout', greeted: true };
  const unsure = { ...ACCEPTED, madeUp: { kind: 'not_learnt', why: 'timeout', deferral: null } };
  expect((await probe(slow(exists), ['u0@d.test', 'u2@d.test'])).outcomes).toEqual([unsure, late]);
  expect((await probe(slow(exists), ['u1@d.test', 'u2@d.test'])).outcomes).toEqual([late, late]);
  expect((await probe(slow(exists), ['u0@d.test'])).outcomes).toEqual([unsure]);
  expect((await probe(slow(exists), ['u1@d.test'])).outcomes).toEqual([UNKNOWN]);
});

test('what a server said before 421 or a close in the middle of a group stands', async () => {
  for (const end of [['421 4.3.2 going down\r\n', close], [close]])
    for (const at of [1, 2, 3]) {
      const addresses = boxes(6);
      const { outcomes, sessions } = await probe(
        {
          rcpt: (mailbox, session) => (session.number === 0 && rcpts(session) > at ? end : exists(mailbox)),
        },
        addresses,
      );
      expect(outcomes).toMatchObject(asExpected(addresses));
      const again = sessions.slice(1).flatMap(({ lines }) => lines.filter((line) => line.startsWith('RCPT')));
      for (const address of addresses.slice(0, at)) expect(again).not.toContain(`RCPT TO:<${address}>`);
    }
});

test('a server that uses 2.1.5 at MAIL, and says 421 at the third error of a session, answers for all', async () => {
  for (const offers of [['PIPELINING'], []]) {
    const errors = new Map<number, number>();
    const addresses = boxes(20);
    const { outcomes } = await probe(
      {
        offers,
        on: (line) => (line.startsWith('MAIL') ? '250 2.1.5 You feel like you are being watched\r\n' : undefined),
        rcpt: (mailbox, { number }) => {
          if (lives(mailbox)) return '250 2.1.5 You have an eerie feeling...\r\n';
          errors.set(number, (errors.get(number) ?? 0) + 1);
          return errors.get(number) === 3 ? ['421 4.5.0 Too many errors, bye\r\n', close] : GONE;
        },
      },
      addresses,
    );
    expect(outcomes).toMatchObject(asExpected(addresses));
  }
});

test.each<[string, (mailbox: string) => ScriptedReply]>([
  ['split over packets', (mailbox) => byteByByte(exists(mailbox), 1)],
  [
    'of several lines, split',
    (mailbox) => [`${exists(mailbox).slice(0, 3)}-2.1`, wait(40), `.5 x\r\n`, exists(mailbox)],
  ],
  ['with bare LF', (mailbox) => exists(mailbox).replace('\r', '')],
  ['with 251', (mailbox) => (lives(mailbox) ? '251 2.1.5 will forward\r\n' : GONE)],
  ['with 252', (mailbox) => (lives(mailbox) ? '252 2.1.5 cannot verify\r\n' : GONE)],
  ['without text', (mailbox) => (lives(mailbox) ? '250\r\n' : GONE)],
  ['without text but a space', (mailbox) => (lives(mailbox) ? '250 \r\n' : GONE)],
])('replies %s are read in a group and one by one', async (_what, rcpt) => {
  for (const offers of [['PIPELINING'], []]) {
    const { outcomes } = await probe({ offers, rcpt }, boxes(7));
    expect(outcomes).toMatchObject(asExpected(boxes(7)));
  }
});

test('a server that answers a group only when all of it is there is not asked again', async () => {
  // Two of a group, as qmail-like servers with a delay do.
  const { outcomes, sessions } = await probe(
    {
      rcpt: (mailbox) => [wait(500), exists(mailbox)],
      on: (line) => (line.startsWith('MAIL') ? [wait(500), '250 ok\r\n'] : undefined),
    },
    boxes(3),
  );
  expect(outcomes).toMatchObject(asExpected(boxes(3)));
  expect(sessions).toHaveLength(1);
});

test('a reply that comes twice, in a packet of its own or not, reverses no verdict', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        states: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
        offers: fc.constantFrom(['PIPELINING'], []),
        /** Which replies to RCPT come twice. */
        from: fc.nat(6),
        every: fc.integer({ min: 1, max: 8 }),
        afterMs: fc.constantFrom(0, 1, 10, 20, 120),
        oneWayMs: fc.constantFrom(0, 1, 25),
        enhanced: fc.boolean(),
        at: fc.constantFrom('RCPT', 'RCPT', 'MAIL'),
        patient: fc.boolean(),
        everySession: fc.boolean(),
      }),
      async ({ states, offers, from, every, afterMs, oneWayMs, enhanced, at, patient, everySession }) => {
        const addresses = boxes(states.length);
        const plain = (reply: string): string => (enhanced ? reply : reply.replace(/ \d\.\d\.\d/, ''));
        const counts = new Map<number, number>();
        const said = (reply: string, { number }: SessionRecord): ScriptedReply => {
          const nth = counts.get(number) ?? 0;
          counts.set(number, nth + 1);
          const isTwice = (everySession || number === 0) && nth >= from && (nth - from) % every === 0;
          return isTwice ? [plain(reply), wait(afterMs), plain(reply)] : plain(reply);
        };
        const { outcomes } = await probe(
          {
            offers,
            greeting: `220 mx.test ESMTP${patient ? ' Postfix' : ''}\r\n`,
            rcpt: (mailbox, session) => {
              const reply = states[addresses.indexOf(mailbox)] === true ? TAKEN : GONE;
              return at === 'RCPT' ? said(reply, session) : plain(reply);
            },
            on: (line, session) => {
              if (!line.startsWith('MAIL')) return undefined;
              return at === 'MAIL' ? said('250 2.1.0 sender ok\r\n', session) : plain('250 2.1.0 sender ok\r\n');
            },
          },
          addresses,
          90_000,
          oneWayMs,
        );
        for (const [i, outcome] of outcomes.entries()) {
          if (states[i] === true) expect(outcome.kind).not.toBe('no_such_mailbox');
          else expect(outcome).not.toMatchObject({ kind: 'accepted', madeUp: { kind: 'refused' } });
        }
      },
    ),
    { numRuns: runs(600) },
  );
}, 60_000);
