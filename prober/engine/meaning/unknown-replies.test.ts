import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';

test('an engine tells which replies to RCPT nothing explains, without the names in them', async () => {
  const world = new MailWorld();
  for (const [i, net] of ['11.1.1', '12.1.1', '13.1.1'].entries()) {
    const rcpt = (mailbox: string): string => `550 ${mailbox} at odds with d${i}.test, says ${mailbox.slice(0, 2)}\r\n`;
    world.domain(`d${i}.test`, { rcpt }, `${net}.9`);
  }
  await world.probe(['jo@d0.test', 'al@d1.test']);
  expect(world.engine.unknownReplies(10)).toEqual([]);
  await world.probe(['ed@d2.test']);
  expect(world.engine.unknownReplies(10)).toEqual([
    { template: '550 - <address> at odds with <host> , says <address>', count: 3, networks: 3 },
  ]);
});
