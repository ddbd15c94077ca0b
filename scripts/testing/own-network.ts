import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Where a fixed port is free, also when another program has it on this machine. */
export type OwnNetwork = {
  /** Written before a command, these words run it there. */
  readonly words: readonly string[];
  readonly close: () => void;
};

/** Loopback, and an interface with an address: browsers think themselves offline where there is none. */
const SET_UP =
  'ip link set lo up && ip link add near type veth peer name far && ip addr add 192.0.2.1/24 dev near && ip link set near up && ip link set far up';

/**
 * A network that nobody else uses, as Linux gives it to unprivileged users too. Where it does not (in many containers),
 * this machine's network is taken, and a program that holds the port fails the test by name.
 */
export async function ownNetwork(): Promise<OwnNetwork> {
  if (spawnSync('unshare', ['-rn', 'sh', '-c', SET_UP]).status !== 0) return { words: [], close: () => undefined };
  const holder = spawn('unshare', ['-rn', 'sh', '-c', `${SET_UP} && echo up && exec sleep infinity`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  const words = ['nsenter', '--target', String(holder.pid), '--user', '--net', '--preserve-credentials'];
  return { words, close: () => void holder.kill('SIGKILL') };
}
