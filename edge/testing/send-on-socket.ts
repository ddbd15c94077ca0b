import { connect, type Socket } from 'node:net';
import type { Customer, Edge } from './edge.ts';

/** Sends a verify request over a socket of its own, so that it can be reset. */
export async function sendOnSocket(
  { url }: Edge,
  customer: Customer,
  body: string,
  headers: readonly string[] = [],
  length = Buffer.byteLength(body),
): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  const head = [
    'POST /api/v1/verify HTTP/1.1',
    `Host: ${url.host}`,
    `Authorization: Bearer ${customer.key}`,
    `Content-Length: ${length}`,
    ...headers,
  ];
  await new Promise((sent) => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, sent));
  return socket;
}
