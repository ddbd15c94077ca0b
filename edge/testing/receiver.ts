import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook on this machine: what was posted to it, and how it answers. */
export type Receiver = {
  readonly url: string;
  readonly posts: unknown[];
  /** The status of its next answers; null: it never answers. */
  status: number | null;
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const posts: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      posts.push(JSON.parse(body));
      if (receiver.status !== null) response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const receiver: Receiver = {
    url: `http://127.0.0.1:${isPort(address) ? address.port : 0}/hook`,
    posts,
    status: 204,
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
  return receiver;
}

function isPort(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
