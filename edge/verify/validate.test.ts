import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestError } from '../../schema/errors.ts';
import { validate } from './validate.ts';

const utf8 = new TextEncoder();
const bytes = (text: string): Uint8Array => utf8.encode(text);
const body = (emails: unknown): Uint8Array => bytes(JSON.stringify({ emails }));

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RequestError) return error.failure;
    throw error;
  }
  return 'none';
}

describe('validate', () => {
  it.each([
    ['no body', bytes('')],
    ['white space', bytes(' \n')],
    ['no JSON', bytes('emails=a@b.test')],
    ['half a body', bytes('{"emails":["a@b.test"')],
    ['a JSON string', bytes('"a@b.test"')],
    ['a JSON array', bytes('["a@b.test"]')],
    ['null', bytes('null')],
    ['an object without emails', bytes('{"email":"a@b.test"}')],
    ['emails null', body(null)],
    ['emails an object', body({ 0: 'a@b.test' })],
    ['emails a number', body(1)],
    ['emails a string', body('a@b.test')],
    ['emails empty', body([])],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['half a UTF-8 sequence', bytes('{"emails":["ä"]}').slice(0, 13)],
    ['an entry nested a thousand deep', bytes(`{"emails":[${'['.repeat(1000)}${']'.repeat(1000)}]}`)],
    ['an entry nested 20,000 deep', bytes(`{"emails":[${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}]}`)],
    ['20,000 brackets and no end', bytes('['.repeat(20_000))],
  ])('rejects %s', (_name, input) => {
    expect(failureOf(() => validate(input, null, 500))).toBe('INVALID_INPUT');
  });

  it.each(['gzip', 'br', 'identity, gzip', ''])('rejects Content-Encoding "%s"', (encoding) => {
    expect(failureOf(() => validate(body(['a@b.test']), encoding, 500))).toBe('INVALID_INPUT');
  });

  it.each([null, 'identity', ' Identity '])('accepts Content-Encoding "%s"', (encoding) => {
    expect(validate(body(['a@b.test']), encoding, 500).slots).toHaveLength(1);
  });

  it('accepts as many entries as are allowed and not one more', () => {
    expect(validate(body(Array(500).fill('a@b.test')), null, 500).slots).toHaveLength(500);
    expect(failureOf(() => validate(body(Array(501).fill('a@b.test')), null, 500))).toBe('TOO_MANY');
  });

  it('ignores unknown fields, a byte order mark and the order of fields', () => {
    expect(validate(bytes('\u{feff}{"x":[[]],"emails":["a@b.test"],"y":1}'), null, 500).addresses).toEqual([
      { index: 0, local: 'a', domain: 'b.test' },
    ]);
  });

  it('sends an address once for all its spellings, and keeps each spelling', () => {
    const { slots, addresses } = validate(body([' A@B.Test', 'a@b.test', 'a@B.TEST ']), null, 500);
    expect(addresses).toEqual([{ index: 0, local: 'a', domain: 'b.test' }]);
    expect(slots.map((slot) => slot.kind === 'address' && [slot.index, slot.address])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
  });

  it.each([
    ['CR LF inside', 'a@b.test\r\nRCPT TO:<c@d.test>'],
    ['300 characters', `${'a'.repeat(300)}@b.test`],
    ['nothing', ''],
    ['a lone surrogate', '\ud800@b.test'],
  ])('treats an entry with %s as no address', (_name, entry) => {
    const { slots, addresses } = validate(body([entry]), null, 500);
    expect(slots[0]?.kind).toBe('no_address');
    expect(addresses).toEqual([]);
  });

  it('has one slot per entry and echoes non-strings, for any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 5 }), { minLength: 1, maxLength: 20 }), (emails) => {
        const { slots } = validate(body(emails), null, 500);
        expect(slots).toHaveLength(emails.length);
        for (const [i, slot] of slots.entries())
          if (slot.kind === 'no_text') expect(JSON.stringify(slot.entry)).toBe(JSON.stringify(emails[i]));
          else expect(typeof emails[i]).toBe('string');
      }),
    );
  });

  it.each(['12345678901234567890', '1e400', '-1E+999', '[9007199254740993]', '{"a":-9007199254740993}'])(
    'echoes %s digit for digit, although no double can hold it',
    (entry) => {
      const input = new TextEncoder().encode(`{"emails":["a@b.test",${entry},0.1,7e-1]}`);
      const echoed = validate(input, null, 500).slots.map((slot) => (slot.kind === 'no_text' ? slot.entry : null));
      expect(JSON.stringify(echoed)).toBe(`[null,${entry},0.1,0.7]`);
    },
  );

  it('fails only in documented ways, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        expect(['none', 'INVALID_INPUT', 'TOO_MANY']).toContain(failureOf(() => validate(input, null, 2)));
      }),
    );
  });
});
