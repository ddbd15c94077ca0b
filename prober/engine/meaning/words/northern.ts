import type { WordTable } from './word-table.ts';

/** Swedish, Danish, Norwegian and Finnish. Shared spellings are listed once. */
export const NORTHERN = {
  DROP: `ar sadan sadant och att det den ett som pa av blev blivit har er og tama taman tata`,
  BOX: `inkorg mottagarens anvandarens postladans anvandare anvandarnamn mottagare mottagaradress adressen brevlada postlada bruger brugernavn modtager postkasse indbakke bruker
    brukernavn mottaker innboks e_postadress e_postadressen epostadress e_postadresse e_postkonto epostkonto kayttaja vastaanottaja osoite osoitetta osoitteen postilaatikko
    postilaatikon tili tilia tilin sahkopostiosoite sahkopostiosoitetta sahkopostilaatikko`,
  MSG: `meddelande meddelelse beskjed viesti posten brev brevet`,
  EMAIL: `e_post epost sahkoposti`,
  SENDER: `din_adress din_e_postadress er_adress din_adresse din_e_postadresse sahkopostiosoitteesi avsandare avsandaradress afsender afsenderadresse avsender avsenderadresse
    lahettaja`,
  yours: `din ditt dina`,
  CLIENT: `dit_domaene ditt_natverk ditt_system din_server er_server din_maskin anslutning forbindelse tilkobling yhteys palvelimesi`,
  IP: `ip_adress ip_adressen din_ip din_ip_adress din_ip_adresse ip_osoite ip_osoitteesi`,
  HOST: `serveren palvelin palvelinta`,
  DOMAIN: `verkkotunnus verkkotunnusta`,
  LIST: `svartlista svartlistad svartlistet sortliste mustalla_listalla estolista`,
  SPAM: `skrappost soppelpost roskaposti`,
  POLICY: `sakerhetspolicy retningslinjer kaytanto`,
  not: `saknas inte ej ingen inget inga ikke intet ei eivat`,
  exist: `anvands bruges brukes finns hittades hittas giltig existerar findes fundet gyldig eksisterer finnes funnet loydy loytynyt olemassa voimassa kaytossa`,
  gone: `inaktiv borttagna upphorde nedlagd nedlagt okand okant avslutat avslutad avstangd avstangt inaktiverad inaktiverat borttagen borttaget stangt stangd raderad raderat
    upphort ukendt lukket deaktiveret slettet sparret spaerret ukjent deaktivert stengt avsluttet sperret tuntematon suljettu poistettu lakkautettu vanhentunut`,
  away: `otillganglig utilgaengelig utilgjengelig tavoittamattomissa`,
  bad: `ogiltig felaktig ugyldig forkert feil_adresse virheellinen epakelpo`,
  refused: `avslogs avslaget vagrades nekad nekat avvisad avvisat avvist afvist naegtet nektet hylatty evatty kielletty`,
  blocked: `sparrad sparrat blockerad blockerat blokeret blokert estetty`,
  full: `slut slut_pa fulla fuld fullt fyllt taynna`,
  exceeded: `overskriden overskridits overskredet ylitetty ylittynyt ylittanyt`,
  quota: `diskkvot anvandarkvot lagringskvot kvot kvoten kvote kiintio levykiintio`,
  storage: `lagringsutrymme utrymme plads plass lagringsplass lagerplads tallennustila`,
  disk: `disken harddisken skivan levy levytila`,
  temporarily: `tillfalligt midlertidig tilapaisesti senare senere myohemmin`,
  required: `kravs kraves kreves vaaditaan`,
  GREY: `gralistad gralista gralistning`,
  AUTH: `autentisering`,
  RDNS: `omvand_dns`,
  only: `endast bara kun`,
  MANY: `for_manga for_mange liian_monta liian_paljon`,
  limit: `grans gransen graense graensen grensen raja`,
  sending: `skickade sendte utgaende udgaende lahtevan lahtevien lahetettyjen`,
  COMMAND: `kommandot komento komentoa`,
  RATE: `sandningskvot sandningskvoten sendekvote afsendelseskvote lahetyskiintio lahetysraja sandgrans sandningsgrans sendegraense afsendelsesgraense sendegrense sendegrensen`,
} as const satisfies WordTable;
