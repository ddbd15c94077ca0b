import type { Resolver } from 'node:dns/promises';
import { spf } from 'mailauth/lib/spf/index.js';

/** The sending client: its address, canonical, and its EHLO name. */
export type SpfClient = { readonly ip: string; readonly heloName: string };

export type SpfResult =
  /** `record` is the domain's own; `refused`: fail, softfail or neutral. */
  | { readonly kind: 'pass' | 'refused'; readonly record: string }
  | { readonly kind: 'none' }
  /** The record cannot be used: receivers treat it as the domain's error. */
  | { readonly kind: 'permerror'; readonly why: string }
  | { readonly kind: 'temperror' };

/** Whether a domain authorizes a client to send for it: check_host of RFC 7208 §4, including macros and limits. */
export async function checkSpf(resolver: Resolver, mailFrom: string, { ip, heloName }: SpfClient): Promise<SpfResult> {
  // `mta` is only the receiver's name in the comment. Strict: like the RFC, not like lenient receivers.
  const options = {
    ip,
    helo: heloName,
    sender: mailFrom,
    mta: 'receiver',
    strict: true,
    resolver: lookUpsOf(resolver),
  };
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
      return { kind: 'permerror', why: reasonIn(status.comment) };
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

function lookUpsOf(resolver: Resolver) {
  return async (name: string, type: string): Promise<string[] | string[][]> => {
    switch (type) {
      case 'TXT':
        return resolver.resolveTxt(name);
      case 'PTR':
        return resolver.resolvePtr(name);
      case 'A':
        return resolver.resolve4(name);
      case 'AAAA':
        return resolver.resolve6(name);
      case 'MX':
        return (await resolver.resolveMx(name)).map(asMx);
      default:
        return [];
    }
  };
}

/** mailauth accepts an MX record as node:dns returns it, which its own types do not include: they only have strings. */
function asMx(record: MxRecord): string[] & MxRecord {
  const none: string[] = [];
  return Object.assign(none, record);
}

/** mailauth puts the error of a record at the end of a sentence of its own. */
function reasonIn(comment = ''): string {
  return / during lookup of \S+: (.*)$/s.exec(comment)?.[1] ?? 'it has an error';
}
