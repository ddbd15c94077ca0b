import { Resolver } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { describeReal } from './describe-real.ts';
import { ask, blurt, converse } from '../../testing/dialogue.ts';
import { BREACH } from './breach.ts';
import { probeAlone } from './probe-alone.ts';
import { SERVERS, type Server } from './servers.ts';
import { MX_MANY } from './zones.ts';

// What the servers themselves say: the ground that the other tests on real servers stand on.

describeReal('the mail world', (world) => {
  const say = (server: Server, ...recipients: string[]) =>
    converse(SERVERS[server], world().smtpPort, ask(...recipients.map((recipient) => `${recipient}.real.test`)));
  const last = async (server: Server, recipient: string) => (await say(server, recipient)).at(-1);

  test.for([
    ['postfix', 'anna@mailbox', /^250 2\.1\.5/],
    ['postfix', 'u499@mailbox', /^250 2\.1\.5/],
    ['postfix', 'nobody@mailbox', /^550 5\.1\.1 .*User unknown/],
    ['postfix', 'full@mailbox', /^452 4\.2\.2 .*over quota/],
    ['postfix', 'quota@mailbox', /^552 5\.2\.2 /],
    ['postfix', 'disabled@mailbox', /^550 5\.2\.1 /],
    ['postfix', 'moved@mailbox', /^550 5\.1\.6 .*has moved/],
    ['postfix', 'whoever@catchall', /^250 2\.1\.5/],
    ['postfix', 'anna@relay', /^554 5\.7\.1 .*Relay access denied/],
    ['greylisting', 'anna@greylist', /^450 4\.2\.0 .*Greylisted/],
    ['greylisting', 'nobody@greylist', /^550 5\.1\.1 /],
    ['tls', 'anna@tls', /^530 5\.7\.0 Must issue a STARTTLS/],
    ['plain', 'anna@plain', /^250 2\.1\.5/],
    ['refusesClient', 'anna@no-client', /^554 5\.7\.1 .*Client host rejected/],
    ['exim', 'anna@exim', /^250 Accepted/],
    ['exim', 'nobody@exim', /^550 Unrouteable address/],
    ['exim', 'full@exim', /^452 4\.2\.2 /],
    ['exim', 'later@exim', /^451 greylisted/],
    ['exim', 'anna@relay', /^550 relay not permitted/],
    ['courier', 'anna@courier', /^250 Ok/],
    ['sendmail', 'anna@sendmail', /^250 2\.1\.5 /],
    ['sendmail', 'nobody@sendmail', /^550 5\.1\.1 .*User unknown/],
  ] as const)('%s answers for %s as it should', async ([server, recipient, reply]) => {
    expect(await last(server, recipient)).toMatch(reply);
  });

  test('servers that refuse the prober do so at their own stage', async () => {
    const stages = ['refusesConnection', 'defersClient', 'refusesHelo', 'refusesSender', 'refusesClient'] as const;
    const replies = await Promise.all(stages.map((server) => say(server, 'anna@mailbox')));
    expect(replies.map((lines) => lines.findIndex((line) => /^[45]/.test(line)))).toEqual([0, 0, 1, 2, 3]);
  });

  test('a tight server ends the session at the third error, and the transaction at the fifth recipient', async () => {
    const errors = await say('tight', 'a@tight', 'b@tight', 'c@tight', 'd@tight');
    expect(errors.at(-1)).toMatch(/^421 4\.7\.0 .*too many errors/);
    const many = await say('tight', ...[0, 1, 2, 3, 4, 5].map((i) => `u00${i}@tight`));
    expect(many.at(-1)).toMatch(/^452 4\.5\.3 .*too many recipients/);
  });

  test.for([
    ['postfix', /^554 5\.5\.0 .*synchronization/m, 'smtpd'],
    ['postscreen', /^550 5\.5\.1 Protocol error/m, 'postscreen'],
    ['eximSlow', /^554 SMTP synchronization error/m, 'SMTP'],
  ] as const)('%s punishes a client that talks out of turn, and logs it', async ([server, punishment, logged]) => {
    const all = [...ask('anna@mailbox.real.test'), 'QUIT'].map((command) => `${command}\r\n`).join('');
    expect(await blurt(SERVERS[server], world().smtpPort, all)).toMatch(punishment);
    // The log is written by another process, which takes its time.
    const lines = (): string[] =>
      world()
        .logOf(server === 'eximSlow' ? 'exim' : 'postfix')
        .split('\n');
    await expect.poll(() => lines().some((line) => line.includes(logged) && BREACH.test(line))).toBe(true);
  });

  test('postscreen waits before it greets, and its deep tests defer the first session only', async () => {
    const [first, deep] = await Promise.all([
      say('postscreen', 'anna@postscreen'),
      say('postscreenDeep', 'anna@postscreen-deep'),
    ]);
    expect(first.at(-1)).toMatch(/^250 2\.1\.5/);
    expect(deep.at(-1)).toMatch(/^450 4\.3\.2/);
    expect(await last('postscreenDeep', 'anna@postscreen-deep')).toMatch(/^250 2\.1\.5/);
  });

  test('exim that offered PIPECONNECT is talked to before it greets, and says what it said in due order', async () => {
    const { probe, lines } = probeAlone(world(), '127.0.0.1');
    const refused = async (): Promise<unknown[]> => (await probe(['nobody@exim'])).map(({ kind }) => kind);
    expect([await refused(), await refused()]).toEqual([['no_such_mailbox'], ['no_such_mailbox']]);
    const second = lines.filter(({ session, direction }) => session === 2 && direction !== 'note');
    expect(second.slice(0, 4).map(({ line }) => line.slice(0, 4))).toEqual(['EHLO', 'MAIL', 'RCPT', '220 ']);
  });

  test('the name server gives every kind of answer', async () => {
    const resolver = new Resolver({ timeout: 2_000, tries: 1 });
    resolver.setServers([world().nameServer]);
    const mx = (domain: string) =>
      resolver.resolveMx(domain).then(
        (records) => records.map(({ exchange }) => exchange).join(' '),
        (error: Error & { code?: string }) => error.code,
      );
    expect(await mx('mailbox.real.test')).toBe('mx.postfix.test');
    expect(await mx('null-mx.real.test')).toBe('');
    expect(await mx('no-such-domain.real.test')).toBe('ENOTFOUND');
    expect(await mx('textonly.real.test')).toBe('ENODATA');
    expect(await mx('any.broken.test')).toBe('ESERVFAIL');
    expect(await mx('any.foreign.example')).toBe('EREFUSED');
    expect((await mx('many.real.test'))?.split(' ')).toHaveLength(MX_MANY);
  });
});
