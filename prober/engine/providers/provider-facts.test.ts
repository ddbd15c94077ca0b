import { expect, test } from 'vitest';
import { atRcptOf, PROVIDER_FACTS } from './provider-facts.ts';

const HOSTS = {
  // Microsoft's consumer hosts, in all forms so far.
  blocks_probes: `
    hotmail-com.olc.protection.outlook.com eur.olc.protection.outlook.com mx3.hotmail.com
    outlook-cz.d-v1.mx.microsoft outlook-com.a-v1.mx.microsoft hotmail-co-uk.a-v1.mx.microsoft
    live-com-ar.p-v1.mx.microsoft msn-com.o-v1.mx.microsoft passport-com.o-v1.mx.microsoft
    windowslive-com.o-v1.mx.microsoft`,
  // Its tenants under any name, names that anyone can have, and other companies.
  tells: `
    contoso-com.mail.protection.outlook.com hotmail-com.mail.protection.outlook.com contoso-com.o-v1.mx.microsoft
    outlook-consulting-com.a-v1.mx.microsoft my-hotmail-com.a-v1.mx.microsoft live-music-de.a-v1.mx.microsoft
    hotmail-example.a-v1.mx.microsoft msn-de.a-v1.mx.microsoft outlook.a-v1.mx.microsoft
    contoso-com.outlook-com.mx.microsoft mx.microsoft outlook-cz.d-v1.mx.microsoft.attacker.test
    outlook-cz.notmx.microsoft nothotmail.com mta5.am0.yahoodns.net.attacker.test notyahoodns.net
    mx1.mail.yahoo.co.jp gmail-smtp-in.l.google.com`,
  // Yahoo and the domains whose mail it runs.
  accepts_all: `
    mta5.am0.yahoodns.net mta6.am0.yahoodns.net mta7.am0.yahoodns.net mx-eu.mail.am0.yahoodns.net
    mx-aol.mail.gm0.yahoodns.net`,
};

const words = (text: string): string[] => text.trim().split(/\s+/);

test.each(Object.entries(HOSTS))('the worth of an acceptance is %s', (worth, hosts) => {
  for (const host of words(hosts)) expect([host, atRcptOf(host, PROVIDER_FACTS)]).toEqual([host, worth]);
});

test('every fact has a source and its date', () => {
  for (const { source } of PROVIDER_FACTS) {
    expect(source.from).toMatch(/https:\/\//);
    expect(source.date).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
  }
});
