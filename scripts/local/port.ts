import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnFreePort } from '../sandbox/listening.ts';
import { StartError } from './start-error.ts';

/** Time for a service that was just killed to release its port. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 50;

/** Waits until a port of 127.0.0.1 is free. @throws StartError if it stays in use */
export async function waitForPort(port: number, patienceMs: number = PATIENCE_MS): Promise<void> {
  if (port === 0) return;
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const failure = await tryPort(port);
    if (failure === null) return;
    if (failure !== 'EADDRINUSE')
      throw new StartError(`Port ${port} is not available (${failure}): choose another with --port.`);
    if (performance.now() > giveUpAt)
      throw new StartError(`Port ${port} is in use: stop the program that uses it, or choose another with --port.`);
    await sleep(AGAIN_MS);
  }
}

/** A port of 127.0.0.1 that is free at the moment. */
export async function freePort(): Promise<number> {
  const { port, close } = await listenOnFreePort(net.createServer());
  await close();
  return port;
}

/** The error code of trying to listen on the port; null if it is free. */
function tryPort(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(null)));
  });
}
