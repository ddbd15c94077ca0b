import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meantAddress, parseAddress } from './address.ts';
import { spelling } from './words/result.ts';
import { runs } from './testing/fuzz.ts';

// What holds of every address and of everything that is none; address.test.ts has the cases.

const octets = (text: string): number => new TextEncoder().encode(text).length;
const wire = (entry: string): string | null => parseAddress(entry)?.identity ?? null;
describe('for any entry', () => {
  const hostile = fc.constantFrom(
    ...'@."\\<>[]():;, \t\r\n\0+-_%/?#aA1é\u0308\u3002\u212a\u037e\u0130\u1e9eßΣς\u00ad\u200d\ufeff\u2028\u{1f600}\u05d0'.split(
      '',
    ),
    '::',
    'ipv6:',
    'xn--',
    '0x',
    '\r\n',
    '\ud800',
  );
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.array(hostile, { maxLength: 20 }).map((parts) => parts.join('')),
  );
  const label = fc.oneof(
    fc.stringMatching(/^[a-z0-9]{1,8}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
  );
  const entry = fc.oneof(
    text,
    fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}`),
    fc
      .tuple(text, fc.array(label, { minLength: 1, maxLength: 4 }))
      .map(([local, labels]) => `${local}@${labels.join('.')}`),
    fc.tuple(text, label).map(([inside, domain]) => `"${inside}"@${domain}`),
    fc.tuple(label, text).map(([local, inside]) => `${local}@[${inside}]`),
  );
  const many = { numRuns: runs(5_000) };

  it('nothing reaches the wire that could end a command or its path, or is longer than it may be', () => {
    fc.assert(
      fc.property(entry, (given) => {
        const address = parseAddress(given);
        if (address === null) return;
        expect(address.identity).not.toMatch(/[\r\n\0]/);
        if (!address.local.startsWith('"')) expect(address.local).not.toMatch(/[<> "\\@]/);
        else expect(address.local).toMatch(/^"([^"\\]|\\[\x20-\x7e])*"$/u);
        expect(octets(address.local)).toBeLessThanOrEqual(64);
        expect(octets(address.identity)).toBeLessThanOrEqual(254);
        expect(address.domain.split('.').every((part) => part.length > 0 && part.length <= 63)).toBe(true);
        expect(address.domain).toMatch(/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[a-z0-9.:]+\])$/);
      }),
      many,
    );
  });

  it('the normal form and spellings that differ in case or space have the same identity', () => {
    fc.assert(
      fc.property(entry, (given) => {
        const address = parseAddress(given);
        if (address === null) return;
        expect(parseAddress(address.identity)).toEqual({ ...address, email: spelling(address.identity) });
        expect(wire(address.email)).toBe(address.identity);
        expect(wire(` ${given}\n`)).toBe(address.identity);
        expect(spelling(address.email)).toBe(address.email);
      }),
      many,
    );
  });
});

const every = (pattern: RegExp): string[] =>
  Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((char) => pattern.test(char));

describe('a mark that nobody sees', () => {
  const around = every(/^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u);
  const inside = every(/^\p{Default_Ignorable_Code_Point}$/u);

  it('makes no difference at either end of an address', () => {
    const plain = parseAddress('ann@a.test');
    for (const mark of around)
      for (const pasted of [`${mark}Ann@a.test`, `ann@a.test${mark}`, `${mark} ${mark}ann@a.test\n${mark}`])
        expect(parseAddress(pasted), JSON.stringify(pasted)).toEqual(plain);
  });

  it('makes a local part invalid, with the address without it as a suggestion, unless it spells something', () => {
    for (const mark of inside) {
      const entry = `an${mark}n@a.test`;
      const isPart = /^[\u200c\u200d\p{Variation_Selector}]$/u.test(mark);
      expect(parseAddress(entry)?.email ?? null, JSON.stringify(entry)).toBe(isPart ? entry : null);
      expect(meantAddress(entry), JSON.stringify(entry)).toBe(isPart ? null : 'ann@a.test');
    }
  });

  it('suggests nothing for what is no address without it either, or for a domain', () => {
    const entries = [
      'a\u200bnn',
      'a\u200bnn@',
      '\u200b@a.test',
      'a\u200b n@a.test',
      'ann@a\u061c.test',
      'a\u200bn\u0085@a.test',
    ];
    expect(entries.map(meantAddress)).toEqual(entries.map(() => null));
    expect(parseAddress('ann@\u200ba\u00ad.test')?.identity).toBe('ann@a.test');
  });
});
