import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNameSchema } from '../../schema/evidence.ts';
import { PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';
import { typoOf } from './typo.ts';
import { DISTINCT, SHORT } from './typo-targets.ts';
import { runs } from '../../schema/testing/fuzz.ts';

describe('typoOf', () => {
  it.each([
    // a letter missing, doubled, swapped, replaced
    ['gmai.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['mgail.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com', 'yahoo.com'],
    ['hotmal.com', 'hotmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['htomail.com', 'hotmail.com'],
    ['hormail.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['outlookk.com', 'outlook.com'],
    ['iclod.com', 'icloud.com'],
    ['icoud.com', 'icloud.com'],
    ['tonline.de', 't-online.de'],
    ['wanado.fr', 'wanadoo.fr'],
    ['yaho.co.uk', 'yahoo.co.uk'],
    ['hotmai.co.uk', 'hotmail.co.uk'],
    // two slips in a long name
    ['googlemal.com', 'googlemail.com'],
    ['gogglemai.com', 'googlemail.com'],
    ['protomal.com', 'protonmail.com'],
    // endings that do not exist
    ['gmail.con', 'gmail.com'],
    ['gmail.cmo', 'gmail.com'],
    ['gmail.comm', 'gmail.com'],
    ['gmail.c', 'gmail.com'],
    ['aol.con', 'aol.com'],
    ['gmx.dee', 'gmx.de'],
    ['gmx.ner', 'gmx.net'],
    ['web.d', 'web.de'],
    ['qq.con', 'qq.com'],
    ['yahoo.couk', 'yahoo.co.uk'],
    ['comcast.nte', 'comcast.net'],
    ['orange.rf', 'orange.fr'],
    // endings that exist and are seldom meant
    ['gmail.co', 'gmail.com'],
    ['gmail.cm', 'gmail.com'],
    ['hotmail.om', 'hotmail.com'],
    ['comcast.ne', 'comcast.net'],
    // the dot
    ['gmail', 'gmail.com'],
    ['gmailcom', 'gmail.com'],
    ['hotmailcouk', 'hotmail.co.uk'],
    // com, behind any name
    ['our-company.con', 'our-company.com'],
    ['mail.our-company.cmo', 'mail.our-company.com'],
  ])('reads %s as %s', (domain, meant) => {
    expect(typoOf(domain)).toBe(meant);
  });

  it.each([
    // providers themselves, near to each other
    'gmail.com',
    'googlemail.com',
    'gmx.de',
    'gmx.net',
    'gmx.at',
    'mail.com',
    'email.com',
    'ymail.com',
    'hotmail.co.uk',
    'hotmail.com.au',
    'yahoo.co.in',
    'yahoo.com.mx',
    'outlook.com.br',
    'live.com',
    'live.co.uk',
    'me.com',
    'mac.com',
    'web.de',
    'mail.ru',
    'o2.pl',
    'op.pl',
    'wp.pl',
    'aol.com',
    'aim.com',
    'yandex.kz',
    // other names
    'cloud.com',
    'fmail.com',
    'hmail.com',
    'jmail.com',
    'grail.com',
    'gail.com',
    'hostmail.com',
    'telnet.be',
    'wahoo.com',
    'libro.it',
    'libera.it',
    'orage.fr',
    'planeet.nl',
    'vive.com',
    'life.com',
    'men.com',
    'web.com',
    'webb.de',
    'mall.ru',
    'qqq.com',
    'tree.fr',
    'outlook.example.com',
    // other endings that exist
    'gmail.net',
    'gmail.de',
    'hotmail.net',
    'yahoo.jp',
    'me.co',
    'live.co',
    'web.co',
    'mail.co',
    'free.co',
    'laposte.fr',
    // deeper names, the root, numbers, A-labels of others, and nothing
    'mail.gmail.com',
    'gmai.com.example.com',
    'gmial.example',
    'com',
    'co.uk',
    'localhost',
    'example',
    'xn--gmal-nza.com',
    '192.0.2.1',
    'a.b.c.d.e.f.test',
    'example.com',
    'example.test',
    'deliverable.test',
    '',
  ])('finds nothing wrong with %j', (domain) => {
    expect(typoOf(domain)).toBeNull();
  });

  it('finds nothing wrong with any provider that it knows or suggests', () => {
    for (const domain of [...PROVIDER_DOMAINS, ...DISTINCT, ...SHORT])
      expect([domain, typoOf(domain)]).toEqual([domain, null]);
  });

  it('suggests a different host name that needs no correction itself', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
    const near = fc
      .tuple(fc.constantFrom(...DISTINCT, ...SHORT), fc.nat(), fc.constantFrom('', 'a', 'm', 'o', '.', 'x1'))
      .map(([domain, at, insert]) => {
        const cut = at % domain.length;
        return domain.slice(0, cut) + insert + domain.slice(cut + (at % 2));
      })
      .filter((domain) => hostNameSchema.safeParse(domain).success);
    const any = fc.oneof(
      near,
      fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
    );
    fc.assert(
      fc.property(any, (domain) => {
        const meant = typoOf(domain);
        if (meant === null) return;
        expect(meant).not.toBe(domain);
        expect(hostNameSchema.safeParse(meant).success).toBe(true);
        expect(typoOf(meant)).toBeNull();
      }),
      { numRuns: runs(3_000) },
    );
  });
});
