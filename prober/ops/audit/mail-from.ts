import { mend, NO_ANSWER, ok, printable, unknown, type Finding } from './findings.ts';
import type { Names } from './names.ts';
import { checkSpf, type SpfClient, type SpfResult } from './spf.ts';

const MX_HOSTS_SHOWN = 3;

/** The envelope sender's domain takes mail: receivers that verify senders ask it. */
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
    return mend('mx', domain, 'accepts no mail (null MX); publish an MX host, or use another domain: --mail-from');
  const found = await Promise.all(hosts.slice(0, MX_HOSTS_SHOWN).map((host) => names.addresses(host, signal)));
  if (found.some(({ addresses }) => addresses.length > 0))
    return ok('mx', domain, `has ${hosts.slice(0, MX_HOSTS_SHOWN).join(', ')}`);
  if (found.some(({ certain }) => !certain)) return unknown('mx', domain, NO_ANSWER);
  return mend('mx', domain, `its MX host ${hosts.slice(0, MX_HOSTS_SHOWN).join(', ')} has no address; add an A record`);
}

/** The envelope sender's domain lets this client send for it. */
export async function checkSender(
  names: Names,
  mailFrom: string,
  client: SpfClient,
  signal: AbortSignal,
): Promise<Finding> {
  const domain = domainOf(mailFrom);
  const result = await checkSpf(names, mailFrom, client, signal);
  return result.kind === 'none'
    ? mend('spf', domain, `has no SPF record; add the TXT record "v=spf1 ${literal(client.ip)} -all"`)
    : describeSpf('spf', domain, client.ip, result);
}

/** RFC 7208 §2.3: the EHLO name is checked too, and need not have a record. Null: it has none. */
export async function checkEhloSpf(names: Names, client: SpfClient, signal: AbortSignal): Promise<Finding | null> {
  const result = await checkSpf(names, null, client, signal);
  return result.kind === 'none' ? null : describeSpf('ehlo_spf', client.heloName, client.ip, result);
}

export function domainOf(mailFrom: string): string {
  return mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
}

function describeSpf(
  check: 'spf' | 'ehlo_spf',
  domain: string,
  ip: string,
  result: Exclude<SpfResult, { readonly kind: 'none' }>,
): Finding {
  switch (result.kind) {
    case 'pass': {
      const open = result.record.split(' ').find((term) => /^\+?all$/i.test(term));
      return open === undefined
        ? ok(check, domain, `lets ${ip} send: ${printable(result.record)}`)
        : mend(check, domain, `lets everybody send; replace ${open} with ${literal(ip)} -all`);
    }
    case 'fail':
    case 'softfail':
    case 'neutral':
      return mend(
        check,
        domain,
        `does not let ${ip} send (${printable(decisiveTerm(result.kind, result.record) ?? result.record)}); add ${literal(ip)}`,
      );
    case 'permerror':
      return mend(check, domain, `has an SPF record that receivers cannot use: ${printable(result.why)}`);
    case 'temperror':
      return unknown(check, domain, NO_ANSWER);
  }
}

const SIGNS = { fail: '-', softfail: '~', neutral: '?' } as const;

/** The record's `all` if nothing else in it can have said so. */
function decisiveTerm(kind: keyof typeof SIGNS, record: string): string | null {
  const [term = '', second] = record.split(' ').filter((part) => part.startsWith(SIGNS[kind]));
  return second === undefined && /^.all$/i.test(term) ? term : null;
}

function literal(ip: string): string {
  return ip.includes(':') ? `ip6:${ip}` : `ip4:${ip}`;
}
