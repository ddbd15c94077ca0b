// Data of role.ts.

export const SEPARATORS = /[._-]+/g;

/** Words of the list that are no roles: names, places, initials, brands, and what people type into a form. */
export const NOT_A_ROLE: ReadonlySet<string> = new Set(
  `
123 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 aaa abc alexa alla alpha alphas android
angels ap reg api apple app apps asd asdasd asdf bd berlin boston ca caltrain captain captains chef chicago china cloud cm
code com core cs csm cultura data denver departures digsitesvalue dreamteam eng europe facebook family food football
france friends fte fun gardner geeks global gm hackers home house ifttt india instagram ios iphone ir itunes junk la
lab latam lifesum links lt lunch master md me misc mobile montreal mt music myplex namecheap newyork no none noemail
null ny nyc nyoffice ooo paris parts paypal pd per plex plex.tv pm prime principa prod random rockstars sanfrancisco
science se seattle sdr sem seo sf sfo sfoffice sfteam sf-office sfteam shopify singapore smile social sos spam sport
squad stockholm stories stripe study sydney ta tc time tools tour tribe twitter uk us usa ux women writers
`
    .trim()
    .split(/\s+/),
);

/** Roles missing from the list: RFC 2142 names, data protection, and the words of other languages. */
export const MORE_ROLES: readonly string[] = `
abuse noc security postmaster hostmaster webmaster usenet news www uucp ftp marketing sales support info
bounce bounces dmarc tlsrpt cert csirt psirt bugbounty oncall sre peering registry moderator moderators
dpo gdpr dataprotection dataprivacy legal returns refunds warranty board sponsors sponsor claims
datenschutz impressum bewerbung bewerbungen einkauf vertrieb empfang rechnung rechnungen rechnungswesen
kundenservice kundendienst anfrage anfragen redaktion praxis kanzlei verwaltung poststelle zentrale buero termine
geschaeftsfuehrung personalabteilung marktplatz auftrag bestellungen reklamation werkstatt
accueil contactez commande commandes facturation direction mairie secretariat devis reclamation achats ventes
serviceclients recrutement comptabilite
reclamos pedidos facturas recepcion ventas contacto atencion consultas compras
vendite acquisti segreteria ufficio amministrazione prenotazioni assistenza
verkoop inkoop klantenservice boekhouding bestellingen receptie vragen facturen
sprzedaz sklep ksiegowosc reklamacje zamowienia rekrutacja obsluga
forsaljning kundtjanst ekonomi bokning salg kundesenter bogholderi asiakaspalvelu myynti
vendas financeiro atendimento compras
`
  .trim()
  .split(/\s+/);
