import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Runs `work` beside a network namespace of its own that has a loopback interface and one name server, which programs there
 * find in `/etc/resolv.conf`: engines that know no port but 25 and no resolver but the system's can be given both.
 * Linux and root.
 */
export async function withNamespace<T>(nameServer: string, work: (namespace: string) => Promise<T>): Promise<T> {
  const namespace = `rcpt-peers-${process.pid}`;
  // `ip netns exec` binds what is in here over /etc.
  const folder = `/etc/netns/${namespace}`;
  const remove = (): void => {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
    execFileSync('ip', ['netns', 'del', namespace]);
    rmSync(folder, { recursive: true });
  };
  const interrupt = (): void => {
    remove();
    process.exit(130);
  };
  execFileSync('ip', ['netns', 'add', namespace]);
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/resolv.conf`, `nameserver ${nameServer}\n`);
    execFileSync('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
    return await work(namespace);
  } finally {
    remove();
  }
}
