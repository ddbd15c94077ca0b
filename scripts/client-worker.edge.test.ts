import { afterEach, expect, test } from 'vitest';
import { bundleEdge } from '../edge/local/bundle-edge.ts';
import { startLocalEdge, type LocalEdge } from '../edge/local/miniflare.ts';
import { startStubService } from './testing/stub-service.ts';

// The client in a Worker, on workerd.

const WORKER = `${import.meta.dirname}/testing/client-in-worker.ts`;

let edge: LocalEdge | null = null;
afterEach(async () => {
  await edge?.mf.dispose();
  edge = null;
});

async function ask(service: string, count: number): Promise<unknown> {
  edge = await startLocalEdge({
    script: await bundleEdge(WORKER),
    port: 0,
    state: null,
    vars: { SERVICE: service },
    onLog: () => {},
  });
  return (await fetch(new URL(`/?count=${count}`, edge.url))).json();
}

test('the client runs in a Worker', async () => {
  const service = await startStubService();
  const said = await ask(service.url, 1_200);
  service.close();
  expect(said).toEqual({ valid: 1_200, rowSum: (1_199 * 1_200) / 2, charged: 1_200 });
});

test('in a Worker too the client says that the service cannot be reached', async () => {
  const service = await startStubService();
  service.close();
  expect(await ask(service.url, 1)).toEqual({ code: 'CONNECTION' });
});
