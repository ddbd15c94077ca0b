import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED } from '../../testing/one-domain.ts';
import { type ScriptedReply, close, reset, type Script, silence, wait } from '../../testing/script.ts';

// One domain at a shared host of which every session goes wrong. The others get what they would have had without it.

const IP = '11.81.0.1';
const COUNT = 40;
const BAD = 7;
const isReal = (mailbox: string): boolean => mailbox.startsWith('u');
const addresses = Array.from({ length: COUNT }, (_, d) => `u@d${d}.test`);

async function probeBeside(bad: Script['rcpt'], greeting: string) {
  const world = new MailWorld({}, 25);
  for (let d = 0; d < COUNT; d += 1) world.mx(`d${d}.test`, ['mx.shared.test']);
  world.host('mx.shared.test', [IP]).serve(IP, {
    greeting,
    rcpt: (mailbox, session) => {
      if (mailbox.endsWith(`@d${BAD}.test`)) return bad?.(mailbox, session) ?? null;
      return isReal(mailbox) ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user here\r\n';
    },
  });
  const outcomes = await world.outcomes(addresses);
  return { world, outcomes };
}

test.each<[string, ScriptedReply, string]>([
  ['ends it for too many errors', ['421 4.7.0 too many errors\r\n', close], 'rcpt_deferred'],
  ['says goodbye', ['421 4.3.2 closing\r\n', close], 'rcpt_deferred'],
  ['says that there are too many recipients', '452 4.5.3 too many recipients\r\n', 'rcpt_deferred'],
  ['refuses us', '550 5.7.1 your host is blocked here\r\n', 'policy_rejected'],
  ['defers us', '451 4.7.1 rate limited\r\n', 'rcpt_deferred'],
  ['greylists', '450 4.2.0 greylisted\r\n', 'rcpt_deferred'],
  ['closes', [close], 'connection_error'],
  ['resets', [reset], 'connection_error'],
  ['hangs', silence, 'timeout'],
  ['talks garbage', 'what?\r\n', 'protocol_error'],
  ['answers twice', '550 5.1.1 no such user here\r\n550 5.1.1 no such user here\r\n', 'protocol_error'],
  ['keeps us waiting', [wait(20_000), '550 5.1.1 no such user here\r\n'], 'no_such_mailbox'],
])('a domain for which a host %s hurts none of its neighbours', async (_what, answer, kind) => {
  for (const greeting of ['220 mx.test ESMTP\r\n', '220 mx.test ESMTP Postfix\r\n']) {
    const { world, outcomes } = await probeBeside(() => answer, greeting);
    for (const [d, outcome] of outcomes.entries())
      if (d === BAD) expect(outcome.kind).toBe(kind);
      else expect(outcome).toEqual(ACCEPTED);
    expect(world.engine.cooling()).toBe(0);
    expect(world.clock.now()).toBeLessThan(90_000);
  }
});

test('a domain of which a host thinks otherwise from session to session gets no verdict of another', async () => {
  const says = [
    '250 2.1.5 ok\r\n',
    '450 4.2.0 greylisted\r\n',
    '550 5.7.1 not you\r\n',
    '550 5.1.1 no such user here\r\n',
  ];
  const { outcomes } = await probeBeside(
    (_, { number }) => says[number % says.length] ?? null,
    '220 mx.test ESMTP\r\n',
  );
  expect(outcomes.filter((_, d) => d !== BAD)).toEqual(addresses.slice(1).map(() => ACCEPTED));
});
