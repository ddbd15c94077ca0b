import net from 'node:net';
import { readLoad } from './load.ts';

// What one round trip of the link takes, by itself: the median of some TCP handshakes, as JSON milliseconds.

const SAMPLES = 9;
const load = readLoad(process.argv[2]);

function handshakeMs(): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: load.ip, port: load.smtpPort }, () => {
      resolve(performance.now() - startedMs);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const samples: number[] = [];
for (let i = 0; i < SAMPLES; i++) samples.push(await handshakeMs());
process.stdout.write(`${JSON.stringify(samples.toSorted((a, b) => a - b)[SAMPLES >> 1])}\n`);
