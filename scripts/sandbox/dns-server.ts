import { type NameServer, type Question, type Say, startNameServer } from '../../prober/testing/name-server.ts';
import { type DnsFailure, DOMAINS, type Host } from './domains.ts';

/** Where a host's server listens, null if it has no address. */
export type AddressOf = (host: string, plan: Host) => string | null;

const HOSTS: ReadonlyMap<string, Host> = new Map(
  [...DOMAINS.values()].flatMap((domain) => Object.entries(domain.hosts ?? {})),
);

/** Serves the sandbox's zones on 127.0.0.1, over UDP and TCP on one free port. */
export function startDnsServer(addressOf: AddressOf): Promise<NameServer> {
  return startNameServer((question) => {
    const name = question.name.toLowerCase();
    return question.type === 'MX' ? lookUpMx(name) : lookUpAddress(name, question.type, addressOf);
  });
}

function lookUpMx(name: string): Say {
  const { mx } = DOMAINS.get(name) ?? {};
  if (mx === undefined) return nothingAt(name);
  if (mx === 'null_mx') return { mx: [[0, '']] };
  if (typeof mx === 'string') return failureOf(mx);
  return { mx: mx.map((exchange, i) => [(i + 1) * 10, exchange]) };
}

function lookUpAddress(name: string, type: Question['type'], addressOf: AddressOf): Say {
  const host = HOSTS.get(name);
  if (host === undefined) return nothingAt(name);
  if (typeof host === 'string') return failureOf(host);
  const ip = type === 'A' ? addressOf(name, host) : null;
  return ip === null ? 'nodata' : { ip: [ip] };
}

function nothingAt(name: string): Say {
  return DOMAINS.has(name) || HOSTS.has(name) ? 'nodata' : { rcode: 'NXDOMAIN' };
}

function failureOf(failure: DnsFailure): Say {
  return failure === 'no_answer' ? 'silence' : { rcode: failure };
}
