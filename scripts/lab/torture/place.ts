import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DELAY_LINK = fileURLToPath(new URL('../bench/netns/delay-link.py', import.meta.url));
/** This end of the link, as delay-link.py calls it. */
const NEAR_IP = '10.77.0.1';

/** Where a host stands: beside the edge, or behind a link of its own. */
export type Place = {
  /** A command as it is run there. */
  readonly within: (command: readonly string[]) => readonly [file: string, args: readonly string[]];
  /** By which origin the edge is reached from there. */
  readonly originOf: (origin: string) => string;
};

export const HERE: Place = { within: split, originOf: (origin) => origin };

export type FarPlace = Place & {
  /** From now on no packet gets through, and nobody is told. */
  readonly cut: () => void;
  readonly join: () => void;
  readonly stop: () => Promise<void>;
};

/** What this machine lacks for a far place; null: nothing. */
export function whyNoFarPlace(): string | null {
  if (process.getuid?.() !== 0) return 'needs root, for network namespaces';
  try {
    execFileSync('ip', ['netns', 'list'], { stdio: 'ignore' });
    execFileSync('python3', ['-c', 'open("/dev/net/tun", "rb+", 0).close()'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'needs `ip`, `python3` and /dev/net/tun';
  }
}

/**
 * A network namespace of our own behind a link that delays and loses packets. The edge is reached through a port of our end
 * of it. Everything goes when this process does, however that ends.
 * @param edge scheme, name and port of the edge, here
 */
export async function startFarPlace(edge: string, delayMs: number, lossPercent: number): Promise<FarPlace> {
  const name = `rcpt-torture-${process.pid}`;
  // The shell outlives us by a moment: the link ends with its standard input, and the namespace with the link.
  const script = 'ip netns add "$0" && python3 "$1" - "$0" "$2" "$3"; ip netns del "$0"';
  const link = spawn('/bin/sh', ['-c', script, name, DELAY_LINK, String(delayMs), String(lossPercent)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(link, 'exit');
  const lines = createInterface({ input: link.stdout });
  const [first] = await Promise.race([once(lines, 'line'), ended]);
  if (first !== 'ready') throw new Error('the link between the namespaces did not come up');
  const { port } = new URL(edge);
  const forward = createServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const forwardPort = await listen(forward);
  return {
    within: (command) => split(['ip', 'netns', 'exec', name, ...command]),
    originOf: () => `http://${NEAR_IP}:${forwardPort}`,
    cut: () => void link.stdin.write('cut\n'),
    join: () => void link.stdin.write('join\n'),
    async stop() {
      forward.close();
      link.stdin.end();
      await ended;
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, NEAR_IP);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

function split([file = '', ...args]: readonly string[]): readonly [string, readonly string[]] {
  return [file, args];
}
