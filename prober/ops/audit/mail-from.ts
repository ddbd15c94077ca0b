import type { Resolver } from 'node:dns/promises';
import { mend, NO_ANSWER, ok, printable, unknown, type Finding } from './findings.ts';
import type { Names } from '../../node/resolve.ts';
import { checkSpf, type SpfClient } from './spf.ts';

const MX_HOSTS_SHOWN = 3;

/** The envelope sender's domain accepts mail: receivers that verify senders ask it. */
export async function checkMx(names: Names, domain: string, signal: AbortSignal): Promise<Finding> {
  const answer = await names.mx(domain, signal);
  switch (answer.kind) {
    case 'failed':
      return unknown('mx', domain, NO_ANSWER);
    case 'none':
    case 'nxdomain':
      return mend('mx', domain, 'has no MX record; add one that names its mail server');
    case 'found':
  }
  const hosts = answer.records.map(({ exchange }) => exchange);
  if (hosts.every((host) => host === ''))
    return mend('mx', domain, 'accepts no mail (null MX); publish an MX host, or use another domain: MAIL_FROM');
  const found = await Promise.all(hosts.slice(0, MX_HOSTS_SHOWN).map((host) => names.addresses(host, signal)));
  if (found.some(({ addresses }) => addresses.length > 0))
    return ok('mx', domain, `has ${hosts.slice(0, MX_HOSTS_SHOWN).join(', ')}`);
  if (found.some(({ certain }) => !certain)) return unknown('mx', domain, NO_ANSWER);
  return mend('mx', domain, `its MX host ${hosts.slice(0, MX_HOSTS_SHOWN).join(', ')} has no address; add an A record`);
}

export async function checkSender(resolver: Resolver, mailFrom: string, client: SpfClient): Promise<Finding> {
  const domain = domainOf(mailFrom);
  const result = await checkSpf(resolver, mailFrom, client);
  const own = client.ip.includes(':') ? `ip6:${client.ip}` : `ip4:${client.ip}`;
  switch (result.kind) {
    case 'none':
      return mend('spf', domain, `has no SPF record; add the TXT record "v=spf1 ${own} -all"`);
    case 'pass': {
      const open = result.record.split(' ').find((term) => /^\+?all$/i.test(term));
      return open === undefined
        ? ok('spf', domain, `lets ${client.ip} send: ${printable(result.record)}`)
        : mend('spf', domain, `lets everybody send; replace ${open} with ${own} -all`);
    }
    case 'refused':
      return mend('spf', domain, `does not let ${client.ip} send (${printable(result.record)}); add ${own}`);
    case 'permerror':
      return mend('spf', domain, `has an SPF record that receivers cannot use: ${printable(result.why)}`);
    case 'temperror':
      return unknown('spf', domain, NO_ANSWER);
  }
}

export function domainOf(mailFrom: string): string {
  return mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
}
