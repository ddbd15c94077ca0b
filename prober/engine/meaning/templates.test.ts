import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { createTemplates, templateOf } from './templates.ts';

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

describe('the counter', () => {
  test('counts like replies together, commonest first', () => {
    const templates = createTemplates(10);
    for (const id of [1, 2, 3]) templates.note(rawReply(`550 strange thing ${id}`), jo);
    templates.note(rawReply('550 other thing'), jo);
    expect(templates.top(10, 1)).toEqual([
      { template: '550 - strange thing <n>', count: 3 },
      { template: '550 - other thing', count: 1 },
    ]);
  });

  test('shows none that was seen less than three times unless asked', () => {
    const templates = createTemplates(10);
    for (const id of [1, 2]) templates.note(rawReply(`550 strange thing ${id}`), jo);
    expect(templates.top(10)).toEqual([]);
  });

  test('forgets the one not seen for longest', () => {
    const templates = createTemplates(2);
    for (const word of ['first', 'second', 'first', 'third']) templates.note(rawReply(`550 ${word}`), jo);
    expect(templates.top(10, 1).map(({ template }) => template)).toEqual(['550 - first', '550 - third']);
  });
});
