import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { decode, encode, type Answer, AUTHORITATIVE_ANSWER, type DecodedPacket, type Packet } from 'dns-packet';
import { listenOnOnePort } from '../node/one-port.ts';

/** A question as received, and a way to answer it. */
export type RawQuestion = {
  readonly packet: DecodedPacket;
  readonly name: string;
  readonly from: RemoteInfo;
  /** Sends these very bytes. */
  readonly send: (message: Uint8Array) => void;
};

export type RawNameServer = {
  /** `IP:PORT`, for UDP, and for TCP if that is served. */
  readonly ip: string;
  readonly port: number;
  /** Every question over UDP, in order. */
  readonly asked: RawQuestion[];
  /** Sends an unrequested datagram to a port on loopback. */
  sendTo(bytes: Uint8Array, port: number): void;
  close(): Promise<void>;
};

/**
 * A DNS server on loopback that sends any bytes, including wrong ones.
 * @param overTcp handles each connection; without it the port is closed for TCP
 */
export async function startRawNameServer(
  overUdp: (question: RawQuestion) => void,
  overTcp?: (socket: Socket) => void,
): Promise<RawNameServer> {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    // Many tests are about a client that is gone.
    socket.on('error', () => undefined);
    overTcp?.(socket);
  };
  const tcp = overTcp === undefined ? null : createServer(serve);
  const udp = createSocket('udp4');
  const asked: RawQuestion[] = [];
  udp.on('message', (message, from) => {
    const packet = decode(message);
    const send = (bytes: Uint8Array): void => udp.send(bytes, from.port, from.address);
    const question = { packet, name: packet.questions?.[0]?.name ?? '', from, send };
    asked.push(question);
    overUdp(question);
  });
  if (tcp === null) {
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
  } else {
    await listenOnOnePort(tcp, udp);
  }
  const close = async (): Promise<void> => {
    const closed = Promise.all([once(udp, 'close'), tcp === null ? null : once(tcp, 'close')]);
    udp.close();
    tcp?.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    ip: '127.0.0.1',
    port: udp.address().port,
    asked,
    sendTo: (bytes, to) => udp.send(bytes, to, '127.0.0.1'),
    close,
  };
}

/** The bytes of an answer to a question: NOERROR with these records by default. */
export function answerTo({ packet }: Pick<RawQuestion, 'packet'>, answers: Answer[], more: Packet = {}): Buffer {
  const { id, questions } = packet;
  return encode({
    type: 'response',
    ...(id === undefined ? {} : { id }),
    flags: AUTHORITATIVE_ANSWER,
    ...(questions === undefined ? {} : { questions }),
    answers,
    ...more,
  });
}
