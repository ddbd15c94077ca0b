import { expect, test } from 'vitest';
import { atRcptOf, PROVIDER_FACTS } from './provider-facts.ts';

test.each([
  // Microsoft's consumer hosts, in all forms so far.
  ['hotmail-com.olc.protection.outlook.com', 'blocks_probes'],
  ['eur.olc.protection.outlook.com', 'blocks_probes'],
  ['mx3.hotmail.com', 'blocks_probes'],
  ['outlook-cz.d-v1.mx.microsoft', 'blocks_probes'],
  ['outlook-com.a-v1.mx.microsoft', 'blocks_probes'],
  ['hotmail-co-uk.a-v1.mx.microsoft', 'blocks_probes'],
  ['live-com-ar.p-v1.mx.microsoft', 'blocks_probes'],
  ['msn-com.o-v1.mx.microsoft', 'blocks_probes'],
  ['passport-com.o-v1.mx.microsoft', 'blocks_probes'],
  ['windowslive-com.o-v1.mx.microsoft', 'blocks_probes'],
  // Its tenants, under any name.
  ['contoso-com.mail.protection.outlook.com', 'tells'],
  ['hotmail-com.mail.protection.outlook.com', 'tells'],
  ['contoso-com.o-v1.mx.microsoft', 'tells'],
  ['outlook-consulting-com.a-v1.mx.microsoft', 'tells'],
  ['my-hotmail-com.a-v1.mx.microsoft', 'tells'],
  ['live-music-de.a-v1.mx.microsoft', 'tells'],
  ['hotmail-example.a-v1.mx.microsoft', 'tells'],
  ['msn-de.a-v1.mx.microsoft', 'tells'],
  ['outlook.a-v1.mx.microsoft', 'tells'],
  ['contoso-com.outlook-com.mx.microsoft', 'tells'],
  ['mx.microsoft', 'tells'],
  // Names that anyone can have.
  ['outlook-cz.d-v1.mx.microsoft.attacker.test', 'tells'],
  ['outlook-cz.notmx.microsoft', 'tells'],
  ['nothotmail.com', 'tells'],
  ['mta5.am0.yahoodns.net.attacker.test', 'tells'],
  ['notyahoodns.net', 'tells'],
  // Yahoo and the domains whose mail it runs.
  ['mta5.am0.yahoodns.net', 'accepts_all'],
  ['mta6.am0.yahoodns.net', 'accepts_all'],
  ['mta7.am0.yahoodns.net', 'accepts_all'],
  ['mx-eu.mail.am0.yahoodns.net', 'accepts_all'],
  ['mx-aol.mail.gm0.yahoodns.net', 'accepts_all'],
  // Another company.
  ['mx1.mail.yahoo.co.jp', 'tells'],
  ['gmail-smtp-in.l.google.com', 'tells'],
])('the worth of an acceptance at %s is %s', (host, atRcpt) => {
  expect(atRcptOf(host, PROVIDER_FACTS)).toBe(atRcpt);
});

test('every fact has a source and its date', () => {
  for (const { source } of PROVIDER_FACTS) {
    expect(source.from).toMatch(/https:\/\//);
    expect(source.date).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
  }
});
