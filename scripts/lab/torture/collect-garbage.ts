import { once } from 'node:events';
import { WebSocket } from 'ws';
import * as z from 'zod';

const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const ANSWERS_WITHIN_MS = 1_000;

/** Has every isolate of a workerd collect its garbage. One that does nothing else may answer late: it is not waited for. */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${inspectorPort}/json`);
  const targets = targetsSchema.parse(await answer.json());
  // Names with a fragment are the runtime's own, and cannot be dialled.
  const urls = targets.map((target) => target.webSocketDebuggerUrl).filter((url) => !url.includes('#'));
  await Promise.all(urls.map(collect));
}

async function collect(url: string): Promise<void> {
  const socket = new WebSocket(url);
  try {
    await once(socket, 'open');
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    await answered.catch(() => undefined);
  } finally {
    socket.terminate();
  }
}
