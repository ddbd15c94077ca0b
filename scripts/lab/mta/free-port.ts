import { createServer } from 'node:net';

/**
 * Finds a TCP port that is free on all the addresses, below the range from which the system takes ports by itself,
 * so that two runs of the suite on one machine keep out of each other's way.
 */
export async function findFreePort(addresses: readonly string[]): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all(addresses.map((address) => isFree(address, port)));
    if (free.every(Boolean)) return port;
  }
  throw new Error(`no port is free on ${addresses.join(', ')}`);
}

function isFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
