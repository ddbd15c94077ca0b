import { expect, test } from 'vitest';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import { readReply } from '../meaning/outcome.ts';
import { ClientRefusals } from './client-refusals.ts';

function hearing(...replies: readonly string[]): ClientRefusals {
  const heard = new ClientRefusals();
  for (const raw of replies) heard.record(readReply(classifyPlainly, 'rcpt', rawReply(raw)));
  return heard;
}

test.each([
  ['nothing yet', [], false, 2],
  ['an acceptance', ['250 ok'], false, Infinity],
  ['an unknown mailbox', ['550 5.1.1 no such'], false, Infinity],
  ['a refusal of the client', ['550 5.7.1 no'], false, 1],
  ['an acceptance, then a refusal of the client', ['250 ok', '550 5.7.1 no'], false, 1],
  ['two refusals of the client alike', ['550 5.7.1 no', '550 5.7.1 no'], true, 0],
  ['three of them', ['550 5.7.1 no', '550 5.7.1 no', '550 5.7.1 no'], true, -1],
  ['another code between', ['550 5.7.1 no', '554 5.7.1 no'], false, 1],
  ['another enhanced code between', ['550 5.7.1 no', '550 5.7.25 no'], false, 1],
  ['another reply between', ['550 5.7.1 no', '250 ok', '550 5.7.1 no'], false, 1],
  ['two refusals to relay', ['550 relay', '550 relay'], true, 0],
  ['two goodbyes', ['421 busy', '421 busy'], true, 0],
  ['two deferrals of recipients', ['450 later', '450 later'], false, Infinity],
  ['two refusals that explain nothing', ['550 hmm', '550 hmm'], false, Infinity],
])('after %s', (_what, replies, refused, window) => {
  expect(hearing(...replies)).toMatchObject({ refused, window });
});

const ENDS = '421 4.7.0 go away\r\n';
const REFUSES_US = '550 5.7.1 not welcome\r\n';
const SLOW_DOWN = '450 4.7.1 slow down\r\n';

test('a doubted refusal that ends no session may be one recipient’s, however often it is repeated', () => {
  const heard = hearing(REFUSES_US);
  heard.doubt();
  heard.record(readReply(classifyPlainly, 'rcpt', rawReply(REFUSES_US)));
  expect([heard.refused, heard.window]).toEqual([false, 1]);
});

test.each([
  ['alike', ENDS, true],
  ['in another way', SLOW_DOWN, false],
  ['not at all', '250 2.1.5 ok\r\n', false],
])('a doubted end of a session that the own session repeats %s', (_how, again, refused) => {
  const heard = hearing(ENDS);
  heard.doubt();
  expect([heard.refused, heard.window]).toEqual([false, 1]);
  heard.record(readReply(classifyPlainly, 'rcpt', rawReply(again)));
  expect(heard.refused).toBe(refused);
});

test('a doubt ends with the next reply of any kind, and with a new start', () => {
  for (const between of ['250 2.1.5 ok\r\n', SLOW_DOWN]) {
    const heard = hearing(ENDS);
    heard.doubt();
    for (const raw of [between, ENDS]) heard.record(readReply(classifyPlainly, 'rcpt', rawReply(raw)));
    expect(heard.refused).toBe(false);
  }
  const anew = hearing(ENDS);
  anew.doubt();
  anew.startOver();
  anew.record(readReply(classifyPlainly, 'rcpt', rawReply(ENDS)));
  expect(anew.refused).toBe(false);
});
