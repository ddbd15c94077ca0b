import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// A network of two hosts with distance between them. Each is a network namespace with a TUN device, and relay.py
// carries the IP packets across, late: so everything is delayed, the TCP handshake too, as a proxy that accepts at
// once would not do. Needs root and /dev/net/tun, and no netem in the kernel.

const RELAY = fileURLToPath(new URL('relay.py', import.meta.url));
const run = promisify(execFile);

export type NetHost = {
  readonly ip: string;
  /** Put before a command line it runs on this host; the process keeps the id that `spawn` returns. */
  readonly enter: readonly [string, ...string[]];
};

export type DelayedLink = {
  readonly client: NetHost;
  /** Every address of `SERVER_RANGE` is its own. */
  readonly server: NetHost;
  readonly close: () => Promise<void>;
};

/** RFC 1918, so that a `--route` may cover it. */
export const SERVER_RANGE = '10.99.1.0/24';
const CLIENT_IP = '10.99.0.1';
const SERVER_IP = '10.99.1.1';

/**
 * Opens the link; `delayMs` is one way. Whatever ends this process ends the hosts too: they live as long as the
 * standard input of the processes that hold them.
 */
export async function openDelayedLink(delayMs: number): Promise<DelayedLink> {
  const held: Held[] = [];
  const close = async () => {
    for (const child of held.toReversed()) {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  };
  try {
    const client = await hold(held, 'unshare', ['--net', 'sh', '-c', 'echo ready; exec cat']);
    const server = await hold(held, 'unshare', ['--net', 'sh', '-c', 'echo ready; exec cat']);
    const devices = [`rc${process.pid}`, `rs${process.pid}`] as const;
    await hold(held, 'python3', [RELAY, ...devices, String(delayMs)]);
    await plug(devices[0], client, CLIENT_IP, SERVER_RANGE);
    await plug(devices[1], server, SERVER_IP, CLIENT_IP);
    await inside(server, 'ip', 'route', 'add', 'local', SERVER_RANGE, 'dev', 'lo');
    return {
      client: { ip: CLIENT_IP, enter: enter(client) },
      server: { ip: SERVER_IP, enter: enter(server) },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Held = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a process that lives until its standard input ends, and waits for its first words. */
async function hold(held: Held[], command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  held.push(child);
  const { pid } = child;
  const ready = once(child.stdout, 'data').then(() => true);
  const alive = await Promise.race([ready, once(child, 'exit').then(() => false)]);
  if (!alive || pid === undefined) throw new Error(`${command} ended at once: is this root, with /dev/net/tun?`);
  return pid;
}

const enter = (pid: number): readonly [string, ...string[]] => ['nsenter', `--net=/proc/${pid}/ns/net`];

function inside(pid: number, ...command: readonly string[]) {
  const [program, ...args] = [...enter(pid), ...command];
  return run(program ?? 'nsenter', args);
}

/** Moves a TUN device to a host, gives it the address and lets it reach the other side. */
async function plug(device: string, pid: number, ip: string, far: string): Promise<void> {
  await run('ip', ['link', 'set', device, 'netns', String(pid)]);
  await inside(pid, 'ip', 'link', 'set', 'lo', 'up');
  await inside(pid, 'ip', 'addr', 'add', `${ip}/32`, 'dev', device);
  await inside(pid, 'ip', 'link', 'set', device, 'up');
  await inside(pid, 'ip', 'route', 'add', far, 'dev', device);
}
