import { MICROSOFT_CONSUMER_DOMAINS } from './microsoft-consumer-domains.ts';

// Consumer mailbox providers and the domains under which they hand out addresses, for those that the kept list of
// `prober/signals/free.ts` lacks. Facts that change slowly; one line a provider or country.

const SUFFIXES: Readonly<Record<string, string>> = {
  yahoo:
    'com co.uk co.id co.in co.jp co.kr co.nz co.th co.za com.ar com.au com.br com.cn com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ve com.vn at be bg ca cl cn cz de dk ee es fi fr gr hr hu ie in it jp lt lv nl no pl pt ro rs se si sk',
  aol: 'com co.uk com.au at be ch cl cz de dk es fi fr hk in it jp kr nl pl ru se tw',
  gmx: 'net de at ch com us ca cn es eu fr info it org pt ru se tm biz co.uk co.in com.br com.my com.tr sg ph tw hk at',
  yandex: 'ru com by kz ua com.tr com.ua uz az ee fr lt lv md pl tj tm',
};

const DOMAINS = `
gmail.com googlemail.com ymail.com rocketmail.com
icloud.com me.com mac.com privaterelay.appleid.com aim.com netscape.net verizon.net
proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
fastmail.com fastmail.fm hey.com duck.com hushmail.com hush.com zoho.com zoho.eu zohomail.com zohomail.eu zohomail.in
mail.com email.com usa.com europe.com asia.com consultant.com engineer.com post.com dr.com iname.com writeme.com
cheerful.com techie.com myself.com accountant.com musician.org inbox.com lycos.com excite.com usa.net runbox.com
disroot.org riseup.net startmail.com mailfence.com inbox.lv inbox.lt inbox.eu mail.ee hot.ee
web.de email.de t-online.de magenta.de freenet.de arcor.de online.de onlinehome.de posteo.de posteo.net mailbox.org
unitybox.de kabelmail.de vodafone.de versatel.de ewetel.net osnanet.de netcologne.de unity-mail.de alice-dsl.net
aon.at chello.at a1.net inode.at bluewin.ch hispeed.ch sunrise.ch swissonline.ch
orange.fr wanadoo.fr free.fr sfr.fr neuf.fr laposte.net bbox.fr numericable.fr club-internet.fr aliceadsl.fr noos.fr
9online.fr cegetel.net libertysurf.fr dbmail.com
btinternet.com btopenworld.com bt.com sky.com talktalk.net tiscali.co.uk virginmedia.com virgin.net ntlworld.com
blueyonder.co.uk o2.co.uk plusnet.com lineone.net eircom.net
libero.it virgilio.it alice.it tin.it tim.it tiscali.it inwind.it iol.it blu.it vodafone.it fastwebnet.it email.it
telefonica.net terra.es ono.com movistar.es euskaltel.net sapo.pt iol.pt netcabo.pt mail.telepac.pt clix.pt
telenet.be skynet.be proximus.be scarlet.be voo.be belgacom.net
ziggo.nl kpnmail.nl kpnplanet.nl planet.nl hetnet.nl home.nl xs4all.nl upcmail.nl casema.nl chello.nl quicknet.nl
telia.com telia.se bredband.net comhem.se spray.se online.no mail.dk tdcadsl.dk stofanet.dk kolumbus.fi luukku.com
wp.pl o2.pl tlen.pl onet.pl onet.eu op.pl vp.pl poczta.onet.pl interia.pl interia.eu poczta.fm gazeta.pl
seznam.cz email.cz post.cz centrum.cz atlas.cz volny.cz centrum.sk azet.sk zoznam.sk post.sk
freemail.hu citromail.hu t-online.hu upcmail.hu abv.bg mail.bg dir.bg otenet.gr freemail.gr
mail.ru inbox.ru list.ru bk.ru internet.ru rambler.ru lenta.ru autorambler.ru myrambler.ru ro.ru ya.ru narod.ru
ukr.net i.ua meta.ua bigmir.net tut.by mynet.com walla.co.il walla.com 012.net.il netvision.net.il bezeqint.net
comcast.net xfinity.com cox.net charter.net spectrum.net att.net sbcglobal.net bellsouth.net ameritech.net
pacbell.net swbell.net prodigy.net flash.net earthlink.net mindspring.com juno.com netzero.net netzero.com
optonline.net optimum.net windstream.net centurylink.net embarqmail.com q.com frontier.com frontiernet.net
roadrunner.com rr.com twc.com suddenlink.net mediacombb.net peoplepc.com hughes.net ptd.net rcn.com tds.net
rogers.com bell.net sympatico.ca shaw.ca telus.net videotron.ca cogeco.ca eastlink.ca
bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au westnet.com.au ozemail.com.au dodo.com.au
xtra.co.nz slingshot.co.nz rediffmail.com sify.com
uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com oi.com.br r7.com zipmail.com.br
qq.com vip.qq.com foxmail.com 163.com vip.163.com 126.com 188.com yeah.net sina.com sina.cn vip.sina.com sohu.com
139.com 189.cn tom.com aliyun.com 21cn.com
docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp ybb.ne.jp nifty.com biglobe.ne.jp ocn.ne.jp so-net.ne.jp
naver.com daum.net hanmail.net nate.com kakao.com pchome.com.tw hinet.net
webmail.co.za mweb.co.za telkomsa.net vodamail.co.za maktoob.com
`;

/** Every domain above. */
export const PROVIDER_DOMAINS: ReadonlySet<string> = new Set([
  ...MICROSOFT_CONSUMER_DOMAINS,
  ...Object.entries(SUFFIXES).flatMap(([name, suffixes]) => suffixes.split(' ').map((suffix) => `${name}.${suffix}`)),
  ...DOMAINS.trim().split(/\s+/),
]);

/**
 * Domains of the kept list that hand out no consumer mailboxes (any more): companies, universities, newspapers,
 * hosting, name-server and zone operators, placeholders of documentation.
 */
export const NO_PROVIDERS: ReadonlySet<string> = new Set(
  `
about.com airmail.net alibaba.com ancestry.com bangkok.com barcelona.com beer.com berlin.de bizhosting.com
blackplanet.com blogos.com c3.hu canada.com casino.com catholic.org clerk.com cu.cc dailypioneer.com
ddnsfree.com dejanews.com depechemode.com detik.com discovery.com dmv.com dnsmadeeasy.com doctor.com doityourself.com
dynu.net easypost.com elvis.com everyone.net example.com f5.si facebook.com fr.nf games.com garbage.com geek.com
geocities.com go.com go2net.com hamptonroads.com hidemyass.com homestead.com indiatimes.com ireland.com islamonline.net
ivillage.com kansascity.com law.com lex.bg looksmart.com mail-tester.com medscape.com metacrawler.com msk.ru
mydomain.com name.com nus.edu.sg ny.com nyc.com oath.com onmilwaukee.com parrot.com pe.hu poste.it pp.ua
saudia.com scubadiving.com sdf.org seanet.com she.com singpost.com sp.nl space.com spacewar.com spb.ru starmedia.com
swissinfo.org techspot.com test.com test.de theglobe.com thirdage.com unican.es web.id webindia123.com www.com
yourdomain.com za.com zp.ua
`
    .trim()
    .split(/\s+/),
);
