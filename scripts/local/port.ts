import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** What a service that was killed a moment ago needs to let go of its port. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 50;

/**
 * Waits until a port of 127.0.0.1 can be had.
 * @throws StartError if it cannot
 */
export async function waitForPort(port: number, patienceMs: number = PATIENCE_MS): Promise<void> {
  if (port === 0) return;
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const failure = await tryPort(port);
    if (failure === null) return;
    if (failure !== 'EADDRINUSE')
      throw new StartError(`Port ${port} cannot be had (${failure}): choose another with --port.`);
    if (performance.now() > giveUpAt)
      throw new StartError(`Port ${port} is in use: stop what serves there, or choose another with --port.`);
    await sleep(AGAIN_MS);
  }
}

/** A port of 127.0.0.1 that nobody listened on a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

/** Why the port cannot be had, null if it can. */
function tryPort(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(null)));
  });
}
