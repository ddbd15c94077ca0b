import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import type { ConnectedHost } from './control.ts';
import type { FleetJob } from './protocol.ts';

/** Knows which probe hosts are connected and hands each batch to one of them. */
export class Fleet extends DurableObject<Env> {
  /** Answers with one `FleetLine` of JSON per line; cancelling the stream cancels the job on its host. */
  async dispatch(_job: FleetJob): Promise<ReadableStream> {
    const end = new TextEncoder().encode('{"type":"end","cause":"no_host"}\n');
    return new ReadableStream({
      type: 'bytes',
      start(controller) {
        controller.enqueue(end);
        controller.close();
      },
    });
  }

  async setHostState(_host: string, _state: 'active' | 'draining' | 'removed'): Promise<void> {}

  async hosts(): Promise<ConnectedHost[]> {
    return [];
  }
}
