import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Metrics } from './metrics.ts';

/** For this machine alone: an agent on it scrapes, and sends outwards what it has. */
const HOST = '127.0.0.1';

/**
 * Serves `GET /metrics` on a port of this machine.
 * @returns the port, if 0 was asked for a free one; the system's code if it cannot be had
 */
export async function serveMetrics(
  port: number,
  { text, contentType }: Pick<Metrics, 'text' | 'contentType'>,
): Promise<{ readonly port: number } | { readonly failed: string }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    text().then(
      (page) => response.writeHead(200, { 'content-type': contentType }).end(page),
      () => response.writeHead(500).end(),
    );
  });
  // Whoever keeps a connection keeps no drain from ending.
  server.unref();
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    return { failed: error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause' };
  }
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : port };
}
