import { expect, test } from 'vitest';
import { close, type Script, type ScriptedReply, type SessionRecord, wait } from '../../testing/script.ts';
import {
  amiss,
  byName,
  CATCH_ALL,
  isRcpt,
  mailboxes,
  rcptsAt,
  siteWorld,
  TAKEN,
  tenants,
  truth,
} from '../../testing/site.ts';

// A limit of recipients is one of a transaction (RFC 5321 §4.5.3.1.10): RSET, and the next in the same session.

const POSTFIX = '452 4.5.3 Error: too many recipients\r\n';

type Limited = {
  readonly most: number;
  readonly refusal?: string;
  readonly rcpt?: (mailbox: string) => string;
  /** RSET begins no new count. */
  readonly bySession?: true;
  readonly greeting?: string;
};

/**
 * Takes so many recipients a transaction, accepted ones only as Postfix does. Every refusal is an error of the session,
 * and from the tenth on a reply takes a second more.
 */
function limited({ most, refusal = POSTFIX, rcpt = byName, bySession, greeting = 'Postfix' }: Limited) {
  const seen = { over: 0 };
  const taken = new Map<SessionRecord, number>();
  const errors = new Map<SessionRecord, number>();
  const answer = (line: string, session: SessionRecord): string => {
    const before = taken.get(session) ?? 0;
    if (before >= most) {
      seen.over += 1;
      return refusal;
    }
    const reply = rcpt(/<(.*)>/.exec(line)?.[1] ?? '');
    if (reply.startsWith('2')) taken.set(session, before + 1);
    return reply;
  };
  const script: Script = {
    greeting: `220 mx.test ESMTP ${greeting}\r\n`,
    on: (line, session): ScriptedReply | undefined => {
      if (/^(?:MAIL|RSET)/.test(line) && bySession === undefined) taken.delete(session);
      if (!isRcpt(line)) return undefined;
      const reply = answer(line, session);
      const before = errors.get(session) ?? 0;
      if (!reply.startsWith('2')) errors.set(session, before + 1);
      return before >= 9 ? [wait(1_000), reply] : reply;
    },
  };
  return { script, seen };
}

test.each<[number, string]>([
  [1, POSTFIX],
  [2, POSTFIX],
  [5, POSTFIX],
  [1, '452 too many recipients\r\n'],
  [1, '452 4.5.3 only one recipient allowed without SPF pass\r\n'],
  [2, '552 5.5.3 Too many recipients\r\n'],
])('at a limit of %i a transaction ("%s"), 200 addresses share sessions', async (most, refusal) => {
  const world = siteWorld();
  const { script, seen } = limited({ most, refusal });
  const server = world.domain('d.test', script);
  const addresses = mailboxes(200);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  // A hundred refusals of recipients, eight or nine to a session, and some of the limit.
  expect(server.sessions.length).toBeLessThanOrEqual(20);
  expect(seen.over).toBeLessThanOrEqual(30);
  expect(world.clock.now()).toBeLessThan(30_000);
});

test.each([1, 2, 5])('at a limit of %i, a server that takes everybody is found out in time', async (most) => {
  const world = siteWorld();
  const { script, seen } = limited({ most, rcpt: () => TAKEN });
  const server = world.domain('d.test', script);
  const addresses = mailboxes(200);
  expect(amiss(addresses, await world.probe(addresses), () => CATCH_ALL)).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(8);
  expect(seen.over).toBeLessThanOrEqual(20);
  expect(world.clock.now()).toBeLessThan(30_000);
});

test('at a server without PIPELINING too', async () => {
  const world = siteWorld();
  const { script } = limited({ most: 1 });
  const server = world.domain('d.test', { ...script, offers: ['SIZE 1000'] });
  const addresses = mailboxes(100);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(12);
});

test('an unknown server gets four refusals a session, those of the limit among them', async () => {
  const world = siteWorld();
  const { script } = limited({ most: 1, greeting: 'ready' });
  const server = world.domain('d.test', script);
  const addresses = mailboxes(60);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(16);
});

test('domains with one address each share the sessions of such a server, and its limit costs no second asking', async () => {
  const world = siteWorld();
  const { script, seen } = limited({ most: 1 });
  const { server, addresses } = tenants(world, 40, script);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  // Each existing mailbox brings the made-up one of its domain.
  expect(rcptsAt(server)).toBeLessThanOrEqual(60 + seen.over);
  expect(server.sessions.length).toBeLessThanOrEqual(16);
});

test.each<[string, string]>([
  ['at RCPT', POSTFIX],
  ['without an enhanced code', '452 too many recipients\r\n'],
])('a limit of the whole session costs a session each time, and no verdict (%s)', async (_what, refusal) => {
  const world = siteWorld();
  const { script } = limited({ most: 5, refusal, bySession: true, rcpt: () => TAKEN });
  const server = world.domain('d.test', script);
  const addresses = mailboxes(40);
  expect(amiss(addresses, await world.probe(addresses), () => CATCH_ALL)).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(18);
});

test.each<[string, ScriptedReply]>([
  ['defers', '452 4.5.3 too many recipients\r\n'],
  ['ends the session', ['421 4.7.0 too many messages in this session\r\n', close]],
  ['says goodbye', ['421 4.3.2 closing transmission channel\r\n', close]],
  ['names its limit', ['421 4.3.0 Message limit per session reached\r\n', close]],
  ['refuses', '550 5.7.1 one message a session\r\n'],
])('a server that %s at the second MAIL after its limit gets another session', async (_what, answer) => {
  const world = siteWorld();
  const { script } = limited({ most: 1, rcpt: () => TAKEN });
  const server = world.domain('d.test', {
    ...script,
    on: (line, session) => {
      const own = script.on?.(line, session);
      const mails = session.lines.filter((one) => one.startsWith('MAIL')).length;
      return line.startsWith('MAIL') && mails > 1 ? answer : own;
    },
  });
  const addresses = mailboxes(8);
  expect(amiss(addresses, await world.probe(addresses), () => CATCH_ALL)).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(18);
});

test.each<[number, ScriptedReply]>([
  [5, [close]],
  [2, [close]],
  [2, ['421 4.4.2 bye\r\n', close]],
  [1, '500 5.5.1 what?\r\n'],
])(
  'a server with a limit of %i that knows no RSET (%j) gets a session each time, and no try is spent',
  async (most, answer) => {
    const world = siteWorld();
    for (const rcpt of [byName, () => TAKEN]) {
      const { script } = limited({ most, rcpt, greeting: 'ready' });
      const name = rcpt === byName ? 'd.test' : 'all.test';
      world.domain(name, { ...script, on: (line, session) => (line === 'RSET' ? answer : script.on?.(line, session)) });
      const addresses = mailboxes(12).map((address) => address.replace('d.test', name));
      const expected = rcpt === byName ? truth : () => CATCH_ALL;
      expect(amiss(addresses, await world.probe(addresses), expected)).toEqual({});
    }
  },
);
