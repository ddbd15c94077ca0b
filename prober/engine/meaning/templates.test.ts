import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { classify } from './classify.ts';
import type { Recipient } from '../ports/recipient.ts';
import { countingUnknown, createTemplates, templateOf } from './templates.ts';

const jo = { local: 'jo.smith', domain: 'mail.acme.example' };

describe('a template', () => {
  test.each([
    ['550 <jo.smith@mail.acme.example> refused by mx1.acme.example', '550 - <address> refused by <host>'],
    ['550 5.0.0 192.0.2.1 and 2001:db8::1, see https://acme.example/?u=jo', '550 5.0.0 <ip> and <ip> , see <link>'],
    ['550 user Smith at ACME, id 77ab', '550 - user <address> at <address>, id <n>'],
    ['550 "John Smith" said \'no such luck\' to smith+news', '550 - <quoted> said <quoted> to <address>'],
    ['550-one\n550 two', '550 - one two'],
    ['550 amZzbWlhaGhhaWxhYZlzZZhhbXBsZWpXbWlh which is base', '550 - <token> which is base'],
    ['550 a\u001b[2J\u0007b \u202egnp', '550 - a [<n> b gnp'],
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
/** A mailbox of somebody else for each number, in letters of its own. */
const about = (n: number): Recipient => ({ local: `box.x${letters(n)}x`, domain: `firm-x${letters(n)}x.example` });
const raw = (text: string) => rawReply(`550 ${text}`);

describe('the counter', () => {
  test('counts like replies together, commonest first', () => {
    const templates = createTemplates(10);
    for (const id of [1, 2, 3, 4]) templates.count(raw(`strange thing ${id}`), about(id), from(id));
    for (const id of [1, 2, 3]) templates.count(raw(`other thing ${id}`), about(id), from(id));
    expect(templates.top(10)).toEqual([
      { template: '550 - strange thing <n>', count: 4, networks: 3 },
      { template: '550 - other thing <n>', count: 3, networks: 3 },
    ]);
    expect(templates.top(1)).toHaveLength(1);
  });

  test('shows nothing that fewer than three networks said, however often', () => {
    const templates = createTemplates(10);
    for (let i = 0; i < 1_000; i += 1) templates.count(raw('buy at my shop'), about(i), `198.51.${i % 2}.${i % 250}`);
    expect(templates.top(10)).toEqual([]);
  });

  test.each<[string, (n: number) => Recipient]>([
    ['one mailbox', () => about(1)],
    ['mailboxes of one domain', (n) => ({ ...about(n), domain: about(1).domain })],
    ['one name at many domains', (n) => ({ ...about(n), local: 'jane' })],
    ['domains of one owner', (n) => ({ ...about(n), domain: `acme.${letters(n)}` })],
  ])('shows nothing that was said of %s alone, from any number of networks', (_what, recipientOf) => {
    const templates = createTemplates(10);
    for (let n = 0; n < 100; n += 1) templates.count(raw('Jane Doe has left us'), recipientOf(n), from(n));
    expect(templates.top(10)).toEqual([]);
  });

  test('takes an IPv6 /48 for one network', () => {
    const templates = createTemplates(10);
    for (const [n, host] of ['1::1', '2::1', '3::1', '4::1'].entries())
      templates.count(raw('strange'), about(n), `2001:db8:7:${host}`);
    expect(templates.top(10)).toEqual([]);
    for (const site of [8, 9]) templates.count(raw('strange'), about(site), `2001:db8:${site}::1`);
    expect(templates.top(10)).toHaveLength(1);
  });

  test('keeps what many say, no matter how much one network or a hundred of them pour in', () => {
    const templates = createTemplates(50);
    for (const network of [1, 2, 3]) templates.count(raw('honest words'), about(network), from(network));
    for (let i = 0; i < 5_000; i += 1) templates.count(raw(`flood ${letters(i)}`), about(i), from(i % 100));
    expect(templates.top(10).map(({ template }) => template)).toEqual(['550 - honest words']);
  });

  test('lets a network that floods push out only what it said itself', () => {
    const templates = createTemplates(50);
    for (const network of [1, 2]) templates.count(raw('honest words'), about(network), from(network));
    for (let i = 0; i < 5_000; i += 1) templates.count(raw(`flood ${letters(i)}`), about(i), from(9));
    templates.count(raw('honest words'), about(3), from(3));
    expect(templates.top(10)).toEqual([{ template: '550 - honest words', count: 3, networks: 3 }]);
  });

  test('makes no room with what is shown for what the same network says next', () => {
    const templates = createTemplates(50);
    for (const network of [1, 2, 3]) templates.count(raw('honest words'), about(network), from(network));
    for (const words of ['one', 'two', 'three', 'four', 'five']) templates.count(raw(words), about(1), from(1));
    expect(templates.top(10).map(({ template }) => template)).toEqual(['550 - honest words']);
  });

  test('forgets the oldest of what a network alone has said for its fifth', () => {
    const templates = createTemplates(50);
    const words = ['one', 'two', 'three', 'four', 'five'];
    for (const word of words) templates.count(raw(word), about(1), from(1));
    for (const network of [2, 3])
      for (const word of words.toReversed()) templates.count(raw(word), about(network), from(network));
    expect(templates.top(10).map(({ template }) => template)).toEqual(
      ['550 - five', '550 - four', '550 - three', '550 - two'].toReversed(),
    );
  });

  test('leaves room for others if somebody with three networks and domains has ever new words shown', () => {
    const templates = createTemplates(50);
    for (let i = 0; i < 1_000; i += 1)
      for (const network of [1, 2, 3]) templates.count(raw(`flood ${letters(i)}`), about(network), from(network));
    expect(templates.top(100).length).toBeLessThan(20);
    for (const network of [4, 5, 6]) templates.count(raw('honest words'), about(network), from(network));
    expect(templates.top(100).map(({ template }) => template)).toContain('550 - honest words');
  });
});

describe('what a server says of somebody', () => {
  /** Ways to name a mailbox that a mask may not know. */
  const WAYS: readonly ((local: string, domain: string) => string)[] = [
    (local) => local.split('').join(' '),
    (local) => local.split('').join('.'),
    (local) => local.split('').join('\u200b'),
    (local) => local.replace('.', ', '),
    (local) => local.split('').toReversed().join(''),
    (local, domain) => Buffer.from(`${local}@${domain}`).toString('base64'),
    (local, domain) => Buffer.from(`${local}@${domain}`).toString('base64url').replaceAll(/\d/g, 'x'),
    (local, domain) => Buffer.from(`${local}@${domain}`).toString('hex'),
    (local, domain) => encodeURIComponent(`${local}@${domain}`).replaceAll('%', '='),
    (local, domain) => `${local} at ${domain.replaceAll('.', ' dot ')}`,
    (local) => `"${local}`,
    (local) => local.toUpperCase().replaceAll('A', 'А').replaceAll('E', 'Е'), // Cyrillic look-alikes
    (local) => local.replaceAll('o', 'ö').replaceAll('a', 'á'),
    (local) => `г-н ${local}`,
    (local) => `${local}様は退職しました`,
    (local) => `M${local}N`,
  ];

  const FRAME = ['user', 'unsettled', 'at', 'dot', 'example', '様は退職しました'];

  test('is never shown, in any pieces, spelling or code', () => {
    const name = fc.stringMatching(/^[a-z]{4,9}\.[a-z]{4,9}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 3, maxLength: 6 }),
        fc.nat({ max: WAYS.length - 1 }),
        (locals, at) => {
          const templates = createTemplates(100);
          const way = WAYS[at];
          const names = locals.map((local) => way?.(local, `${local}.example`) ?? '');
          for (const [n, local] of locals.entries())
            for (const network of [1, 2, 3, 4])
              templates.count(raw(`user ${names[n]} unsettled`), { local, domain: `${local}.example` }, from(network));
          const shown = templates.top(100).map(({ template }) => template);
          // Only the frame's own words are left.
          const left = shown.flatMap((template) => template.replaceAll(/<[a-z]+>/g, ' ').match(/\p{L}{2,}/gu) ?? []);
          expect(left.filter((word) => !FRAME.includes(word))).toEqual([]);
        },
      ),
    );
  });
});

describe('a reading that counts', () => {
  test('notes a refused recipient that nothing explains, and nothing else', () => {
    const templates = createTemplates(10);
    const replies = ['550 Zodiac', '550 5.1.1 Zodiac', '550 User unknown', '450 Zodiac', '250 Zodiac'].map(rawReply);
    for (const [n, ip] of ['192.0.2.1', '198.51.100.1', '203.0.113.1'].entries()) {
      const read = countingUnknown(classify, templates, ip);
      for (const reply of replies) read('rcpt', reply, about(n));
      read('mail', rawReply('550 Zodiac'));
    }
    expect(templates.top(10)).toEqual([{ template: '550 - zodiac', count: 3, networks: 3 }]);
  });
});
