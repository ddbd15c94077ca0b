import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { type ScriptedReply, close, type Script, silence, wait } from '../../testing/script.ts';
import { runs } from '../../../schema/testing/fuzz.ts';

// A shared host that repeats, delays or loses replies, or disconnects: no matter what it does in a session that serves
// several domains, its reply about one domain is never another's evidence. Each domain's replies contain its number, so
// that they can be recognized.

const IP = '11.78.0.1';
const HELLO = '250-mx.test greets you\r\n250 PIPELINING\r\n';
const NUMBER_MIN = 100;
const numberOf = (mailbox: string): number => NUMBER_MIN + Number(/@d(\d+)\./.exec(mailbox)?.[1]);

type Slip = 'none' | 'twice' | 'late' | 'lost' | 'hangs_up' | 'fuller';

/**
 * How a reply goes wrong; the times are near a round trip of 50 ms, and near our timeout for a reply.
 */
function slip(how: Slip, reply: string, waitMs: number): ScriptedReply {
  switch (how) {
    case 'none':
      return reply;
    case 'twice':
      return [reply, wait(waitMs), reply];
    case 'late':
      return [wait(waitMs), reply];
    case 'lost':
      return silence;
    case 'hangs_up':
      return [close];
    case 'fuller':
      return '452 4.5.3 too many recipients\r\n';
  }
}

const slips = fc.record({
  how: fc.constantFrom<Slip>('twice', 'twice', 'late', 'lost', 'hangs_up', 'fuller'),
  waitMs: fc.constantFrom(0, 1, 20, 49, 50, 51, 75, 99, 101, 150, 29_951, 29_999, 30_001),
  /** Every nth reply. */
  every: fc.integer({ min: 2, max: 13 }),
  verb: fc.constantFrom('RCPT', 'RCPT', 'MAIL', 'RSET'),
});

/** Whether the domain has the mailbox: some domains accept all, some none. */
const takes = (mailbox: string): boolean => {
  const kind = numberOf(mailbox) % 3;
  return kind === 0 || (kind === 1 && mailbox.startsWith('u'));
};

function hostThat({ how, waitMs, every, verb }: { how: Slip; waitMs: number; every: number; verb: string }): Script {
  let count = 0;
  const said = (command: string, reply: string): ScriptedReply => {
    if (command !== verb) return reply;
    count += 1;
    return slip(count % every === 0 ? how : 'none', reply, waitMs);
  };
  return {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    rcpt: (mailbox) =>
      said(
        'RCPT',
        takes(mailbox) ? `250 2.1.${numberOf(mailbox)} ok\r\n` : `550 5.1.${numberOf(mailbox)} no such user\r\n`,
      ),
    on: (line) => {
      if (line.startsWith('MAIL')) return said('MAIL', '250 2.1.0 sender ok\r\n');
      return line === 'RSET' ? said('RSET', '250 2.0.0 flushed\r\n') : undefined;
    },
  };
}

test('a reply about one domain is never evidence about another, even if repeated, delayed or lost', async () => {
  await fc.assert(
    fc.asyncProperty(slips, fc.integer({ min: 2, max: 40 }), async (slipped, domains) => {
      const world = new MailWorld({}, 25);
      for (let d = 0; d < domains; d += 1) world.mx(`d${d}.test`, ['mx.shared.test']);
      world.host('mx.shared.test', [IP]).serve(IP, hostThat(slipped));
      const outcomes = await world.outcomes(Array.from({ length: domains }, (_, d) => `u@d${d}.test`));
      for (const [d, outcome] of outcomes.entries()) {
        const enhanced = 'reply' in outcome ? outcome.reply?.enhanced : null;
        const number = Number(enhanced?.split('.')[2] ?? 0);
        if (number >= NUMBER_MIN) expect(number).toBe(NUMBER_MIN + d);
      }
      expect(world.bugs).toEqual([]);
    }),
    // Seen once: a reply of one domain went to another, after two repeated ones.
    { numRuns: runs(100), examples: [[{ how: 'twice', waitMs: 0, every: 6, verb: 'MAIL' }, 23]] },
  );
});

test.each<[string, Script]>([
  ['greets twice', { greeting: ['220 mx.test ESMTP\r\n', wait(1), '220 mx.test ESMTP\r\n'] }],
  ['answers EHLO twice', { on: (line) => (line.startsWith('EHLO') ? [HELLO, wait(1), HELLO] : undefined) }],
  [
    'answers HELO with a greeting',
    {
      on: (line) => {
        if (line.startsWith('EHLO')) return '500 what?\r\n';
        return line.startsWith('HELO') ? ['220 mx.test ESMTP\r\n', wait(1), '250 mx.test\r\n'] : undefined;
      },
    },
  ],
])('a server that %s, a moment later, is not taken to answer the wrong command', async (_what, script) => {
  for (const offers of [['PIPELINING'], ['8BITMIME']]) {
    const world = new MailWorld({}, 25);
    world.domain('d.test', { offers, mailboxes: ['a@d.test'], ...script });
    const outcomes = await world.outcomes(['x@d.test', 'a@d.test', 'y@d.test']);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['protocol_error']));
  }
});

test('a server that gives the same short reply to everything is trusted', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    on: (line) => (/^(?:EHLO|MAIL|RCPT TO:<a)/.test(line) ? '250 ok\r\n' : undefined),
  });
  const outcomes = await world.outcomes(['a@d.test', 'x@d.test']);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'no_such_mailbox']);
});
