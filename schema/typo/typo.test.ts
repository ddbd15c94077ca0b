import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNameSchema } from '../evidence.ts';
import { PROVIDER_DOMAINS } from '../consumer-domains.ts';
import { typoOf } from './typo.ts';
import { DISTINCT, SHORT } from './typo-targets.ts';
import { runs } from '../testing/fuzz.ts';

describe('typoOf', () => {
  /** What was meant, and what was written instead. */
  const MEANT: Readonly<Record<string, string>> = {
    'gmail.com':
      'gmai.com gmal.com gmial.com gamil.com mgail.com gmaill.com gnail.com gmail.con gmail.cmo gmail.comm gmail.c gmail.co gmail.cm gmail gmailcom',
    'yahoo.com': 'yaho.com yahooo.com',
    'hotmail.com': 'hotmal.com hotmial.com htomail.com hormail.com hotmail.om',
    'outlook.com': 'outlok.com outlookk.com',
    'icloud.com': 'iclod.com icoud.com',
    't-online.de': 'tonline.de',
    'wanadoo.fr': 'wanado.fr',
    'yahoo.co.uk': 'yaho.co.uk yahoo.couk',
    'hotmail.co.uk': 'hotmai.co.uk hotmailcouk',
    'googlemail.com': 'googlemal.com gogglemai.com',
    'protonmail.com': 'protomal.com',
    'aol.com': 'aol.con',
    'gmx.de': 'gmx.dee',
    'gmx.net': 'gmx.ner',
    'web.de': 'web.d',
    'qq.com': 'qq.con',
    'comcast.net': 'comcast.nte comcast.ne',
    'orange.fr': 'orange.rf',
    'our-company.com': 'our-company.con',
    'mail.our-company.com': 'mail.our-company.cmo',
  };

  it.each(Object.entries(MEANT).flatMap(([meant, typos]) => typos.split(' ').map((typo) => [typo, meant])))(
    'reads %s as %s',
    (domain, meant) => expect(typoOf(domain ?? '')).toBe(meant),
  );

  // Providers near to each other, other names, other endings that exist, and names of other kinds.
  it.each([
    '',
    ...`
gmail.com googlemail.com gmx.de gmx.net gmx.at mail.com email.com ymail.com hotmail.co.uk hotmail.com.au yahoo.co.in
yahoo.com.mx outlook.com.br live.com live.co.uk me.com mac.com web.de mail.ru o2.pl op.pl wp.pl aol.com aim.com
yandex.kz
cloud.com fmail.com hmail.com jmail.com grail.com gail.com hostmail.com telnet.be wahoo.com libro.it libera.it
orage.fr planeet.nl vive.com life.com men.com web.com webb.de mall.ru qqq.com tree.fr outlook.example.com
gmail.net gmail.de hotmail.net yahoo.jp me.co live.co web.co mail.co free.co laposte.fr
mail.gmail.com gmai.com.example.com gmial.example com co.uk localhost example xn--gmal-nza.com 192.0.2.1
a.b.c.d.e.f.test example.com example.test deliverable.test
`
      .trim()
      .split(/\s+/),
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
