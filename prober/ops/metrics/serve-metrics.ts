import { createServer } from 'node:http';
import { listen } from '../../node/listen.ts';

/** For this machine alone: an agent on it scrapes, and sends outwards what it has. */
const HOST = '127.0.0.1';

export type Page = { readonly contentType: string; readonly text: () => Promise<string> };
export type Pages = Readonly<Record<string, Page>>;

/**
 * Serves pages to GET, by their paths, on a port of this machine.
 * @returns the port, if 0 was asked for a free one; the system's code if it cannot be had
 */
export async function serveMetrics(
  port: number,
  pages: Pages,
): Promise<{ readonly port: number } | { readonly failed: string }> {
  const byPath = new Map(Object.entries(pages));
  const server = createServer((request, response) => {
    const page = request.method === 'GET' ? byPath.get(request.url ?? '') : undefined;
    if (page === undefined) {
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
