import { once } from 'node:events';
import type { Socket } from 'node:dgram';
import { createServer, isIP, type Server, type Socket as TcpSocket } from 'node:net';
import { createUDPServer, Packet, type DnsHandler } from 'dns2';
import { LengthPrefixed } from './length-prefixed.ts';
import { listenOnOnePort } from '../node/one-port.ts';

export type Question = { readonly name: string; readonly type: 'MX' | 'A' | 'AAAA' | 'TXT' | 'PTR' | 'other' };

/** The server's answer: records, with the question's name and type by default, or a code, or nothing. */
export type Say =
  | { readonly mx: ReadonlyArray<readonly [preference: number, exchange: string]> }
  | { readonly ip: readonly string[] }
  /** Each record in its strings. */
  | { readonly txt: ReadonlyArray<readonly string[]> }
  | { readonly ptr: readonly string[] }
  /** An alias, and the answer for the name that it leads to. */
  | { readonly cname: string; readonly leadsTo: Say }
  /** A DNAME record of this owner and target (RFC 6672), then the alias made from it and its end. */
  | { readonly dname: readonly [owner: string, target: string]; readonly leadsTo: Say }
  /** The message of an answer, changed. */
  | { readonly bytesOf: Say; readonly changed: (message: Buffer) => Buffer }
  | { readonly rcode: keyof typeof Packet.RCODE }
  | 'nodata'
  | 'silence';

export type NameServer = {
  /** `IP:PORT`, for UDP and TCP. */
  readonly address: string;
  /** The questions so far; of very many the latest. */
  readonly asked: Array<Question & { readonly over: 'udp' | 'tcp' }>;
  readonly close: () => Promise<void>;
};

const TYPES = new Map<number, Question['type']>([
  [Packet.TYPE.MX, 'MX'],
  [Packet.TYPE.A, 'A'],
  [Packet.TYPE.AAAA, 'AAAA'],
  [Packet.TYPE.TXT, 'TXT'],
  [Packet.TYPE.PTR, 'PTR'],
]);

const DNAME = 39;
const ASKED_MAX = 100_000;

/** Where a name server listens if not on a free port of 127.0.0.1, and how many questions it can buffer. */
export type Place = { readonly ip: string; readonly port: number; readonly udpBufferBytes: number };

/** A DNS server on loopback with scripted answers. */
export async function startNameServer(
  answer: (question: Question) => Say | Promise<Say>,
  place?: Place,
): Promise<NameServer> {
  const asked: NameServer['asked'] = [];
  const handler =
    (over: 'udp' | 'tcp'): DnsHandler =>
    (request, send) => {
      const [first] = request.questions;
      if (first === undefined) return;
      const question: Question = { name: first.name, type: TYPES.get(first.type ?? 0) ?? 'other' };
      if (asked.length === ASKED_MAX) asked.length = 0;
      asked.push({ ...question, over });
      const respond = (said: Say): void => {
        if (said === 'silence') return;
        const response = Packet.createResponseFromRequest(request);
        fill(response, question, said);
        void send(typeof said === 'object' && 'changed' in said ? said.changed(response.toBuffer()) : response);
      };
      const said = answer(question);
      if (said instanceof Promise) void said.then(respond);
      else respond(said);
    };
  const udp = createUDPServer(handler('udp'));
  const connections = new Set<TcpSocket>();
  const tcp = createServer((socket) => {
    connections.add(socket);
    const received = new LengthPrefixed();
    socket.on('error', () => undefined);
    socket.on('close', () => connections.delete(socket));
    socket.on('data', (chunk) => {
      for (const request of received.take(chunk).flatMap(questionIn))
        handler('tcp')(
          request,
          (response) => {
            const answered = Buffer.isBuffer(response) ? response : response.toBuffer();
            socket.write(LengthPrefixed.frame(answered));
            return Promise.resolve(answered);
          },
          { address: '127.0.0.1', port: 0, family: 'IPv4', size: 0 },
        );
    });
  });
  const port = place === undefined ? await listenOnOnePort(tcp, udp) : await listenAt(tcp, udp, place);
  const close = async (): Promise<void> => {
    const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
    udp.close();
    tcp.close();
    for (const socket of connections) socket.destroy();
    await closed;
  };
  return { address: `${place?.ip ?? '127.0.0.1'}:${port}`, asked, close };
}

/** Bytes that are no DNS message get no answer. */
function questionIn(message: Buffer): readonly Packet[] {
  try {
    return [Packet.parse(message)];
  } catch {
    return [];
  }
}

async function listenAt(tcp: Server, udp: Socket, { ip, port, udpBufferBytes }: Place): Promise<number> {
  const listening = Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
  udp.bind(port, ip);
  tcp.listen(port, ip);
  await listening;
  udp.setRecvBufferSize(udpBufferBytes);
  return port;
}

function fill(response: Packet, { name, type }: Question, said: Exclude<Say, 'silence'>): void {
  if (said === 'nodata') return;
  if ('changed' in said) {
    if (said.bytesOf !== 'silence') fill(response, { name, type }, said.bytesOf);
    return;
  }
  if ('rcode' in said) {
    response.header.rcode = Packet.RCODE[said.rcode];
    return;
  }
  if ('dname' in said) {
    const [owner, target] = said.dname;
    const data = Buffer.concat(
      [...target.split('.'), ''].map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    );
    response.answers.push(new Packet.Resource({ name: owner, class: Packet.CLASS.IN, ttl: 300, type: DNAME, data }));
    const cname = name.replace(owner, target);
    return fill(response, { name, type }, { cname, leadsTo: said.leadsTo });
  }
  if ('cname' in said) {
    const { cname, leadsTo } = said;
    const alias = { name, class: Packet.CLASS.IN, ttl: 300, type: Packet.TYPE.CNAME, domain: cname };
    response.answers.push(new Packet.Resource(alias));
    if (leadsTo !== 'silence') fill(response, { name: cname, type }, leadsTo);
    return;
  }
  const common = { name, class: Packet.CLASS.IN, ttl: 300 };
  if ('mx' in said)
    for (const [priority, exchange] of said.mx)
      response.answers.push(new Packet.Resource({ ...common, type: Packet.TYPE.MX, priority, exchange }));
  else if ('txt' in said)
    for (const strings of said.txt)
      response.answers.push(new Packet.Resource({ ...common, type: Packet.TYPE.TXT, data: [...strings] }));
  else if ('ptr' in said)
    for (const domain of said.ptr)
      response.answers.push(new Packet.Resource({ ...common, type: Packet.TYPE.PTR, domain }));
  else
    for (const address of said.ip) {
      const family = isIP(address) === 4 ? Packet.TYPE.A : Packet.TYPE.AAAA;
      response.answers.push(new Packet.Resource({ ...common, type: family, address }));
    }
}
