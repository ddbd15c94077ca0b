import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { close, silence, wait, say } from '../../testing/script.ts';
import type { EngineObserver } from '../ports/observer.ts';
import { DEFAULTS } from '../ports/settings.ts';

/** What an observer was told, one line per call. */
function record() {
  const told: string[] = [];
  const tell =
    (what: string) =>
    (...values: readonly unknown[]) =>
      void told.push([what, ...values.map((value) => JSON.stringify(value))].join(' '));
  const observer: EngineObserver = {
    lookedUp: () => {},
    waitedForLimits: tell('waited'),
    providerRests: tell('rested'),
    sessionEnded: tell('ended'),
  };
  return { told, observer };
}

const OTHER = '{"provider":null,"egress":0}';

test('an ordinary session is reported when it may begin and when it ends', async () => {
  const { told, observer } = record();
  const world = new MailWorld({ observer }, 25);
  world.domain('d.test', {});
  await world.outcome('nobody@d.test');
  expect(told).toEqual(['waited null 0', `ended ${OTHER} "served"`]);
});

test.each([
  ['a greeting that refuses', '554 go away\r\n', ['ended "greeting_refused"']],
  ['words of a block list', '554 blocked by RBL\r\n', ['ended "greeting_refused"']],
  ['a greeting that says "later"', '450 later\r\n', ['ended "greeting_deferred"']],
  ['no greeting', silence, ['ended "greeting_timeout"']],
  ['a connection that is closed at once', [close], ['ended "greeting_lost"']],
  ['bytes that are not SMTP', 'HTTP/1.1 400\r\n\r\n', ['ended "greeting_garbage"']],
] as const)('%s is a session that ended before any recipient', async (_what, greeting, expected) => {
  const { told, observer } = record();
  const world = new MailWorld({ observer });
  world.domain('d.test', { greeting });
  await world.outcome('nobody@d.test');
  const ends = told.filter((line) => line.startsWith('ended'));
  expect(ends).toEqual(expected.map((line) => line.replace(' ', ` ${OTHER} `)));
});

test('every session is reported as ended once, however the server behaves', async () => {
  const { told, observer } = record();
  const world = new MailWorld({ observer });
  const scripts = [
    { rcpt: () => silence },
    { rcpt: () => [close] },
    { rcpt: () => '421 4.7.0 too fast\r\n' },
    { rcpt: () => '451 4.7.1 greylisted\r\n' },
    { on: (line: string) => (line.startsWith('MAIL') ? '550 5.7.1 blocked by spamhaus\r\n' : undefined) },
    { on: (line: string) => (line.startsWith('RSET') ? [close] : undefined), mailboxes: ['a@d5.test'] },
    { greeting: [wait(200), say('220 slow\r\n')], mailboxes: ['a@d6.test'] },
  ];
  for (const [n, script] of scripts.entries()) world.domain(`d${n}.test`, script);
  await world.outcomes(scripts.map((_, n) => `a@d${n}.test`));
  const begun = told.filter((line) => line.startsWith('waited')).length;
  expect(begun).toBeGreaterThan(scripts.length);
  expect(told.filter((line) => line.startsWith('ended'))).toHaveLength(begun);
  expect(told.join('\n')).not.toMatch(/\.test|@/);
});

test('a session without any recipient when the batch ends was cut off', async () => {
  const { told, observer } = record();
  const world = new MailWorld({ observer });
  world.domain('d.test', { greeting: silence });
  await world.outcomes(['a@d.test'], 3_000);
  expect(told.at(-1)).toBe(`ended ${OTHER} "cut_off"`);
});

test('a listed provider is named, and a wait for its limits is counted until it ends', async () => {
  const { told, observer } = record();
  const egress = [
    { ip: null, heloName: 'a.example.net' },
    { ip: '198.51.100.2', heloName: 'b.example.net' },
  ] as const;
  const provider = { ...DEFAULTS.limits.providers.find((row) => row.provider === 'orange') };
  const world = new MailWorld({ observer, egress }, 25);
  for (let n = 0; n < 12; n += 1) world.mx(`d${n}.test`, ['smtp-in.orange.fr']);
  world.host('smtp-in.orange.fr', ['11.0.9.9']);
  world.serve('11.0.9.9', { rcpt: () => '550 5.1.1 no\r\n' });
  const addresses = Array.from({ length: 12 }, (_, n) => `a@d${n}.test`);
  // An account opens no more sessions than there are slots: only another one has to wait.
  await Promise.all([world.probe(addresses, 90_000, 1), world.probe(addresses, 90_000, 2)]);
  expect(provider.connections).toBe(2);
  expect(told.some((line) => /^waited "orange" [1-9]/.test(line))).toBe(true);
  expect(new Set(told.filter((line) => line.startsWith('ended')))).toEqual(
    new Set([
      'ended {"provider":"orange","egress":0} "undecided"',
      'ended {"provider":"orange","egress":1} "undecided"',
    ]),
  );
});

test("a provider's cool-down is reported with its name, reason and length", async () => {
  const { told, observer } = record();
  const world = new MailWorld({ observer });
  for (const n of [1, 2, 3]) {
    world.mx(`d${n}.test`, [`smtp-in.orange.fr`]);
    world.serve(`11.0.8.${n}`, { greeting: '554 5.7.1 blocked by spamhaus\r\n' });
  }
  world.host('smtp-in.orange.fr', ['11.0.8.1', '11.0.8.2', '11.0.8.3']);
  await world.outcomes(['a@d1.test']);
  const seat = '{"provider":"orange","egress":0}';
  expect(told.filter((line) => line.startsWith('rested'))).toEqual([`rested ${seat} "blocked" 3600000`]);
});
