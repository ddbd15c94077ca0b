import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AdminApi } from '../../admin/connection/api.ts';
import { childrenRunning } from '../../local/child-processes.ts';
import type { RunningService } from '../../testing/running-service.ts';

// What is killed, and how it comes back: workerd by itself, a host by the command that the service prints.

export type Victim = 'workerd' | 'host' | 'both';

export type Victims = {
  readonly kill: (victim: Victim) => Promise<void>;
  /** Resolves when the edge answers and sees a host again. */
  readonly recovered: () => Promise<void>;
  /** Ends the host, if it is one that was brought back here. */
  readonly stop: () => Promise<void>;
};

const RECOVERED_WITHIN_MS = 30_000;
const AGAIN_MS = 50;

export function takeVictims(service: RunningService, admin: AdminApi): Victims {
  const first = service.ready.hosts[0];
  if (first === undefined) throw new Error('A service without a host');
  let host: { readonly pid: number; readonly ended: Promise<unknown> | null } = { pid: first.pid, ended: null };
  /** Printed once, by the service, when its own child died. */
  let command: string | null = null;

  async function bringBack(): Promise<void> {
    command ??= await poll(() => /\n {2}(ENROLMENT=.*)\n/.exec(service.err())?.[1] ?? null);
    const child = spawn('/bin/sh', ['-c', `exec env ${command}`], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await once(child, 'spawn');
    if (child.pid === undefined) throw new Error('A process without an id');
    host = { pid: child.pid, ended };
  }

  return {
    async kill(victim) {
      const workerds = victim === 'host' ? [] : await childrenRunning('workerd', service.pid);
      const pids = victim === 'workerd' ? workerds : [...workerds, host.pid];
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      if (victim !== 'workerd') await bringBack();
    },
    async recovered() {
      await poll(async () => {
        const { hosts } = await admin.listHosts().catch(() => ({ hosts: [] }));
        return hosts.some(({ instances }) => (instances ?? 0) > 0) ? true : null;
      });
    },
    async stop() {
      if (host.ended === null) return;
      process.kill(host.pid, 'SIGKILL');
      await host.ended;
    },
  };
}

async function poll<T>(look: () => T | null | Promise<T | null>): Promise<T> {
  const giveUpAt = performance.now() + RECOVERED_WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > giveUpAt) throw new Error(`Not back in ${RECOVERED_WITHIN_MS / 1000} s`);
    await new Promise((wake) => setTimeout(wake, AGAIN_MS));
  }
}
