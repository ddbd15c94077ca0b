import { spawn } from 'node:child_process';

// After a SIGKILL of this process workerd would keep serving, with the port and the database, and the probe
// hosts would keep dialling. A shell that reads from a pipe outlives us: when the pipe ends it kills what we listed last.

const SCRIPT = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids 2>/dev/null';

export type Watchdog = {
  /** Processes that must not outlive this one; each call replaces the list of the same name. */
  readonly guard: (name: string, pids: readonly number[]) => void;
  /** Releases all of them. */
  readonly release: () => void;
};

export function startWatchdog(): Watchdog {
  // In a process group of its own: Ctrl-C in a terminal does not reach it.
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  const guarded = new Map<string, readonly number[]>();
  const tell = (): void => void shell.stdin.write(`${[...guarded.values()].flat().join(' ')}\n`);
  return {
    guard(name, pids) {
      guarded.set(name, pids);
      tell();
    },
    release() {
      guarded.clear();
      tell();
      shell.stdin.end();
    },
  };
}
