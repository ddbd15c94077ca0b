import { expect, test } from 'vitest';
import { MailWorld } from '../testing/mail_world.ts';

test('an address that exists is accepted and the made-up mailbox is refused', async () => {
  const world = new MailWorld();
  const server = world.domain('one.test', { mailboxes: ['ann@one.test'] });
  const [evidence] = await world.probe(['ann@one.test']);
  expect(evidence).toEqual({
    mx: ['mx.one.test'],
    mxFound: true,
    signals: { disposable: false, free: false, role: false, typoOf: null },
    outcome: { kind: 'accepted', reply: { code: 250, enhanced: '2.1.5' }, madeUp: { kind: 'refused' } },
  });
  expect(server.sessions).toHaveLength(1);
  expect(server.sessions[0]?.writes).toEqual([
    'EHLO probe.example.net\r\n',
    'MAIL FROM:<verify@probe.example.net>\r\nRCPT TO:<ann@one.test>\r\n',
    expect.stringMatching(/^RCPT TO:<[a-z]{18}@one\.test>\r\n$/),
    'QUIT\r\n',
  ]);
  expect(world.clock.pending).toBe(0);
  expect(world.bugs).toEqual([]);
});

test('an address that does not exist costs one session and no made-up mailbox', async () => {
  const world = new MailWorld();
  const server = world.domain('one.test', { mailboxes: [] });
  expect(await world.outcome('bob@one.test')).toEqual({
    kind: 'no_such_mailbox',
    reply: { code: 550, enhanced: '5.1.1' },
  });
  expect(server.sessions.map(({ lines }) => lines.length)).toEqual([4]);
});
