import { expect, test } from 'vitest';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes } from '../../testing/one-domain.ts';
import { madeUpLocal } from './random-recipient.ts';

test.each([0, 0.5, 0.999_999])('a made-up local part has eighteen pronounceable letters, for random %d', (chance) => {
  expect(madeUpLocal(() => chance)).toMatch(/^([bdfghjklmnprstvz][aeiou]){9}$/);
});

test.each([1, 2, 3, 4, 5, 10])(
  'the made-up mailbox costs one round trip, shared with the rest, for %i existing addresses',
  async (count) => {
    const oneWayMs = 25;
    const world = new MailWorld({}, oneWayMs);
    world.domain('d.test', { greeting: '220 mx.test ESMTP Postfix\r\n', mailboxes: boxes(count) });
    expect(await world.outcomes(boxes(count))).toEqual(boxes(count).map(() => ACCEPTED));
    // TCP, greeting, EHLO, the first group, and one for all the rest.
    expect(world.clock.now() / (2 * oneWayMs)).toBe(5);
  },
);
