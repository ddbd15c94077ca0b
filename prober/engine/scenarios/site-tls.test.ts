import { expect, test } from 'vitest';
import { type MailWorld, nextIp } from '../../testing/mail-world.ts';
import { close, type Script, type ScriptedReply, say, type SessionRecord, tls, wait } from '../../testing/script.ts';
import { amiss, byName, domainsAt, isRcpt, mailboxes, siteWorld, tenants } from '../../testing/site.ts';

// A server that demands TLS demands it of everybody: once it has, a session asks nothing before STARTTLS.

type Demand = { readonly reply: string; readonly at?: RegExp; readonly offers?: readonly string[] };

/**
 * Refuses these commands until TLS is up. As at Postfix each refusal is an error, and from the tenth of a session on
 * every reply takes a second more.
 */
function demanding({ reply, at = /^(?:MAIL|RCPT|RSET)/, offers = ['PIPELINING', 'STARTTLS'] }: Demand): Script {
  const errors = new Map<SessionRecord, number>();
  const slow = (session: SessionRecord, answer: string): ScriptedReply => {
    const before = errors.get(session) ?? 0;
    if (/^[45]/.test(answer)) errors.set(session, before + 1);
    return before >= 9 ? [wait(1_000), answer] : answer;
  };
  return {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    offers,
    on: (line, session) => {
      if (!session.secure && at.test(line)) return slow(session, `${reply}\r\n`);
      return isRcpt(line) ? slow(session, byName(/<(.*)>/.exec(line)?.[1] ?? '')) : undefined;
    },
  };
}

/** The script, and when each session began and the first demand was made. */
function timed(world: MailWorld, script: Script) {
  const demandedAt = { first: Infinity, opened: new Map<SessionRecord, number>() };
  const timedScript: Script = {
    ...script,
    on: (line, session) => {
      const now = world.clock.now();
      if (!demandedAt.opened.has(session)) demandedAt.opened.set(session, now);
      if (!session.secure && /^(?:MAIL|RCPT)/.test(line)) demandedAt.first = Math.min(demandedAt.first, now);
      return script.on?.(line, session);
    },
  };
  return { script: timedScript, demandedAt };
}

const verbs = ({ lines }: SessionRecord): string[] => lines.map((line) => line.slice(0, 4));
/** What it said in plain text before STARTTLS; of a session without, everything. */
function inPlain(session: SessionRecord): string[] {
  const all = verbs(session);
  const starts = all.indexOf('STAR');
  return starts === -1 ? all : all.slice(0, starts);
}

const DEMANDS: ReadonlyArray<readonly [string, Demand]> = [
  ['Postfix', { reply: '530 5.7.0 Must issue a STARTTLS command first' }],
  ['aiosmtpd', { reply: '530 Must issue a STARTTLS command first', offers: ['SIZE 33554432', 'STARTTLS'] }],
  ['Exim, at RCPT', { reply: '530 5.7.0 Must issue a STARTTLS command first', at: /^RCPT/ }],
  ["Exim's ACL at MAIL", { reply: '550 Encryption required', at: /^MAIL/ }],
  ['Postfix, at RCPT', { reply: '450 4.7.1 Session encryption is required', at: /^RCPT/ }],
  ['OpenSMTPD', { reply: '530 5.5.1 Invalid command: Must issue a STARTTLS command first' }],
  ['Exchange', { reply: '451 5.7.3 STARTTLS is required to send mail', at: /^MAIL/ }],
];

test.each(DEMANDS)('a demand for TLS (%s) is heard once, and 50 addresses take seconds', async (_who, demand) => {
  const world = siteWorld();
  const server = world.domain('d.test', demanding(demand));
  const addresses = mailboxes(50);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  const [first = [], ...later] = server.sessions.map(inPlain);
  // MAIL and two recipients at most: such refusals are errors of the session.
  expect(first.filter((verb) => verb === 'MAIL' || verb === 'RCPT').length).toBeLessThanOrEqual(3);
  expect(later.filter((said) => said.length > 1)).toEqual([]);
  expect(world.clock.now()).toBeLessThan(4_000);
});

test('200 addresses at such a server get verdicts in time, in sessions within its budget', async () => {
  const world = siteWorld();
  const server = world.domain('d.test', demanding({ reply: '530 5.7.0 Must issue a STARTTLS command first' }));
  const addresses = mailboxes(200);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(14);
  expect(world.clock.now()).toBeLessThan(8_000);
});

test('120 domains at such a server hear the demand in the sessions that began before it alone', async () => {
  const world = siteWorld();
  const { script, demandedAt } = timed(world, demanding({ reply: '530 5.7.0 Must issue a STARTTLS command first' }));
  const { server, addresses } = tenants(world, 120, script);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  const later = server.sessions.filter((session) => (demandedAt.opened.get(session) ?? 0) > demandedAt.first + 40);
  expect(later.length).toBeGreaterThan(0);
  expect(later.map(inPlain).filter((said) => said.length > 1)).toEqual([]);
  expect(world.clock.now()).toBeLessThan(5_000);
});

test('the demand is known to later batches, accounts and domains at that server, and to no other server', async () => {
  const world = siteWorld();
  const ip = nextIp();
  const script = demanding({ reply: '530 5.7.0 Must issue a STARTTLS command first' });
  const server = world.serve(ip, script);
  domainsAt(world, ip, 3);
  await world.probe(['x0@d0.test'], 90_000, 1);
  await world.probe(['x1@d1.test'], 90_000, 1);
  await world.probe(['x2@d2.test'], 90_000, 2);
  expect(server.sessions.map(inPlain)).toEqual([['EHLO', 'MAIL', 'RCPT'], ['EHLO'], ['EHLO']]);
  const other = world.domain('other.test', { offers: ['PIPELINING', 'STARTTLS'], rcpt: byName });
  await world.probe(['x0@other.test'], 90_000, 1);
  expect(other.sessions.flatMap(verbs)).not.toContain('STAR');
});

test.each<[string, (later: boolean) => Script]>([
  ['STARTTLS is no longer offered', (later) => (later ? { offers: ['PIPELINING'] } : {})],
  [
    'the handshake fails',
    (later) => ({ on: (line) => (later && line === 'STARTTLS' ? [say('220 go\r\n'), tls('fail')] : undefined) }),
  ],
  ['STARTTLS is deferred', (later) => ({ on: atStartTls(later, '454 4.7.0 TLS not available\r\n') })],
  ['STARTTLS is refused', (later) => ({ on: atStartTls(later, '502 5.5.1 not implemented\r\n') })],
])('a demand that has lapsed costs nobody a verdict: %s', async (_how, change) => {
  const world = siteWorld();
  let later = false;
  const demand = demanding({ reply: '530 5.7.0 Must issue a STARTTLS command first' });
  const ip = nextIp();
  const server = world.serve(ip, {
    ...demand,
    get offers() {
      return change(later).offers ?? demand.offers ?? [];
    },
    on: (line, session) => change(later).on?.(line, session) ?? (later ? undefined : demand.on?.(line, session)),
    rcpt: byName,
  });
  domainsAt(world, ip, 2);
  await world.probe(['u0@d0.test']);
  later = true;
  const addresses = ['u0@d1.test', 'x1@d1.test'];
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
  expect(server.sessions.length).toBeLessThanOrEqual(4);
});

test.each<[string, ScriptedReply]>([
  ['closes', [close]],
  ['says 421', ['421 4.4.2 bye\r\n', close]],
  ['knows no RSET', '500 5.5.1 what?\r\n'],
])('a server that %s at the RSET before STARTTLS is asked over TLS from the next session on', async (_what, answer) => {
  const world = siteWorld();
  const demand = demanding({ reply: '530 5.7.0 Must issue a STARTTLS command first', at: /^RCPT/ });
  world.domain('d.test', {
    ...demand,
    on: (line, session) => (line === 'RSET' && !session.secure ? answer : demand.on?.(line, session)),
  });
  const addresses = mailboxes(12);
  expect(amiss(addresses, await world.probe(addresses))).toEqual({});
});

function atStartTls(later: boolean, reply: string): NonNullable<Script['on']> {
  return (line) => (later && line === 'STARTTLS' ? reply : undefined);
}
