import { expect, test } from 'vitest';
import { signInAddressSchema } from './sign-in-address.ts';

test.each([
  ['Ann@Example.com ', 'ann@example.com'],
  ['ann+tag@example.com', 'ann+tag@example.com'],
  ['\u202aan\u200bn@example.com\u061c', 'ann@example.com'],
  ['ä@bücher.example', 'ä@xn--bcher-kva.example'],
])('%j signs in as %s', (text, identity) => {
  expect(signInAddressSchema.parse(text)).toBe(identity);
});

test.each([
  ['a quoted name, which may be a sentence', '"Claim your prize at evil.example"@example.com'],
  ['a quoted name without need', '"ann"@example.com'],
  ['an address literal', 'ann@[192.0.2.1]'],
  ['a name that reads as an IP address', 'ann@192.0.2.1'],
  ['no address', 'ann'],
  ['what is longer than an address', `ann@${'a.'.repeat(160)}com`],
])('%s does not: %s', (_what, text) => {
  expect(signInAddressSchema.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
    'must be an email address without quotation marks, such as ann@example.com',
  ]);
});
