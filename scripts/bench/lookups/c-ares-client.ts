import { promises } from 'node:dns';
import type { Client } from './client.ts';

/** What a host used before: one resolver of node:dns, and nothing that bounds what is under way. */
export async function cAresClient(port: number): Promise<Client> {
  const resolver = new promises.Resolver({ timeout: 2_000, tries: 2, maxTimeout: 2_000 });
  resolver.setServers([`127.0.0.1:${port}`]);
  let held = 0;
  const client: Client = {
    wireMs: [],
    waitedMs: [],
    heldMax: 0,
    ask: async (name, type) => {
      held += 1;
      client.heldMax = Math.max(client.heldMax, held);
      const startedMs = performance.now();
      const answered = await resolver.resolve(name, type).then(
        () => true,
        (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENODATA',
      );
      held -= 1;
      client.wireMs.push(performance.now() - startedMs);
      return answered;
    },
  };
  return client;
}
