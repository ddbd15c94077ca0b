import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Load, LoadFigures } from './load.ts';
import type { PeerFigures, PeerOptions } from './peer.ts';

// The processes of the engine's benches: peers and clients never share one, so that each CPU figure is one side's own.

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts a command in a network namespace, or here if there is none. */
function start(namespace: string | null, command: readonly string[]): ChildProcess {
  const [file = '', ...args] = namespace === null ? command : ['ip', 'netns', 'exec', namespace, ...command];
  return spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Waits until a process says that it is ready. @returns what ends it, and gives what it says then */
async function running(child: ChildProcess): Promise<() => Promise<string>> {
  if (child.stdout === null) throw new Error('the process has no standard output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  if (first !== 'ready') throw new Error(`${child.spawnfile} said "${String(first)}" and not "ready"`);
  return async () => {
    const exited = once(child, 'exit');
    child.stdin?.end();
    const last = await lines.next();
    await exited;
    return last.done === true ? '' : last.value;
  };
}

/** Starts DNS and SMTP servers in a process of their own. @returns what ends it, and tells what it did */
export async function startPeer(namespace: string | null, options: PeerOptions): Promise<() => Promise<PeerFigures>> {
  const stop = await running(start(namespace, [process.execPath, path('peer.ts'), JSON.stringify(options)]));
  return async () => {
    const figures: PeerFigures = JSON.parse(await stop());
    return figures;
  };
}

/** Runs one load to its end: `bare-client.ts` is the floor, `engine-client.ts` the engine. */
export async function runClient(
  namespace: string | null,
  client: 'bare-client.ts' | 'engine-client.ts',
  load: Load,
): Promise<LoadFigures> {
  const child = start(namespace, [process.execPath, path(client), JSON.stringify(load)]);
  if (child.stdout === null) throw new Error('the process has no standard output');
  const figures: LoadFigures = JSON.parse(await text(child.stdout));
  return figures;
}

export type SlowLink = {
  readonly near: string;
  readonly far: string;
  readonly farIp: string;
  readonly stop: () => Promise<void>;
};

/** Two namespaces of our own with a link between them that delays every packet. Needs root. */
export async function startSlowLink(delayMs: number): Promise<SlowLink> {
  const [near, far] = [`rcpt-near-${process.pid}`, `rcpt-far-${process.pid}`];
  execFileSync('ip', ['netns', 'add', near]);
  execFileSync('ip', ['netns', 'add', far]);
  const remove = (): void => {
    for (const name of [near, far]) execFileSync('ip', ['netns', 'del', name]);
  };
  try {
    const stopLink = await running(
      start(null, ['/usr/bin/python3', path('../netns/delay-link.py'), near, far, String(delayMs)]),
    );
    const stop = async (): Promise<void> => {
      try {
        await stopLink();
      } finally {
        remove();
      }
    };
    return { near, far, farIp: '10.77.0.2', stop };
  } catch (error) {
    remove();
    throw error;
  }
}
