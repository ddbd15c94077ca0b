import type { WordTable } from './word-table.ts';

/** Swedish, Danish, Norwegian and Finnish. Shared spellings stand once. */
export const NORTHERN = {
  DROP: `ar sadan sadant och att det den ett som pa av blev blivit har er og tama taman tata`,
  BOX: `inkorg inkorgen mottagarens mottagares anvandarens postladans anvandare anvandaren anvandarnamn mottagare mottagaren mottagaradress adressen   kontot brevlada brevladan postlada postladan
    bruger brugeren brugere brugernavn modtager modtageren modtagere kontoen postkasse postkassen  indbakke
    bruker brukeren brukere brukernavn mottaker mottakeren mottakere innboks innboksen e_postadress e_postadressen epostadress epostadressen e_postadresse
     e_postkonto epostkonto epostadresse
    kayttaja kayttajaa kayttajan vastaanottaja vastaanottajaa vastaanottajan osoite osoitetta osoitteen postilaatikko postilaatikkoa postilaatikon tili
    tilia tilin sahkopostiosoite sahkopostiosoitetta sahkopostilaatikko`,
  MSG: `meddelande meddelandet meddelelse meddelelsen beskjed viesti viestia viestin posten brev brevet`,
  EMAIL: `e_post epost sahkoposti sahkopostia`,
  SENDER: `din_adress din_e_postadress er_adress din_adresse din_e_postadresse sahkopostiosoitteesi avsandare avsandaren avsandaradress avsandaradressen afsender afsenderen afsenderadresse avsender avsenderen avsenderadresse lahettaja
    lahettajaa lahettajan`,
  CLIENT: `ditt_natverk ditt_system din_server er_server din_maskin anslutning anslutningen forbindelse forbindelsen tilkobling tilkoblingen yhteys palvelimesi`,
  IP: `ip_adress ip_adressen din_ip din_ip_adress din_ip_adresse  ip_osoite ip_osoitteesi`,
  HOST: `servern serveren palvelin palvelinta`,
  DOMAIN: `domanen domanet domaenet domenet verkkotunnus verkkotunnusta`,
  LIST: `svartlista svartlistad svartlistet sortliste sortlistet mustalla_listalla estolista`,
  SPAM: `skrappost soppelpost roskaposti roskapostia`,
  POLICY: `sakerhetspolicy policyn retningslinjer kaytanto`,
  not: `saknas inte ej ingen inget inga ikke intet ei eivat`,
  exist: `finns hittades hittas giltig giltigt existerar findes fundet gyldig gyldigt eksisterer finnes funnet loydy loytynyt olemassa voimassa kaytossa`,
  gone: `inaktivt inaktiv inaktiverades inaktiverats avstangdes borttagna raderades upphorde nedlagd nedlagt okand okant avslutat avslutad avstangd avstangt inaktiverad inaktiverat borttagen borttaget stangt stangd raderad raderat upphort
    ukendt lukket  deaktiveret slettet sparret spaerret  ukjent deaktivert stengt avsluttet sperret
    tuntematon suljettu poistettu lakkautettu vanhentunut`,
  away: `otillganglig utilgaengelig utilgjengelig tavoittamattomissa`,
  bad: `ogiltig ogiltigt felaktig felaktigt ugyldig ugyldigt forkert feil_adresse virheellinen epakelpo`,
  refused: `avvisades avvisas nekats avslogs avslaget afvises avvises vagrades nekad nekat nekades avvisad avvisat avvist afvist naegtet nektet hylatty evatty kielletty`,
  blocked: `sparrad sparrat blockerad blockerat blokeret blokert estetty`,
  full: `slut slut_pa fulla fuld fullt fyllt taynna`,
  exceeded: `overskriden overskridits overskredet ylitetty ylittynyt ylittanyt`,
  quota: `diskkvoten diskkvot anvandarkvot anvandarkvoten lagringskvot kvotan kvot kvoten kvote  kiintio levykiintio`,
  storage: `lagringsutrymme utrymme plads plass lagringsplass lagerplads  tallennustila`,
  disk: `disken harddisken skivan levy levytila`,
  temporarily: `tillfalligt midlertidigt midlertidig tilapaisesti senare senere myohemmin`,
  required: `kravs kraves kreves vaaditaan`,
  GREY: `gralistad gralista gralistning `,
  AUTH: `autentisering`,
  RDNS: `omvand_dns`,
  only: `endast bara kun`,
} as const satisfies WordTable;
