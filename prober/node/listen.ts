import { once } from 'node:events';
import type { Server } from 'node:http';

/** Makes a server listen. @param port 0 for a free one @returns the port, or the system's code if it cannot be had */
export async function listen(
  server: Server,
  port: number,
  host?: string,
): Promise<{ readonly port: number } | { readonly failed: string }> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    return { failed: error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause' };
  }
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : port };
}
