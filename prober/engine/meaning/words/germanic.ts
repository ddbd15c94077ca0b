import type { WordTable } from './word-table.ts';

/** German and Dutch, umlauts as servers write them: `u` and `ue`. Words shared with English are in its table. */
export const GERMANIC = {
  DROP: `auf_diesem_server auf_dem_server op_deze_server op solches der die das dem den ein eine einen einem einer ist sind wird wurde wurden worden werden hat haben sich es leider
    bitte und fur fuer von zu im het een werd wordt zijn heeft helaas deze dit dat diese dieser dieses diesem diesen bei mit mij aan te van voor gibt namen naam er mehr meer alstublieft
    kann kan konnen koennen kunnen auf_diesem_system auf_diesem_host op_dit_systeem`,
  BOX: `ihr_empfaenger ihr_empfanger ihr_adressat uw_ontvanger benutzeraccount briefkasten mailfach postfach mailpostfach postfaecher kontos mailkonto emailkonto empfanger empfaenger empfangeradresse empfaengeradresse
    mailempfanger benutzer benutzername benutzerkonto nutzer adressat mailadresse emailadresse e_mail_adresse email_adresse mail_adresse zieladresse teilnehmer kunde ontvanger geadresseerde gebruiker gebruikersnaam postbus
    postvak mailbus brievenbus adres mailadres emailadres e_mailadres e_mail_adres email_adres ontvangeradres klant account_van mitarbeiter mitarbeiterin kollege benutzerkennung medewerker persoon e_mailadressen`,
  MSG: `nachricht mitteilung bericht`,
  SENDER: `ihrer_adresse ihrer_e_mail_adresse ihrer_mailadresse ihrem_konto von_ihnen ihre_adresse ihre_e_mail_adresse ihre_mailadresse ihr_konto ihr_absender uw_adres uw_e_mailadres uw_account ihre_mail_adresse absender absenderadresse absenderdomain
    absenderdomane von_unbekannten von_fremden van_onbekenden senderadresse versender afzender afzenderadres`,
  yours: `uw jouw dein deine`,
  theirs: `ihr ihre`,
  CLIENT: `ihrem_server ihrem_mailserver ihrem_host ihrer_domain ihr_system ihr_netz ihr_netzwerk ihr_anbieter ihr_provider uw_provider uw_netwerk ihr_mail_server verbindung einlieferung einliefernde einlieferungsserver
    mailversender ihr_server ihr_mailserver ihr_host ihres_servers ihre_domain verbinding uw_server uw_mailserver uw_host ihres_mailservers ihr_rechner`,
  IP: `ip_adresse ipadresse ip_adres ipadres ihre_ip ihrer_ip ihre_ip_adresse ihrer_ip_adresse uw_ip uw_ip_adres absender_ip`,
  HOST: `rechner gegenstelle`,
  DOMAIN: `domane domaene domein domeinnaam empfangerdomain empfaengerdomain`,
  SERVICE: `dienst`,
  LIST: `sperrliste schwarze_liste schwarzen_liste zwarte_lijst`,
  SPAM: `spamverdacht missbrauch misbruik werbung ongewenste unerwunschte unerwuenschte`,
  POLICY: `richtlinie sicherheitsgrunden sicherheitsgruenden beleid beleidsregels`,
  AUTH: `authentifizierung authentifizieren authentisierung anmeldung anmelden authenticatie aanmelden`,
  TLS: `verschlusselung verschluesselung verschlusselte versleuteling versleutelde`,
  MANY: `zu_viele zuviele zu_viel te_veel`,
  RATE: `sendekontingent versandkontingent sendequota versandquota sendelimit versandlimit verzendquotum verzendlimiet zu_haufig zu_haeufig zu_schnell zu_oft te_snel te_vaak rate_begrenzung ratenlimit postausgangslimit ausgangskontingent`,
  RELAY: `weiterleitung weiterleiten relaisbetrieb doorsturen weiterversand relaisieren relayen`,
  REPUTE: `reputatie ruf`,
  RDNS: `reverse_dns_eintrag ruckwartsauflosung rueckwaertsaufloesung`,
  not: `nicht kein keine keinen keinem keiner nie niemals niet geen nooit niemand kunde_inte kunde_ikke kunde_ej kunne_ikke`,
  exist: `gehort zugeordnet existiert vorhanden gefunden bekannt gultig gueltig erreichbar zustellbar verfugbar verfuegbar aktiv zugestellt eingerichtet registriert auffindbar
    ermittelt bestaan gevonden bekend geldig bereikbaar beschikbaar actief vergeben benutzt verwendet in_gebruik beschaftigt beschaeftigt tatig taetig in_dienst werkzaam werkt dienstverband geregistreerd gefuhrt gefuehrt`,
  gone: `abgeschaltet nicht_mehr_im_unternehmen nicht_mehr_bei_uns nicht_mehr_da gesloten gestopt ausser_betrieb aufgehoben erloschen weggezogen beendet unbekannt deaktiviert stillgelegt
    geloscht geloescht geschlossen abgelaufen inaktiv unzustellbar nichtexistent aufgelost aufgeloest abgemeldet gekundigt gekuendigt verzogen umgezogen onbekend gedeactiveerd
    uitgeschakeld verwijderd afgesloten opgeheven opgezegd verlopen inactief onbestelbaar ausgeschieden nicht_mehr_hier werkt_hier_niet arbeitet_nicht_mehr nicht_mehr_verwendet
    nicht_vergeben vervallen pensioniert verstorben overleden gepensioneerd uit_dienst entfernt opgeschort geschorst`,
  away: `onbereikbaar unerreichbar`,
  bad: `ungultig ungueltig ueltige falsch fehlerhaft ongeldig foutief onjuist`,
  refused: `abgelehnt abgewiesen verweigert zuruckgewiesen zurueckgewiesen ablehnung untersagt verboten unzulassig geweigerd afgewezen verworpen`,
  blocked: `gesperrt geblockt blockiert sperre geblokkeerd`,
  allowed: `erlaubt zugelassen gestattet berechtigt autorisiert toegestaan toegelaten gemachtigd`,
  accept: `akzeptiert angenommen annehmen empfangen entgegengenommen aanvaard geaccepteerd aangenomen nimmt nehmen accepteert ontvangt empfangt empfaengt ontvangen`,
  listed: `gelistet vermeld`,
  failed: `fehler fehlgeschlagen gescheitert mislukt fout`,
  CHECK: `uberprufung ueberpruefung prufung pruefung verifizierung controle verificatie`,
  exceeded: `uberschritten ueberschritten erreicht overschreden bereikt`,
  over: `uberschreitet ueberschreitet uber ueber`,
  full: `ubervoll uebervoll voll volle volles ueberfullt uberfullt ueberfuellt vol overvol aufgebraucht zit_vol verbraucht ubergelaufen uebergelaufen`,
  quota: `speicherlimit speichergrenze postfachlimit mailboxlimit postfachgrosse postfachgroesse mailboxgrosse mailboxgroesse opslaglimiet kontingent speicherkontingent quotum`,
  storage: `speichervolumen speicherplatz speicher platz opslagruimte ruimte`,
  disk: `festplatte plattenplatz schijf schijfruimte harde_schijf`,
  limit: `grenze hochstgrenze hoechstgrenze limiet`,
  enough: `genug genugend genuegend ausreichend voldoende genoeg`,
  insufficient: `erschopft erschoepft unzureichend onvoldoende`,
  required: `erforderlich notwendig benotigt benoetigt vereist nodig verplicht`,
  temporarily: `uberlastet ueberlastet overbelast vorubergehend voruebergehend zeitweise tijdelijk spater spaeter derzeit momentan im_moment im_augenblick op_dit_moment momenteel vorerst`,
  access: `zugriff zugang toegang`,
  'not BOX': `niemand_unter niemand_bei niemand_mit niemand_namens niemand_mit_diesem niemand_hier`,
  size: `grosse groesse grootte`,
  here: `hier bei_uns bij_ons`,
  only: `nur ausschliesslich alleen enkel`,
  COMMAND: `befehle kommandos anweisung commando opdracht`,
  sending: `versand ausgehenden gesendet senden postausgang verzenden uitgaande`,
  'please CHECK': `uberprufen_sie ueberpruefen_sie prufen_sie pruefen_sie kontrollieren_sie controleer`,
  changed: `geandert geaendert gewijzigd veranderd`,
  if: `als_de als_het als_u als_uw als_een`,
  hosted: `gehostet`,
} as const satisfies WordTable;
