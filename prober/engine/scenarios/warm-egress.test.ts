import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { type Script, type SessionRecord, tls } from '../../testing/script.ts';

// An idle session belongs to the egress address that it was opened from, and to what was agreed in it: it is reused
// only while that address may ask there.

const IP = '11.79.2.1';
const TAKEN = '250 2.1.5 ok\r\n';
const GONE = '550 5.1.1 no such user here\r\n';
const exists = (mailbox: string): string => (mailbox.startsWith('u') ? TAKEN : GONE);
const TWO_ADDRESSES: ConstructorParameters<typeof MailWorld>[0] = {
  egress: [
    { ip: '11.0.0.1', heloName: 'a.example.net' },
    { ip: '11.0.0.2', heloName: 'b.example.net' },
  ],
};

function worldOf(script: Script, settings: ConstructorParameters<typeof MailWorld>[0] = {}) {
  const world = new MailWorld(settings, 10).warm();
  for (let d = 0; d < 4; d += 1) world.mx(`d${d}.test`, ['mx.shared.test']);
  world.host('mx.shared.test', [IP]);
  return { world, server: world.serve(IP, { rcpt: exists, ...script }) };
}

test('a session greets with the name of its egress address, for every batch that uses it', async () => {
  const { world, server } = worldOf({}, TWO_ADDRESSES);
  for (const domain of ['d0.test', 'd1.test', 'd2.test']) await world.probe([`u@${domain}`], 90_000, 1);
  expect(server.sessions.map(({ from, lines }) => [from, lines.filter((line) => line.startsWith('EHLO'))])).toEqual([
    ['11.0.0.1', ['EHLO a.example.net']],
  ]);
});

test('a TLS session is reused as it is: one handshake, and no plain text afterwards', async () => {
  const plain: string[] = [];
  const on = (line: string, session: SessionRecord) => {
    if (!session.secure) plain.push(line.split(' ')[0] ?? '');
    return line === 'STARTTLS' ? ['220 go\r\n', tls('ok')] : undefined;
  };
  const { world, server } = worldOf(
    { offers: ['PIPELINING', 'STARTTLS'], offersSecure: ['PIPELINING'], on },
    { startTls: 'always' },
  );
  await world.probe(['x@d0.test'], 90_000, 1);
  const began = world.clock.now();
  const [evidence] = await world.probe(['x@d1.test'], 90_000, 1);
  expect(evidence?.outcome.kind).toBe('no_such_mailbox');
  expect(world.clock.now() - began).toBe(20);
  expect(server.sessions).toHaveLength(1);
  expect(plain).toEqual(['EHLO', 'STARTTLS']);
});
