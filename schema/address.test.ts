import { describe, expect, it } from 'vitest';
import { parseAddress, toALabels } from './address.ts';
import { spelling } from './words/result.ts';

const name63 = 'a'.repeat(63);
/** 253 octets, the longest name there is; with `a@` an address of 255. */
const name253 = `${`${name63}.`.repeat(3)}${'a'.repeat(61)}`;
const wire = (entry: string): string | null => parseAddress(entry)?.identity ?? null;

describe('a local part', () => {
  it.each([
    ['simple', 'a'],
    ['with dots', 'a.b.c'],
    ['of every atext character', "!#$%&'*+-/=?^_`{|}~0az"],
    ['with a tag', 'a+b+c'],
    ['of 64 octets', 'a'.repeat(64)],
    ['of 64 octets in UTF-8', 'é'.repeat(32)],
    ['of letters beyond ASCII (RFC 6531)', '用户'],
    ['of four octets a letter', '\u{1f600}'],
    ['quoted', '"a b"'],
    ['quoted, with an @', '"a@b"'],
    ['quoted, with a >', '"a>b"'],
    ['quoted, with escapes', '"a\\"b\\\\c"'],
    ['quoted, with dots anywhere', '".a..b."'],
    ['quoted, beyond ASCII', '"é é"'],
    ['quoted, empty', '""'],
  ])('%s is valid', (_name, local) => {
    expect(parseAddress(`${local}@example.com`)).toMatchObject({ local, domain: 'example.com', domainKind: 'name' });
  });

  it.each([
    ['absent', ''],
    ['that begins with a dot', '.a'],
    ['that ends with a dot', 'a.'],
    ['with two dots in a row', 'a..b'],
    ['with a space', 'a b'],
    ['with an @', 'a@b'],
    ['with a tab', 'a\tb'],
    ['with CR LF', 'a\r\nb'],
    ['with NUL', 'a\0b'],
    ['with DEL', 'a\x7fb'],
    ['with an angle bracket', 'a>b'],
    ['in angle brackets', '<a'],
    ['with a comment', 'a(b)'],
    ['with a colon', 'a:b'],
    ['with a semicolon that Unicode has twice', 'a\u037eb'],
    ['with a comma', 'a,b'],
    ['with a backslash', 'a\\b'],
    ['with brackets', 'a[b]'],
    ['of 65 octets', 'a'.repeat(65)],
    ['of 66 octets in UTF-8', 'é'.repeat(33)],
    ['of half a surrogate pair', 'a\ud800'],
    ['of the other half', '\udc00a'],
    ['with a quote that does not close', '"a'],
    ['with a quote that does not open', 'a"'],
    ['with a quote inside', 'a"b"c'],
    ['quoted in part', '"a".b'],
    ['quoted, with a quote inside', '"a"b"'],
    ['quoted, with an escape of nothing', '"a\\"'],
    ['quoted, with a line end', '"a\r\nb"'],
    ['quoted, with an escaped line end', '"a\\\nb"'],
    ['quoted, with NUL', '"a\0"'],
    ['quoted, with a tab', '"a\tb"'],
    ['quoted, with an escape beyond ASCII', '"a\\é"'],
    ['quoted, of 65 octets', `"${'a'.repeat(63)}"`],
  ])('%s is not', (_name, local) => {
    expect(parseAddress(`${local}@example.com`)).toBeNull();
  });
});

describe('a domain', () => {
  it.each([
    ['of one label', 'localhost', 'localhost'],
    ['of digits and hyphens', '3com-1.x--y.example', '3com-1.x--y.example'],
    ['of a label of 63 octets', `${name63}.com`, `${name63}.com`],
    ['in upper case', 'EXAMPLE.Com', 'example.com'],
    ['in U-labels', 'bücher.example', 'xn--bcher-kva.example'],
    ['in U-labels, decomposed', 'bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['in U-labels and upper case', 'BÜCHER.example', 'xn--bcher-kva.example'],
    ['in A-labels', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['in A-labels and upper case', 'XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['with a sharp s, non-transitional', 'straße.example', 'xn--strae-oqa.example'],
    ['with a joiner where it belongs', 'क्\u200dष.example', 'xn--11b2ezcw70k.example'],
    ['in full-width letters and an ideographic dot', 'ｅｘａｍｐｌｅ。ｃｏｍ', 'example.com'],
    ['with a soft hyphen, which UTS 46 drops', 'exam\u00adple.com', 'example.com'],
    ['in Chinese', '例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['in Arabic', 'مثال.إختبار', 'xn--mgbh0fb.xn--kgbechtv'],
    ['in an emoji', '\u{1f600}.example', 'xn--e28h.example'],
  ])('%s is valid', (_name, text, domain) => {
    expect(wire(`a@${text}`)).toBe(`a@${domain}`);
  });

  it.each([
    ['absent', ''],
    ['of a dot', '.'],
    ['that begins with a dot', '.example.com'],
    ['that ends with a dot', 'example.com.'],
    ['that ends with an ideographic dot', 'example.com\u3002'],
    ['with an empty label', 'example..com'],
    ['with a hyphen first', '-example.com'],
    ['with a hyphen last', 'example-.com'],
    ['with an underscore', 'a_b.example'],
    ['with a space', 'exam ple.com'],
    ['with a port', 'example.com:25'],
    ['with a path', 'example.com/a'],
    ['with a query', 'example.com?a'],
    ['with a fragment', 'example.com#a'],
    ['with a per cent sign', 'ex%61mple.com'],
    ['with a full-width slash', 'example.com／a'],
    ['with a full-width @', 'a＠example.com'],
    ['with a backslash', 'example.com\\a'],
    ['with an angle bracket', 'example.com>'],
    ['with a comment', 'example.com(a)'],
    ['with CR LF', 'example.com\r\nx'],
    ['with a tab inside', 'exam\tple.com'],
    ['with a tab inside, beyond ASCII', 'bü\tcher.com'],
    ['with a line end inside, beyond ASCII', 'bü\ncher.com'],
    ['with NUL', 'example\0.com'],
    ['with half a surrogate pair', 'a\ud800.example'],
    ['of a label of 64 octets', `${name63}a.com`],
    ['of a U-label of more than 63 octets as an A-label', `${'ü'.repeat(60)}.example`],
    ['of an A-label that is none', 'xn--a.example'],
    ['of an A-label of nothing', 'xn--.example'],
    ['of an A-label in plain letters', 'xn--abc-.example'],
    ['of an A-label that is not in normal form', 'xn--bCHER-KVA\u0308.example'],
    ['with a joiner where it does not belong', 'नी\u200dति.example'],
    ['with a combining mark first', '\u0308a.example'],
    ['with letters of both directions in one label', 'aא.example'],
    ['with a letter that Unicode does not have', '\u0378.example'],
    ['of nothing but what UTS 46 drops', '\u00ad'],
    ['of 255 octets', `${name253}.a`],
    ['of 1,100 octets', 'ü'.repeat(550)],
  ])('%s is not', (_name, domain) => {
    expect(parseAddress(`a@${domain}`)).toBeNull();
  });

  it.each(['192.0.2.1', '1', 'example.1', '0x7f.1', 'a.0x', '127.0.0.1', '１２７.0.0.1', '4294967295', 'a.0xff'])(
    'that reads as an IP address, as %s does, is never resolved',
    (domain) => {
      expect(parseAddress(`a@${domain}`)).toMatchObject({ domainKind: 'address' });
    },
  );

  it.each(['1.example', '0x7f.example', 'example.0xg', 'a1', '1a', 'example.1a'])(
    'that only looks a little like one, as %s does, is a name',
    (domain) => {
      expect(parseAddress(`a@${domain}`)).toMatchObject({ domainKind: 'name' });
    },
  );
});

describe('an address literal (RFC 5321 §4.1.3)', () => {
  it.each([
    '[192.0.2.1]',
    '[0.0.0.0]',
    '[255.255.255.255]',
    '[001.02.3.255]',
    '[ipv6:2001:db8::1]',
    '[ipv6:::1]',
    '[ipv6:::]',
    '[ipv6:1::]',
    '[ipv6:1:2:3:4:5:6:7:8]',
    '[ipv6:1:2:3::4:5:6]',
    '[ipv6:1:2:3:4:5:6:192.0.2.1]',
    '[ipv6:::192.0.2.1]',
    '[ipv6:1:2:3:4::192.0.2.1]',
  ])('is valid: %s', (domain) => {
    expect(parseAddress(`a@${domain}`)).toMatchObject({ domain, domainKind: 'address' });
  });

  it('may be in upper case', () => {
    expect(wire('A@[IPv6:2001:DB8::1]')).toBe('a@[ipv6:2001:db8::1]');
  });

  it.each([
    '[',
    ']',
    '[]',
    '[192.0.2.1',
    '[192.0.2.10',
    '[192.0.2.11',
    '[ipv6:::11',
    '192.0.2.1]',
    '[192.0.2]',
    '[192.0.2.256]',
    '[192.0.2.0001]',
    '[192.0.2.1.1]',
    '[192.0.2.1 ]',
    '[ 192.0.2.1]',
    '[2001:db8::1]',
    '[ipv6:]',
    '[ipv6:1]',
    '[ipv6::]',
    '[ipv6::::]',
    '[ipv6:1::2::3]',
    '[ipv6:1:2:3::4:5:6::7:8]',
    '[ipv6:1:2:3::4:5::6:7:8]',
    '[ipv6:1:2:3:4:5:6:7]',
    '[ipv6:1:2:3:4:5:6:7:8:9]',
    '[ipv6:1:2:3:4:5:6:7::]',
    '[ipv6:1:2:3:4:5::192.0.2.1]',
    '[ipv6:12345::]',
    '[ipv6:g::]',
    '[ipv6:192.0.2.1::]',
    '[ipv6:192.0.2.1:1:2:3:4:5:6]',
    '[ipv6:::192.0.2.1:1]',
    '[ipv6:1:2:3:4:5:192.0.2.1:6]',
    '[ipv6::1:2:3:4:5:6:7]',
    '[ipv6:1:2:3:4:5:6:7:192.0.2.1]',
    '[ipv6:fe80::1%lo]',
    '[x-tag:anything]',
    '[192.0.2.1]>',
    '[[192.0.2.1]]',
  ])('is not valid: %j', (domain) => {
    expect(parseAddress(`a@${domain}`)).toBeNull();
  });
});

describe('an entry', () => {
  it.each([
    '',
    ' ',
    '@',
    'a',
    'a@',
    '@example.com',
    'example.com',
    'a@b@example.com',
    'Name <a@example.com>',
    '<a@example.com>',
    'mailto:a@',
    'a@example.com, b@example.com',
    'a@example.com b@example.com',
    '@a.example:b@example.com',
  ])('that is not an address is refused: %j', (entry) => {
    expect(parseAddress(entry)).toBeNull();
  });

  it('may have more octets as U-labels than on the wire', () => {
    const domain = Array.from({ length: 4 }, () => '中'.repeat(50)).join('.');
    expect(Buffer.byteLength(domain)).toBe(603);
    expect(wire(`a@${domain}`)).toMatch(/^a@(xn--[a-z0-9]{50,59}\.?){4}$/);
  });

  it('has at most 254 octets on the wire', () => {
    expect(wire(`a@${name253}`)).toBeNull();
    expect(wire(`a@${name253.slice(1)}`)).toHaveLength(254);
    expect(wire(`${'a'.repeat(64)}@${`${name63}.`.repeat(2)}${'a'.repeat(61)}`)).toHaveLength(254);
    expect(wire(`${'a'.repeat(64)}@${`${name63}.`.repeat(2)}${'a'.repeat(62)}`)).toBeNull();
  });

  it('is echoed trimmed and lower-cased', () => {
    const entry = '\t\u00a0 Jo\u0308rg@BÜCHER.Example \r\n';
    expect(parseAddress(entry)).toEqual({
      email: 'jo\u0308rg@bücher.example',
      local: 'jörg',
      domain: 'xn--bcher-kva.example',
      domainKind: 'name',
      identity: 'jörg@xn--bcher-kva.example',
    });
    expect(spelling(entry)).toBe('jo\u0308rg@bücher.example');
  });

  it.each([
    ['A@example.com', 'a@EXAMPLE.com'],
    [' a@example.com', 'a@example.com '],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ['\u212aelvin@example.com', 'kelvin@example.com'],
    ['a@example\u3002com', 'a@example.com'],
  ])('%j is a duplicate of %j', (one, other) => {
    expect(wire(one)).not.toBeNull();
    expect(wire(one)).toBe(wire(other));
  });

  it.each([
    ['a@example.com', 'a.@example.com'],
    ['ab@example.com', 'a.b@example.com'],
    ['a+b@example.com', 'a@example.com'],
    ['a@example.com', 'a@www.example.com'],
    ['"a"@example.com', 'a@example.com'],
    ['a@strasse.example', 'a@straße.example'],
  ])('%j is not a duplicate of %j', (one, other) => {
    expect(wire(one)).not.toBe(wire(other));
  });
});

describe('toALabels', () => {
  it.each([
    ['example.com', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['0x7f000001', '0x7f000001'],
    ['a b', null],
    ['', null],
    ['a/b', null],
    ['ü@b', null],
    ['ü:80', null],
    ['[::1]', null],
    [name253, name253],
    [`a${name253}`, null],
    [`${name253}a`, null],
  ])('of %j is %j', (text, labels) => {
    expect(toALabels(text)).toBe(labels);
  });
});
