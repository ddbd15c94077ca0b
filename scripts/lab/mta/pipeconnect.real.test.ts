import { expect, test } from 'vitest';
import { describeReal } from './describe-real.ts';
import { probeAlone } from './probe-alone.ts';

describeReal('PIPECONNECT', (world) => {
  test('an Exim that offered it is talked to before it greets, and answers in due order', async () => {
    const { probe, lines } = probeAlone(world(), '127.0.0.1');
    const refused = async (): Promise<unknown[]> => (await probe(['nobody@exim'])).map(({ kind }) => kind);
    expect([await refused(), await refused()]).toEqual([['no_such_mailbox'], ['no_such_mailbox']]);
    const second = lines.filter(({ session, direction }) => session === 2 && direction !== 'note');
    expect(second.slice(0, 4).map(({ line }) => line.slice(0, 4))).toEqual(['EHLO', 'MAIL', 'RCPT', '220 ']);
  });
});
