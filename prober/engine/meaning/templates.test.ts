import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { classify } from './classify.ts';
import { countingUnknown, createTemplates, templateOf } from './templates.ts';

const jo = { local: 'jo.smith', domain: 'mail.acme.example' };

describe('a template', () => {
  test.each([
    ['550 <jo.smith@mail.acme.example> refused by mx1.acme.example', '550 - <address> refused by <host>'],
    ['550 5.0.0 192.0.2.1 and 2001:db8::1, see https://acme.example/?u=jo', '550 5.0.0 <ip> and <ip> , see <link>'],
    ['550 user Smith at ACME, id 77ab', '550 - user <address> at <address>, id <n>'],
    ['550 "John Smith" said \'no such luck\' to smith+news', '550 - <quoted> said <quoted> to <address>'],
    ['550-one\n550 two', '550 - one two'],
  ])('of %j', (raw, template) => {
    expect(templateOf(rawReply(raw), jo)).toBe(template);
  });

  test('never holds the probed address, its local part or its domain', () => {
    const name = fc
      .stringMatching(/^[a-z]{5,12}$/)
      .filter((word) => !'<address><host><link><quoted>unknown'.includes(word));
    fc.assert(
      fc.property(
        name,
        name,
        fc.constantFrom('@', ' ', '(', '"', '/', '=', '.', '-', '+', '_'),
        (local, label, glue) => {
          const domain = `${label}.example`;
          const text = `unknown${glue}${local}${glue}${label} ${local.toUpperCase()}@${domain} <${local}> ${domain}`;
          const template = templateOf({ code: 550, enhanced: null, lines: [text] }, { local, domain });
          expect(template).not.toContain(local);
          expect(template).not.toContain(label);
        },
      ),
    );
  });
});

const from = (network: number): string => `198.51.${network}.7`;
const letters = (n: number): string => n.toString().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

describe('the counter', () => {
  test('counts like replies together, commonest first', () => {
    const templates = createTemplates(10);
    for (const id of [1, 2, 3, 4]) templates.note(rawReply(`550 strange thing ${id}`), jo, from(id));
    for (const id of [1, 2, 3]) templates.note(rawReply(`550 other thing ${id}`), jo, from(id));
    expect(templates.top(10)).toEqual([
      { template: '550 - strange thing <n>', count: 4, networks: 3 },
      { template: '550 - other thing <n>', count: 3, networks: 3 },
    ]);
    expect(templates.top(1)).toHaveLength(1);
  });

  test('shows nothing that fewer than three networks said, however often', () => {
    const templates = createTemplates(10);
    for (let i = 0; i < 1_000; i += 1) templates.note(rawReply('550 buy at my shop'), jo, `198.51.${i % 2}.${i % 250}`);
    expect(templates.top(10)).toEqual([]);
  });

  test('takes an IPv6 /48 for one network', () => {
    const templates = createTemplates(10);
    for (const host of ['1::1', '2::1', '3::1', '4::1'])
      templates.note(rawReply('550 strange'), jo, `2001:db8:7:${host}`);
    expect(templates.top(10)).toEqual([]);
    for (const site of ['8', '9']) templates.note(rawReply('550 strange'), jo, `2001:db8:${site}::1`);
    expect(templates.top(10)).toHaveLength(1);
  });

  test('keeps what many say, whatever one network or a hundred of them pour in', () => {
    const templates = createTemplates(50);
    for (const network of [1, 2, 3]) templates.note(rawReply('550 honest words'), jo, from(network));
    for (let i = 0; i < 5_000; i += 1) templates.note(rawReply(`550 flood ${letters(i)}`), jo, from(i % 100));
    expect(templates.top(10).map(({ template }) => template)).toEqual(['550 - honest words']);
  });

  test('lets a network that floods push out only what it said itself', () => {
    const templates = createTemplates(50);
    for (const network of [1, 2]) templates.note(rawReply('550 honest words'), jo, from(network));
    for (let i = 0; i < 5_000; i += 1) templates.note(rawReply(`550 flood ${letters(i)}`), jo, from(9));
    templates.note(rawReply('550 honest words'), jo, from(3));
    expect(templates.top(10)).toEqual([{ template: '550 - honest words', count: 3, networks: 3 }]);
  });
});

describe('a reading that counts', () => {
  test('notes a refused recipient that nothing explains, and nothing else', () => {
    const templates = createTemplates(10);
    const replies = ['550 Zodiac', '550 5.1.1 Zodiac', '550 User unknown', '450 Zodiac', '250 Zodiac'].map(rawReply);
    for (const ip of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) {
      const read = countingUnknown(classify, templates, ip);
      for (const reply of replies) read('rcpt', reply, jo);
      read('mail', rawReply('550 Zodiac'));
    }
    expect(templates.top(10)).toEqual([{ template: '550 - zodiac', count: 3, networks: 3 }]);
  });
});
