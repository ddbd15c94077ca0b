import { spf } from 'mailauth/lib/spf/index.js';
import type { AddressAnswer } from '../../engine/ports/ports.ts';
import type { Names, Records } from '../../node/resolve.ts';

/** The sending client: its address, canonical, and its EHLO name. */
export type SpfClient = { readonly ip: string; readonly heloName: string };

export type SpfResult =
  /** `record` is the domain's own; `refused`: fail, softfail or neutral. */
  | { readonly kind: 'pass' | 'refused'; readonly record: string }
  | { readonly kind: 'none' }
  /** The record cannot be used: receivers treat it as the domain's error. */
  | { readonly kind: 'permerror'; readonly why: string }
  | { readonly kind: 'temperror' };

const SPF_RECORD = /^v=spf1( |$)/i;

/**
 * Whether a domain authorizes a client to send for it, as receivers find out: check_host of RFC 7208 §4, including
 * macros and limits.
 * @param names all DNS lookups
 */
export async function checkSpf(
  names: Names,
  mailFrom: string,
  { ip, heloName }: SpfClient,
  signal: AbortSignal,
): Promise<SpfResult> {
  const read = { last: '' };
  const resolver = resolverOf(names, ip, read, signal);
  // `mta` is only the receiver's name in the comment. Strict: like the RFC, not like lenient receivers.
  const options = { ip, helo: heloName, sender: mailFrom, mta: 'receiver', strict: true, resolver };
  const { status, rr: record = '' } = await spf(options);
  switch (status.result) {
    case 'pass':
      return { kind: 'pass', record };
    case 'fail':
    case 'softfail':
    case 'neutral':
      return { kind: 'refused', record };
    case 'none':
      return { kind: 'none' };
    case 'permerror':
      return { kind: 'permerror', why: `${reasonIn(status.comment)}${read.last}` };
    case 'temperror':
    case 'temperr':
    // Not results of SPF: mailauth has one type for all its checks.
    case 'policy':
    case 'skipped':
    case 'declined':
      return { kind: 'temperror' };
  }
}

type MxRecord = { readonly exchange: string; readonly priority: number };

/**
 * The audit's lookups in the form that mailauth needs: answers and errors are those of node:dns.
 * @param read receives the SPF record read last, which has the error if there is one
 */
function resolverOf(names: Names, ip: string, read: { last: string }, signal: AbortSignal) {
  return async (asked: string, type: string): Promise<string[] | string[][]> => {
    const name = asked.toLowerCase();
    switch (type) {
      case 'TXT': {
        const records = recordsIn(await names.txt(name, signal));
        const spfRecord = records.find((text) => SPF_RECORD.test(text));
        if (spfRecord !== undefined) read.last = `, in ${name}: ${spfRecord}`;
        return records.map((text) => [text]);
      }
      case 'PTR':
        // Only the client's own address is ever looked up.
        return [...recordsIn(await names.ptr(ip, signal))];
      case 'A':
      case 'AAAA':
        return addressesIn(await names.addresses(name, signal), type === 'A' ? 4 : 6);
      case 'MX': {
        const answer = await names.mx(name, signal);
        if (answer.kind !== 'found') throw dnsError(answer.kind === 'failed' ? 'ETIMEOUT' : 'ENODATA');
        return answer.records.map(({ exchange, preference }) => asMx({ exchange, priority: preference }));
      }
      default:
        throw dnsError('ENODATA');
    }
  };
}

function recordsIn(answer: Records): readonly string[] {
  if (answer.kind !== 'found') throw dnsError(answer.kind === 'failed' ? 'ETIMEOUT' : 'ENODATA');
  return answer.records;
}

function addressesIn({ addresses, certain }: AddressAnswer, family: 4 | 6): string[] {
  const found = addresses.map(({ ip }) => ip).filter((ip) => ip.includes(':') === (family === 6));
  if (found.length === 0) throw dnsError(certain ? 'ENODATA' : 'ETIMEOUT');
  return found;
}

/** mailauth accepts an MX record as node:dns returns it, which its own types do not include: they only have strings. */
function asMx(record: MxRecord): string[] & MxRecord {
  const none: string[] = [];
  return Object.assign(none, record);
}

function dnsError(code: 'ENODATA' | 'ETIMEOUT'): Error {
  return Object.assign(new Error(code), { code });
}

/** mailauth puts the error of a record at the end of a sentence of its own. */
function reasonIn(comment = ''): string {
  return / during lookup of \S+: (.*)$/s.exec(comment)?.[1] ?? 'it has an error';
}
