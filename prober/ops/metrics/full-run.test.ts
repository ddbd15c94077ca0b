import { expect, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { close, type Script, silence } from '../../testing/script.ts';
import { createMetrics } from './metrics.ts';
import { IDLE_STATUS } from '../../testing/idle-status.ts';

/** Servers of a stranger, who puts a name that he wants to see everywhere he can. */
const SCRIPTS: readonly ((name: string) => Script)[] = [
  (name) => ({ greeting: `220 ${name} ESMTP ${name}\r\n`, mailboxes: [`${name}@${name}.test`] }),
  (name) => ({ greeting: `554 ${name} blocked by ${name}\r\n` }),
  (name) => ({ rcpt: (mailbox) => `550 ${mailbox} of ${name}\r\n` }),
  (name) => ({ rcpt: () => `421 4.7.0 ${name}\r\n` }),
  (name) => ({ rcpt: () => `550 ${name}\r\n`, offers: [name, 'PIPELINING'] }),
  () => ({ greeting: [close] }),
  () => ({ rcpt: () => silence }),
];

/** The metrics page after this many unknown domains were probed, each with its own host. */
async function scrapeAfter(domains: number): Promise<string> {
  const metrics = createMetrics(() => IDLE_STATUS, new FakeClock());
  const world = new MailWorld({ observer: metrics.engine });
  const addresses = Array.from({ length: domains }, (_, n) => {
    const name = `stranger${'abcdefghij'[n % 10]}${n}`;
    const script = SCRIPTS[n % SCRIPTS.length];
    if (script !== undefined) world.domain(`${name}.test`, script(name));
    return `${name}@${name}.test`;
  });
  for (const evidence of await world.probe(addresses, 7_200_000)) metrics.host.evidence(evidence);
  return metrics.text();
}

const seriesOf = (page: string): readonly string[] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('rcpt_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))
    .toSorted();

test('a thousand strangers make the same series as seven, and none of their names is on the page', async () => {
  const few = await scrapeAfter(SCRIPTS.length);
  const many = await scrapeAfter(1_000);
  expect(seriesOf(few).length).toBeGreaterThan(30);
  expect(seriesOf(many)).toEqual(seriesOf(few));
  expect(many).not.toMatch(/stranger|\.test|@|\d+\.\d+\.\d+\.\d+/i);
  expect(many).toMatch(/^rcpt_sessions_total\{provider="other",egress="0",end="served"\} [1-9]\d{2}/m);
});
