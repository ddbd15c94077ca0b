import { expect, test } from 'vitest';
import { DISTINCT, SHORT } from '../schema/typo/typo-targets.ts';
import { isUnfinished } from '../schema/client/form/asked.ts';

test('a form asks nothing while a person may still be typing the domain of a large provider', () => {
  for (const domain of [...DISTINCT, ...SHORT])
    for (let length = 1; length < domain.length; length += 1)
      expect([domain.slice(0, length), isUnfinished(`ann@${domain.slice(0, length)}`)]).toEqual([
        domain.slice(0, length),
        true,
      ]);
});

test.each(['ann@gmail.com', 'ann@yahoo.fr', 'a@b.co.uk', 'jörg@bücher.example', 'ann@yahoo.community'])(
  'it does about %s',
  (email) => expect(isUnfinished(email)).toBe(false),
);

test.each(['', 'ann', 'ann@', 'ann@shop', 'ann@shop.', 'ann@.', 'ann@shop.d', '@shop.example', 'a@b@c.de'])(
  'it waits for the rest of %s',
  (email) => expect(isUnfinished(email)).toBe(true),
);
