import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Outlives this process just long enough to end the servers and remove their folder, however this process ended.
const SCRIPT = `groups=
while read -r line; do case $line in done) exit 0;; *) groups="$groups -$line";; esac; done
[ -z "$groups" ] || { kill -s TERM -- $groups; sleep 1; kill -s KILL -- $groups; } 2>/dev/null
rm -rf -- "$1"`;

export type Keeper = {
  /** A folder for everything the servers write; other users may pass through it. */
  readonly folder: string;
  /** Names the leader of a process group that must not outlive this process. */
  readonly watch: (pid: number) => void;
  /** Everything has been stopped in the orderly way: removes the folder. */
  readonly release: () => Promise<void>;
};

/** Makes the folder of a run and a watchdog on a pipe, which notices even a SIGKILL of this process. */
export async function startKeeper(): Promise<Keeper> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-real-'));
  await chmod(folder, 0o755);
  const child = spawn('sh', ['-c', SCRIPT, 'keeper', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.stdin.on('error', () => {});
  child.unref();
  return {
    folder,
    watch: (pid) => child.stdin.write(`${pid}\n`),
    release: async () => {
      child.ref();
      child.stdin.end('done\n');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
