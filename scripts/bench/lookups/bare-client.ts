import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { encodeQuestion } from '../../../prober/node/dns/message.ts';
import type { Client } from './client.ts';

/** As many questions at once as one account of a host may have. */
const HELD_MAX = 128;

/** The floor: one socket, questions by number, a bound, and nothing else: no answer is read, nothing is asked again. */
export async function bareClient(port: number): Promise<Client> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const heard = new Map<number, () => void>();
  const waiting: Array<() => void> = [];
  let waitingAt = 0;
  let asked = 0;
  socket.on('message', (message) => {
    const id = message.readUInt16BE(0);
    heard.get(id)?.();
    heard.delete(id);
    waiting[waitingAt++]?.();
  });
  const client: Client = {
    wireMs: [],
    waitedMs: [],
    heldMax: 0,
    ask: async (name, type) => {
      const askedMs = performance.now();
      if (heard.size >= HELD_MAX) await new Promise<void>((go) => void waiting.push(go));
      const startedMs = performance.now();
      client.waitedMs.push(startedMs - askedMs);
      const id = (asked += 1) % 65_536;
      const answer = new Promise<void>((resolve) => heard.set(id, resolve));
      client.heldMax = Math.max(client.heldMax, heard.size);
      socket.send(encodeQuestion({ name, type }, id));
      await answer;
      client.wireMs.push(performance.now() - startedMs);
      return true;
    },
  };
  return client;
}
