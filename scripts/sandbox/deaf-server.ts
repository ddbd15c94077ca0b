import net from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Listening } from './listening.ts';

// A host that lets no TCP connection stand. On loopback nothing is lost on the way, so a thread listens with the
// shortest queue there is and then never runs again: once its queue is full the system drops every further SYN.

/** What fits into a queue of length 1 on Linux. */
const QUEUE = 2;
const FILLERS = 2 * QUEUE;
const FILL_MS = 300;

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer();
server.once('error', (error) => parentPort.postMessage(error.code));
server.listen({ port: workerData.port, host: workerData.ip, backlog: 1 }, () => {
  parentPort.postMessage(null);
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});`;

/** Listens on `ip` and `port` without ever letting a connection of others stand. */
export async function startDeafServer(ip: string, port: number): Promise<Listening> {
  const thread = new Worker(THREAD, { eval: true, workerData: { ip, port } });
  const failed = await new Promise<unknown>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  if (failed !== null) {
    await thread.terminate();
    throw Object.assign(new Error(`cannot listen on ${ip}:${port}`), { code: failed });
  }
  const fillers = await fillQueue(ip, port);
  return {
    port,
    async close() {
      for (const filler of fillers) filler.destroy();
      await thread.terminate();
    },
  };
}

async function fillQueue(ip: string, port: number): Promise<readonly net.Socket[]> {
  const filled = new AbortController();
  const timer = setTimeout(() => filled.abort(), FILL_MS);
  let stand = 0;
  const fillers = Array.from({ length: FILLERS }, () => {
    const socket = net.connect(port, ip, () => {
      stand += 1;
      if (stand === QUEUE) filled.abort();
    });
    socket.on('error', () => socket.destroy());
    return socket.unref();
  });
  await new Promise((resolve) => filled.signal.addEventListener('abort', resolve));
  clearTimeout(timer);
  return fillers;
}
