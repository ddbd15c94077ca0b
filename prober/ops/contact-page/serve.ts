import { createServer, type Server } from 'node:http';
import { listen } from '../../node/listen.ts';

// It faces the whole internet, so everything that a visitor may take is bounded. It shares nothing with the probing
// process: no key, no socket, no memory.

const CONNECTIONS_MAX = 100;
const REQUEST_MS = 5_000;
const HEADERS_BYTES_MAX = 8_192;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'max-age=3600',
  connection: 'close',
} as const;

/**
 * Serves one page at `/`, and nothing anywhere else.
 * @param port 0 for a free one
 * @returns the server, listening, or the system's code if the port cannot be had
 */
export async function serveContactPage(
  page: string,
  port: number,
): Promise<{ readonly server: Server; readonly port: number } | { readonly failed: string }> {
  const body = Buffer.from(page, 'utf8');
  const limits = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };
  const server = createServer({ ...limits, maxHeaderSize: HEADERS_BYTES_MAX }, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return response.writeHead(405, { allow: 'GET, HEAD', connection: 'close' }).end();
    if (request.url?.split('?')[0] !== '/') return response.writeHead(404, { connection: 'close' }).end();
    return response
      .writeHead(200, { ...HEADERS, 'content-length': body.byteLength })
      .end(request.method === 'GET' ? body : undefined);
  });
  server.maxConnections = CONNECTIONS_MAX;
  // A client that does not read the answer loses the connection.
  server.setTimeout(REQUEST_MS, (socket) => socket.destroy());
  const listening = await listen(server, port);
  return 'failed' in listening ? listening : { server, ...listening };
}
