import type { Outcome } from '../../../schema/evidence.ts';
import { isHostName, MX_RECORDS_MAX } from '../../../schema/host-name.ts';
import type { MxAnswer, MxRecord, Random } from '../ports/ports.ts';
import { shuffled } from './targets.ts';

/** The hosts that take a domain's mail, according to DNS alone. */
export type MailHosts =
  | { readonly kind: 'none'; readonly outcome: Outcome }
  | {
      readonly kind: 'hosts';
      /** Host names in the order they are tried: by preference, equal ones shuffled (RFC 5321 §5.1). */
      readonly hosts: readonly string[];
      /** The records shown: by preference, the first ten; empty for an implicit MX. */
      readonly mx: readonly string[];
      /** The domain has no MX: its own address is asked (RFC 5321 §5.1). */
      readonly implicit: boolean;
    };

/** A resolver would read this as an address, so that it was never looked up: RFC 5321 §5.1 requires a host name. */
const ENDS_IN_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** The hosts that take a domain's mail, by its MX records. @param domain A-labels */
export function mailHostsOf(domain: string, answer: MxAnswer, random: Random): MailHosts {
  switch (answer.kind) {
    case 'failed':
      return { kind: 'none', outcome: { kind: 'mx_lookup_failed' } };
    case 'nxdomain':
      return { kind: 'none', outcome: { kind: 'no_mail_domain', why: 'nxdomain' } };
    case 'none':
      return { kind: 'hosts', hosts: [domain], mx: [], implicit: true };
    case 'found':
      return fromRecords(answer.records, random);
  }
}

/** An MX target that cannot be a host: it reads as an address, or is no host name. It counts as missing. */
export function isNoHost(exchange: string): boolean {
  return !isHostName(exchange) || ENDS_IN_NUMBER.test(exchange);
}

/** A null MX beside others means nothing (RFC 7505 §3 forbids it); alone it means that the domain takes no mail. */
function fromRecords(records: readonly MxRecord[], random: Random): MailHosts {
  const named = records.filter(({ exchange }) => exchange !== '');
  if (named.length === 0) return { kind: 'none', outcome: { kind: 'no_mail_domain', why: 'null_mx' } };
  const hosts = namesOf(shuffled(named, random));
  const mx = namesOf(named).filter(isHostName);
  return { kind: 'hosts', hosts, mx: mx.slice(0, MX_RECORDS_MAX), implicit: false };
}

function namesOf(records: readonly MxRecord[]): readonly string[] {
  const names = records.toSorted((a, b) => a.preference - b.preference).map(({ exchange }) => exchange);
  return names.length > 1 ? [...new Set(names)] : names;
}
