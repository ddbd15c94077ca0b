import { createTCPServer, createUDPServer, Packet } from 'dns2';
import type DNS from 'dns2';
import { DOMAINS, type DnsFailure, type Host } from './domains.ts';
import { listenOnOnePort } from '../../prober/node/one-port.ts';
import { closerOf, type Listening } from './listening.ts';

const TTL_S = 1;

/** Where a host's server listens, null if it has no address. */
export type AddressOf = (host: string, plan: Host) => string | null;

type Content = Partial<DNS.Packet.Resource>;
type ZoneAnswer =
  | { readonly kind: 'records'; readonly records: readonly Content[] }
  | { readonly kind: DnsFailure | 'NXDOMAIN' };

const HOSTS: ReadonlyMap<string, Host> = new Map(
  [...DOMAINS.values()].flatMap((domain) => Object.entries(domain.hosts ?? {})),
);

/** Serves the sandbox's zones on 127.0.0.1, over UDP and TCP on one free port. */
export async function startDnsServer(addressOf: AddressOf): Promise<Listening> {
  const handle: DNS.DnsHandler = (request, send) => {
    const response = respond(request, addressOf);
    if (response !== null) void send(response);
  };
  const server = createTCPServer(handle);
  const udp = createUDPServer(handle);
  // Bytes that are not a DNS question get no answer.
  server.on('requestError', () => undefined);
  udp.on('requestError', () => undefined);
  const closeTcp = closerOf(server);
  const port = await listenOnOnePort(server, udp);
  return {
    port,
    close: async () => {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await closeTcp();
    },
  };
}

function respond(request: DNS.Packet, addressOf: AddressOf): DNS.Packet | null {
  const question = request.questions[0];
  const response = Packet.createResponseFromRequest(request);
  response.header.aa = 1;
  if (question === undefined) return response;
  const name = question.name.toLowerCase();
  const answer = question.type === Packet.TYPE.MX ? lookUpMx(name) : lookUpAddress(name, question.type, addressOf);
  switch (answer.kind) {
    case 'no_answer':
      return null;
    case 'SERVFAIL':
    case 'REFUSED':
    case 'NXDOMAIN':
      response.header.rcode = Packet.RCODE[answer.kind];
      return response;
    case 'records': {
      const { type } = question;
      for (const content of answer.records) {
        const record = new Packet.Resource(question.name, type, Packet.CLASS.IN, TTL_S);
        response.answers.push(Object.assign(record, content));
      }
      return response;
    }
  }
}

function lookUpMx(name: string): ZoneAnswer {
  const { mx } = DOMAINS.get(name) ?? {};
  if (mx === undefined) return exists(name) ? { kind: 'records', records: [] } : { kind: 'NXDOMAIN' };
  if (mx === 'null_mx') return { kind: 'records', records: [{ exchange: '', priority: 0 }] };
  if (typeof mx === 'string') return { kind: mx };
  return { kind: 'records', records: mx.map((exchange, i) => ({ exchange, priority: (i + 1) * 10 })) };
}

function lookUpAddress(name: string, type: number, addressOf: AddressOf): ZoneAnswer {
  const host = HOSTS.get(name);
  if (host === undefined) return exists(name) ? { kind: 'records', records: [] } : { kind: 'NXDOMAIN' };
  if (typeof host === 'string') return { kind: host };
  const address = type === Packet.TYPE.A ? addressOf(name, host) : null;
  return { kind: 'records', records: address === null ? [] : [{ address }] };
}

function exists(name: string): boolean {
  return DOMAINS.has(name) || HOSTS.has(name);
}
