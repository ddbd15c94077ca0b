import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { runs } from '../../../schema/testing/fuzz.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { close, type Script, type SessionRecord } from '../../testing/script.ts';

// The same domains at one mail host, where they share sessions, and each at a host of its own.

const IP = '11.78.0.1';

const fate = fc.constantFrom('lives', 'gone', 'full', 'deferred', 'odd');
const domainKind = fc.record({
  users: fc.array(fate, { minLength: 1, maxLength: 3 }),
  madeUp: fc.constantFrom('gone', 'gone', 'lives', 'deferred', 'odd'),
});
const serverKind = fc.record({
  greeting: fc.constantFrom('220 mx.test ESMTP\r\n', '220 mx.test ESMTP Exim\r\n'),
  pipelining: fc.boolean(),
  transactions: fc.constantFrom(1, 2, 5, 1_000),
  after: fc.constantFrom('close', '421', '452'),
  refusalsBorne: fc.constantFrom(4, 6, 1_000),
});

const REPLIES = {
  lives: '250 2.1.5 ok\r\n',
  gone: '550 5.1.1 no such user here\r\n',
  full: '552 5.2.2 over quota\r\n',
  deferred: '450 4.2.0 greylisted\r\n',
  odd: '554 5.0.0 nothing known\r\n',
} as const;

function isOfRest(outcome: unknown): boolean {
  return /"why":"cooldown"|"askedS":30/.test(JSON.stringify(outcome));
}

/**
 * Whether a test proves anything depends on who was asked about before in its session, so its result counts as unknown.
 */
function withoutTests(outcome: Outcome): Outcome {
  if (outcome.kind === 'no_such_mailbox' && outcome.basis === 'controls')
    return { kind: 'unexpected_code', reply: outcome.reply };
  return outcome;
}

test('verdicts are the same whether domains share sessions or not, except for test results', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(domainKind, { minLength: 2, maxLength: 30 }), serverKind, async (domains, kind) => {
      const recipients = domains.flatMap(({ users }, d) => users.map((_, u) => `u${u}@d${d}.test`));
      const script = hostOf(domains, kind);
      const shared = new MailWorld();
      const apart = new MailWorld();
      for (const [d] of domains.entries()) {
        shared.mx(`d${d}.test`, ['mx.shared.test']);
        apart.domain(`d${d}.test`, script);
      }
      shared.host('mx.shared.test', [IP]).serve(IP, script);
      const fates = domains.flatMap(({ users, madeUp }) => users.map(() => madeUp));
      const [together = [], alone = []] = [await shared.outcomes(recipients), await apart.outcomes(recipients)].map(
        (outcomes) =>
          outcomes.map((outcome, i) => {
            if (fates[i] !== 'odd') expect(outcome).not.toHaveProperty('basis');
            else if (outcome.kind === 'accepted') return outcome.reply;
            return withoutTests(outcome);
          }),
      );
      // No connection waits for a host in cool-down, not even for the made-up mailbox.
      for (const [i, outcome] of together.entries()) if (!isOfRest(outcome)) expect(outcome).toEqual(alone[i]);
      expect([...shared.bugs, ...apart.bugs]).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

type DomainKind = { readonly users: readonly (keyof typeof REPLIES)[]; readonly madeUp: keyof typeof REPLIES };
type ServerKind = {
  readonly greeting: string;
  readonly pipelining: boolean;
  readonly transactions: number;
  readonly after: string;
  readonly refusalsBorne: number;
};

/** A host whose answers depend only on the mailbox, until a session has had this many transactions or refusals. */
function hostOf(domains: readonly DomainKind[], kind: ServerKind): Script {
  const replyTo = (mailbox: string): string => {
    const [, user, d] = /^(?:u(\d))?.*@d(\d+)\./.exec(mailbox) ?? [];
    const domain = domains[Number(d)];
    const says = user === undefined ? domain?.madeUp : domain?.users[Number(user)];
    return REPLIES[says ?? 'gone'];
  };
  const refusals = new Map<SessionRecord, number>();
  return {
    greeting: kind.greeting,
    offers: kind.pipelining ? ['PIPELINING'] : ['8BITMIME'],
    rcpt: (mailbox, session) => {
      const borne = refusals.get(session) ?? 0;
      if (borne >= kind.refusalsBorne) return ['421 4.7.0 too many errors\r\n', close];
      const reply = replyTo(mailbox);
      if (!reply.startsWith('2')) refusals.set(session, borne + 1);
      return reply;
    },
    on: (line, { lines }) => {
      const said = lines.filter((one) => one.startsWith('MAIL')).length;
      if (!line.startsWith('MAIL') || said <= kind.transactions) return undefined;
      return { close: [close], '421': ['421 4.7.0 go away\r\n', close], '452': '452 4.5.3 too many\r\n' }[kind.after];
    },
  };
}
