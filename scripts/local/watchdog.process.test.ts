import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const WATCHDOG = fileURLToPath(new URL('./watchdog.ts', import.meta.url));

/** A process with a child that would outlive it; prints the child's id. */
const PARENT = (then: string): string => `
  import { spawn } from 'node:child_process';
  import { startWatchdog } from ${JSON.stringify(WATCHDOG)};
  const watchdog = startWatchdog();
  const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
  watchdog.guard('child', [child.pid]);
  ${then}
  console.log(child.pid);
  setInterval(() => {}, 1000);`;

async function run(then: string): Promise<{ readonly childPid: number; readonly kill: () => Promise<void> }> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT(then)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [bytes]: unknown[] = await once(parent.stdout, 'data');
  return {
    childPid: Number(String(bytes)),
    kill: async () => {
      const ended = once(parent, 'exit');
      parent.kill('SIGKILL');
      await ended;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function waitGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await new Promise((wake) => setTimeout(wake, 20));
  return !isAlive(pid);
}

test('SIGKILL of a process also kills what it guards', async () => {
  const { childPid, kill } = await run('');
  expect(isAlive(childPid)).toBe(true);
  await kill();
  expect(await waitGone(childPid)).toBe(true);
});

test('what is no longer guarded lives on', async () => {
  const { childPid, kill } = await run(`watchdog.guard('child', []);`);
  await kill();
  await new Promise((wake) => setTimeout(wake, 300));
  expect(isAlive(childPid)).toBe(true);
  process.kill(childPid, 'SIGKILL');
});
