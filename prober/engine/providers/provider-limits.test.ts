import { expect, test } from 'vitest';
import { providerOf } from './provider-limits.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';

test.each([
  ['aspmx.l.google.com', 'google'],
  ['alt1.gmr-smtp-in.l.google.com', 'google'],
  ['gmail-smtp-in.l.google.com', 'google'],
  ['example-com.mail.protection.outlook.com', 'microsoft'],
  ['outlook-cz.d-v1.mx.microsoft', 'microsoft'],
  ['mta5.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'icloud'],
  ['smtp-in.orange.fr', 'orange'],
  ['mxs.mail.ru', 'mailru'],
  ['mx.yandex.ru', 'yandex'],
  ['mx00.gmx.net', 'gmx'],
  ['mx-ha02.web.de', 'web.de'],
  ['mx3.qq.com', 'qq'],
  ['163mx01.mxmail.netease.com', 'netease'],
  ['eu-smtp-inbound-1.mimecast.com', 'mimecast'],
  ['d12345a.ess.barracudanetworks.com', 'barracuda'],
  ['mxa-00123456.gslb.pphosted.com', 'proofpoint'],
])('%s is run by %s', (host, provider) => {
  expect(providerOf(host, PROVIDER_LIMITS)?.provider).toBe(provider);
});

const OF_ANYONE = `
    mx.google.com.attacker.test notgoogle.com google.com. com mx.attacker.test ec2-1-2-3-4.compute.amazonaws.com
    vps-1234.vps.ovh.net ip-1-2-3-4.ip.secureserver.net www.outlook.com user.abo.orange.fr`;

test.each(OF_ANYONE.trim().split(/\s+/))('%s is a name that anyone can have', (host) => {
  expect(providerOf(host, PROVIDER_LIMITS)).toBeNull();
});

test('every row has a source and its date', () => {
  for (const { source } of PROVIDER_LIMITS) {
    expect(source.from).not.toBe('');
    expect(source.date).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
  }
});

test('every suffix has two labels or more, and belongs to one provider', () => {
  const suffixes = PROVIDER_LIMITS.flatMap((row) => row.suffixes);
  expect(suffixes.filter((suffix) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(suffix))).toEqual([]);
  for (const { provider, suffixes: own } of PROVIDER_LIMITS)
    for (const suffix of own) expect(providerOf(`x.${suffix}`, PROVIDER_LIMITS)?.provider).toBe(provider);
  expect(new Set(suffixes).size).toBe(suffixes.length);
});
