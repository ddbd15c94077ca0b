// Data of typo.ts. Big providers only, the bigger first: of two equally near candidates the first is taken.

/** So distinctive that one wrong letter makes no other name. Short names and plain words have neighbours. */
export const DISTINCT: readonly string[] = `
gmail.com hotmail.com yahoo.com outlook.com icloud.com googlemail.com protonmail.com tutanota.com fastmail.com
hotmail.co.uk hotmail.fr hotmail.it hotmail.de hotmail.es hotmail.be hotmail.nl
yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.co.in yahoo.in yahoo.com.br yahoo.co.jp yahoo.com.mx
yahoo.com.ar yahoo.com.au yahoo.co.id outlook.fr outlook.de outlook.es outlook.it outlook.com.br
comcast.net verizon.net sbcglobal.net bellsouth.net earthlink.net optonline.net btinternet.com virginmedia.com
wanadoo.fr laposte.net t-online.de freenet.de yandex.ru yandex.com rambler.ru rediffmail.com bigpond.com
telenet.be seznam.cz interia.pl
`
  .trim()
  .split(/\s+/);

/** For these only the ending is corrected, and only if it does not exist: `gmx.dee`, `web.d`, `aol.con`. */
export const SHORT: readonly string[] = `
aol.com live.com msn.com me.com ymail.com mail.com gmx.de gmx.net gmx.com gmx.at gmx.ch web.de mail.ru qq.com 163.com
126.com proton.me orange.fr free.fr sfr.fr live.fr live.co.uk live.nl libero.it virgilio.it alice.it tiscali.it
att.net cox.net charter.net sky.com talktalk.net wp.pl o2.pl onet.pl uol.com.br bol.com.br terra.com.br naver.com
rogers.com shaw.ca ziggo.nl kpnmail.nl bluewin.ch zoho.com hey.com
`
  .trim()
  .split(/\s+/);

/** Endings that exist, but after a distinctive name are a provider's ending with a letter lost or swapped. */
export const LIKELIER: Readonly<Record<string, string>> = { co: 'com', cm: 'com', om: 'com', ne: 'net', et: 'net' };

/** Typos of `com` that are no endings of their own: corrected after any name. */
export const NEARLY_COM: ReadonlySet<string> = new Set(
  'con cmo ocm comm coom ccom cpm vom xom cim cok cpn vcom comn coml comp'.split(' '),
);

/** One letter from a distinctive name, but a name of its own. */
export const OWN_RIGHT: ReadonlySet<string> = new Set(
  `
grail.com gail.com gomail.com gemail.com gomail.com gymail.com gsmail.com hostmail.com hotelmail.com holmail.com
yazoo.com yahoos.com incloud.com iclouds.com outlooks.com fastmall.com castmail.com freenet.com telnet.be
bigpond.net interior.pl interna.pl
`
    .trim()
    .split(/\s+/),
);
