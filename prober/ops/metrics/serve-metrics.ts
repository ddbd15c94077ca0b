import { createServer } from 'node:http';
import { listen } from '../../node/listen.ts';

/** For this machine alone: an agent on it scrapes, and sends outwards what it has. */
const HOST = '127.0.0.1';

export type Page = { readonly contentType: string; readonly text: () => Promise<string> };

/**
 * Serves the page `/metrics` to GET on a port of this machine.
 * @returns the port, if 0 was asked for a free one; the system's code if it cannot be had
 */
export async function serveMetrics(
  port: number,
  page: Page,
): Promise<{ readonly port: number } | { readonly failed: string }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    page.text().then(
      (text) => response.writeHead(200, { 'content-type': page.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  // An open connection does not keep a drain from ending.
  server.unref();
  return listen(server, port, HOST);
}
