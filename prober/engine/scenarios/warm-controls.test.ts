import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { classify } from '../meaning/classify.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { boxes } from '../../testing/one-domain.ts';
import { type ScriptedReply, type SessionRecord, wait } from '../../testing/script.ts';

// Unexplained refusals, in sessions that have served others or that run in parallel: only the controls show what they
// mean, and no existing mailbox is called dead.

const IP = '11.79.3.1';
const YES = '250 2.1.5 ok\r\n';
const NO = '550 zzyzx\r\n';
const DEAD = { kind: 'no_such_mailbox', basis: 'controls' };
const rcpts = ({ lines }: SessionRecord): number => lines.filter((line) => line.startsWith('RCPT')).length;
/** Every second one of `boxes`. */
const lives = (mailbox: string): boolean => /^u\d*[02468]@/.test(mailbox);

function shared(domains: number, rcpt: (mailbox: string, session: SessionRecord) => ScriptedReply) {
  const world = new MailWorld({}, 10).warm();
  for (let d = 0; d < domains; d += 1) world.mx(`d${d}.test`, ['mx.shared.test']);
  world.host('mx.shared.test', [IP]);
  return { world, server: world.serve(IP, { rcpt, greeting: '220 mx.test ESMTP Postfix\r\n' }) };
}

const denied = (box: string): string => `554 5.7.1 <${box}>: Recipient address rejected: Access denied\r\n`;
const pair = (d: number): string[] => [`u0@d${d}.test`, `u1@d${d}.test`];

test('each domain of an account gets its own test, in new and in used sessions alike', async () => {
  const { world, server } = shared(4, (mailbox) => (lives(mailbox) ? YES : NO));
  for (let d = 0; d < 4; d += 1) {
    const found = await world.probe(pair(d), 90_000, 1);
    expect(found.map(({ outcome }) => outcome)).toMatchObject([{ kind: 'accepted' }, DEAD]);
    // Both controls are in its own domain.
    for (const { lines } of server.sessions)
      for (const [i, line] of lines.entries())
        if (line === 'RSET') expect(lines.slice(i + 1).find((one) => one.startsWith('RCPT'))).toMatch(/@d\d\.test>$/);
  }
});

test('no existing mailbox is called dead when a session has had enough of other domains', async () => {
  for (const max of [2, 3, 4, 5, 7]) {
    const { world } = shared(8, (mailbox, session) => (rcpts(session) <= max && lives(mailbox) ? YES : NO));
    for (let d = 0; d < 8; d += 1) {
      const [living] = await world.probe(pair(d), 90_000, 1);
      expect([max, living?.outcome.kind]).not.toEqual([max, 'no_such_mailbox']);
    }
    expect(world.bugs).toEqual([]);
  }
});

test('a reply to one account is no control for another', async () => {
  const { world } = shared(2, (mailbox) => (lives(mailbox) ? YES : NO));
  await world.probe(pair(0), 90_000, 1);
  const [evidence] = await world.probe(['u1@d0.test'], 90_000, 2);
  expect(evidence?.outcome.kind).toBe('unexpected_code');
});

test('parallel sessions call no existing mailbox dead, and others only after controls', async () => {
  const world = new MailWorld({}, 10);
  const server = world.domain('d.test', { rcpt: (mailbox) => [wait(1_200), lives(mailbox) ? YES : NO] });
  const outcomes = await world.outcomes(boxes(40), 80_000);
  expect(server.sessions.length).toBeGreaterThan(1);
  for (const [i, outcome] of outcomes.entries()) {
    if (i % 2 === 0) expect(outcome.kind).toBe('accepted');
    else if (outcome.kind === 'no_such_mailbox') expect(outcome).toMatchObject(DEAD);
    else expect(outcome.kind).toBe('unexpected_code');
  }
  expect(world.bugs).toEqual([]);
});

test('a server that refuses everything in surplus sessions without a reason has no dead mailboxes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 900, max: 6_000 }), async (bears, waitMs) => {
      const world = new MailWorld({}, 10);
      const server = world.domain('d.test', {
        rcpt: (mailbox, { number }) => {
          const before = server.sessions.filter((one) => one.number < number && !one.closed).length;
          const refuses = before >= bears || mailbox.length > 'u00@d.test'.length;
          return [wait(waitMs), refuses ? NO : YES];
        },
      });
      const outcomes = await world.outcomes(boxes(20), 80_000);
      expect(outcomes.map(({ kind }) => kind)).not.toContain('no_such_mailbox');
      expect(world.bugs).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test.each([
  ['beside an accepted recipient its mailbox is dead', lives, DEAD],
  ['said to everybody it is about us', () => false, { kind: 'policy_rejected' }],
] as const)('an access table that refuses a recipient: %s', async (_fact, accepts, expected) => {
  const world = new MailWorld({}, 10, classify);
  world.domain('d.test', { rcpt: (box) => (accepts(box) ? YES : denied(box)) });
  expect((await world.outcomes(boxes(2), 80_000))[1]).toMatchObject(expected);
});
