import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { classify } from './classify.ts';
import { isEveryNth, secondControl, testable, type Tried } from './controls.ts';
import { areAlike, maskReply } from './masked-reply.ts';
import { readReply } from './outcome.ts';

type Named = { readonly local: string; readonly utf8: boolean };

const DOMAIN = 'd.example';
const ODD = '550 zzyzx';
const OK = '250 ok';

function tried(local: string, raw: string): Tried<Named> {
  const asked = { local, domain: DOMAIN };
  const answer = readReply(classify, 'rcpt', rawReply(raw), asked);
  return { ...answer, recipient: { local, utf8: false }, masked: testable(answer, asked) };
}

const alike = (a: string, b: string): boolean =>
  areAlike(
    maskReply(rawReply(a), { local: 'jo', domain: DOMAIN }),
    maskReply(rawReply(b), { local: 'made.up7', domain: DOMAIN }),
  );

const second = (...said: readonly (readonly [string, string])[]): string => {
  const control = secondControl(
    said.map(([local, raw]) => tried(local, raw)),
    null,
    [],
  );
  return control === null ? 'none' : `${control.kind} ${control.recipient.local}`;
};

describe('the replies that get controls', () => {
  test.each([
    ['550 zzyzx', true],
    ['550', true],
    ['554 5.0.0 zzyzx', true],
    ['550 5.1.1 zzyzx', true],
    ['552 5.2.2 zzyzx', true],
    ["500 Error: (KeyError) 'jo@d.example'", true],
    ['500 Error: (IndexError) list index out of range', true],
    ['554 5.3.5 no such file', true],
    ['500 Error: (TimeoutError)', false],
    ['450 zzyzx', false],
    ['550 no such user', false],
    ['550 5.7.1 zzyzx', false],
    ['554 5.7.1 <jo@d.example>: Recipient address rejected: Access denied', true],
    ['521 zzyzx', false],
    ['550 zzyzx your IP', false],
    ['550 zzyzx greylisted', false],
    ['550 zzyzx rate', false],
    ['550 zzyzx temporarily', false],
    ['550 zzyzx database error', false],
    ['550 mailbox might be disabled, full, or may not exist', false],
    [`550 ${'zzyzx '.repeat(500)}`, false],
  ])('%s: %s', (raw, is) => {
    expect(tried('jo', raw).masked !== null).toBe(is);
  });
});

describe('two replies are alike', () => {
  test.each([
    ['550 <jo@d.example> zzyzx', '550 <MADE.UP7@d.example> zzyzx', true],
    ['550 jo zzyzx', '550 made.up7 zzyzx', true],
    ['550 jo: we know no jo', '550 made.up7: we know no made.up7', true],
    ['550 zzyzx 10:04:59.1 4Xb2Qk1zzz 48151', '550 zzyzx 10:05:00.9 5Yc3Rl2aaa 62342', true],
    ['550 zzyzx OFR_416', '550 zzyzx OFR_102', false],
    ['550 zzyzx 12', '550 zzyzx 13', false],
    ['550 zzyzx', '551 zzyzx', false],
    ['550 5.0.0 zzyzx', '550 5.0.1 zzyzx', false],
    ['550 zzyzx', '550 zzyzx!', false],
    ['550 \u{e000} zzyzx', '550 <made.up7@d.example> zzyzx', false],
    ['550 other@e.example zzyzx', '550 made.up7@d.example zzyzx', false],
  ])('%s and %s: %s', (a, b, is) => {
    expect(alike(a, b)).toBe(is);
  });

  test('holds for any reply and itself, but not for another code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (text, local, other) => {
        const reply = { code: 550, enhanced: null, lines: [text.replaceAll(/[\r\n]/g, ' ')] };
        const masked = maskReply(reply, { local, domain: DOMAIN });
        expect(areAlike(masked, masked)).toBe(true);
        expect(areAlike(masked, maskReply({ ...reply, code: 551 }, { local: other, domain: DOMAIN }))).toBe(false);
      }),
    );
  });
});

describe('the second control', () => {
  /** The recipients in order; `+` accepted, `-` refused with unexplained words, or the reply itself. */
  test.each([
    ['accepted a', 'a+ t-'],
    ['accepted a', 'a+ b+ t- c+'],
    ['target t', 't- a+'],
    ['target t', 'a+ t- b+'],
    ['target u', 'a+ b+ t- c+ d+ u- e+ f+'],
    ['none', 'a+ t- b=450 later'],
    ['none', 't- u-'],
    ['none', 'a+ t=550 5.7.1 zzyzx'],
    ['none', 'postmaster+ t-'],
    ['none', 'Abuse+ t-'],
    ['accepted postmaster', 'postmaster+ t=550 <t@d.example> zzyzx'],
    ['accepted a', 'postmaster+ a+ t=550 5.1.0 zzyzx'],
  ])('is %s after %s', (control, asked) => {
    const said = [...asked.matchAll(/(\w+)(?:([+-])|=(.*))/g)].map(
      ([, local = '', sign, words]) => [local, words ?? (sign === '+' ? OK : ODD)] as const,
    );
    expect(second(...said)).toBe(control);
  });

  test('may come from an earlier session, and is missing if the made-up mailbox got another reply', () => {
    const record = [tried('t', ODD)];
    const earlier = [{ local: 'a', utf8: false }];
    expect(secondControl(record, null, earlier)).toEqual({ kind: 'accepted', recipient: earlier[0] });
    expect(secondControl(record, tried('made.up7', ODD), earlier)).not.toBeNull();
    expect(secondControl(record, tried('made.up7', OK), earlier)).toBeNull();
  });

  test('never fits a server that refuses every nth', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (refusals) => {
        const control = secondControl(
          refusals.map((is, i) => tried(`u${i}`, is ? ODD : OK)),
          null,
          [],
        );
        if (control === null) return;
        expect(isEveryNth([...refusals, true, control.kind === 'target'])).toBe(false);
      }),
    );
  });
});

test('every nth recipient is recognized, with any offset', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.nat(8), fc.integer({ min: 1, max: 40 }), (n, from, count) => {
      const refusals = Array.from({ length: count }, (_, i) => (i + from) % n === 0);
      expect(isEveryNth(refusals)).toBe(refusals.filter(Boolean).length > 1);
    }),
  );
});
