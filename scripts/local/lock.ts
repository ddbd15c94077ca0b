import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import net from 'node:net';
import { StartError } from './start-error.ts';

const ASK_MS = 500;

export type Lock = { readonly release: () => Promise<void> };

/**
 * Takes a state folder for this process alone. The lock is a socket in Linux's abstract namespace: it disappears with the
 * process however that ends, so that no stale lock can be left behind.
 * @throws StartError if another process has it
 */
export async function lockFolder(folder: string): Promise<Lock> {
  const name = `\0rcpt-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')}`;
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(process.pid));
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(name, resolve);
    });
  } catch (error) {
    const holder = await askHolder(name);
    const who = holder === null ? 'another process' : `process ${holder}`;
    throw new StartError(
      `The state folder ${folder} is in use by ${who}: stop it, or name another with --state.`,
      error,
    );
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function askHolder(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = net.connect(name);
    let text = '';
    socket.setTimeout(ASK_MS, () => socket.destroy());
    socket.on('data', (bytes) => (text = (text + bytes.toString()).slice(0, 20)));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(/^\d+$/.test(text) ? text : null));
  });
}
