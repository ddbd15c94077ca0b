import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { silence, type Script } from '../../testing/script.ts';

// A server that swallows one command, as an overloaded proxy does, and answers all others properly: each later reply
// arrives where another is due.

const REAL = ['a@d.test', 'b@d.test', 'c@d.test'];
const DEAD = ['x@d.test', 'y@d.test'];

/** The server swallows the nth command from MAIL on, in every session or only in the first. */
function swallowing(nth: number, everySession: boolean, replies: Pick<Script, 'rcpt'>): Script {
  const counts = new Map<number, number>();
  return {
    ...replies,
    on: (line, { number }) => {
      if (!/^(?:MAIL|RCPT)/.test(line)) return undefined;
      const count = (counts.get(number) ?? 0) + 1;
      counts.set(number, count);
      if (count === nth && (everySession || number === 0)) return silence;
      return line.startsWith('MAIL') ? '250 2.1.0 Ok\r\n' : undefined;
    },
  };
}

const isReal = (mailbox: string): boolean => REAL.includes(mailbox);
const POSTFIX: Pick<Script, 'rcpt'> = {
  rcpt: (mailbox) =>
    isReal(mailbox)
      ? '250 2.1.5 Ok\r\n'
      : `550 5.1.1 <${mailbox}>: Recipient address rejected: no such user in local table\r\n`,
};
const SENDMAIL: Pick<Script, 'rcpt'> = {
  rcpt: (mailbox) =>
    isReal(mailbox)
      ? `250 2.1.5 <${mailbox}>... Recipient ok\r\n`
      : `550 5.1.1 ${mailbox.toUpperCase()}... no such user\r\n`,
};

const EXIM: Pick<Script, 'rcpt'> = {
  rcpt: (mailbox) => (isReal(mailbox) ? '250 Accepted\r\n' : '550 Unrouteable address\r\n'),
};
const GOOGLE: Pick<Script, 'rcpt'> = {
  rcpt: (mailbox) =>
    isReal(mailbox)
      ? '250 2.1.5 OK a1si2 - gsmtp\r\n'
      : '550 5.1.1 The email account that you tried to reach does not exist. a1si2 - gsmtp\r\n',
};

const LISTS = [
  REAL,
  [...DEAD, ...REAL],
  [...REAL, ...DEAD],
  ['a@d.test', 'x@d.test', 'b@d.test', 'y@d.test', 'c@d.test'],
];

test.each([
  ['Postfix', POSTFIX],
  ['Sendmail', SENDMAIL],
  ['Exim', EXIM],
  ['Google', GOOGLE],
])('a reply that %s leaves out, to MAIL or to any RCPT, reverses no verdict', async (_name, replies) => {
  for (const list of LISTS) {
    for (const everySession of [true, false]) {
      for (let nth = 1; nth <= list.length + 2; nth += 1) {
        const world = new MailWorld();
        world.domain('d.test', swallowing(nth, everySession, replies));
        const outcomes = await world.outcomes(list);
        for (const [i, { kind }] of outcomes.entries()) {
          const wrong = isReal(list[i] ?? '') ? 'no_such_mailbox' : 'accepted';
          expect(kind, `${list[i]} of ${list.join()}, ${nth} left out`).not.toBe(wrong);
        }
        expect(world.bugs).toEqual([]);
      }
    }
  }
});

test('in a batch that ends soon, a missing reply leaves only acceptances', async () => {
  const world = new MailWorld();
  world.domain('d.test', swallowing(2, true, GOOGLE));
  const late = { kind: 'timeout' };
  expect(await world.outcomes(['a@d.test', 'x@d.test'], 10_000)).toMatchObject([late, late]);
  const unsure = { kind: 'accepted', madeUp: { kind: 'not_learnt', why: 'timeout' } };
  expect(await world.outcomes(['x@d.test', 'a@d.test'], 10_000)).toMatchObject([unsure, late]);
});

test('a reply that suggests another contact is about the recipient that was asked for', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    rcpt: (mailbox) =>
      mailbox === 'help@d.test' ? '250 2.1.5 Ok\r\n' : '550 5.1.1 no such user, contact help@d.test\r\n',
  });
  const outcomes = await world.outcomes(['help@d.test', 'x@d.test', 'y@d.test']);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'no_such_mailbox', 'no_such_mailbox']);
});

test('a server that answers MAIL twice makes no dead mailbox deliverable', async () => {
  const world = new MailWorld({}, 20);
  world.domain('d.test', {
    ...GOOGLE,
    on: (line) => (line.startsWith('MAIL') ? '250 2.1.0 Ok\r\n250 2.1.0 Ok\r\n' : undefined),
  });
  expect((await world.outcome('x@d.test')).kind).not.toBe('accepted');
});
