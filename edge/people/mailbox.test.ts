import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';

describe('the mailbox of an address', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['ann+1@example.com', 'ann@example.com'],
    ['ann+1+2@example.com', 'ann@example.com'],
    ['a.n.n@example.com', 'a.n.n@example.com'],
    ['ann-1@example.com', 'ann-1@example.com'],
    ['+ann@example.com', '+ann@example.com'],
    ['a.n.n+x@gmail.com', 'ann@gmail.com'],
    ['ann@googlemail.com', 'ann@gmail.com'],
    ['ann+x@hotmail.co.uk', 'ann@hotmail.co.uk'],
    ['an.n@outlook.com', 'an.n@outlook.com'],
    ['base-shop@yahoo.com', 'base@yahoo.com'],
    ['base-shop+1@yahoo.de', 'base@yahoo.de'],
    ['base-shop@aol.com', 'base@aol.com'],
    ['base-shop@yahoo.co.jp', 'base-shop@yahoo.co.jp'],
    ['a_n-n.x+1@pm.me', 'annx@proton.me'],
    ['annx@protonmail.com', 'annx@proton.me'],
    ['ann+x@me.com', 'ann@icloud.com'],
    ['ann@mac.com', 'ann@icloud.com'],
    ['a-n@ya.ru', 'an@yandex.ru'],
    ['a.n@yandex.com', 'an@yandex.ru'],
    ['ann+x@fastmail.com', 'ann@fastmail.com'],
    ['anything@ann.fastmail.com', 'ann@fastmail.com'],
    ['other@ann.fastmail.fm', 'ann@fastmail.fm'],
    ['ann@x.gmail.com', 'ann@x.gmail.com'],
    ['-@proton.me', '-@proton.me'],
    ['ann@localhost', 'ann@localhost'],
  ])('%s is %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });

  test('is its own mailbox, for any input', () => {
    const local = fc.stringMatching(/^[a-z+._-]{1,20}$/);
    const domain = fc.constantFrom('gmail.com', 'ya.ru', 'proton.me', 'yahoo.com', 'ann.fastmail.com', 'x.test');
    fc.assert(
      fc.property(local, domain, (name, at) => {
        const mailbox = mailboxOf(`${name}@${at}`);
        expect(mailboxOf(mailbox)).toBe(mailbox);
        expect(mailbox).toMatch(/^[^@]+@[^@]+$/);
      }),
    );
  });
});
