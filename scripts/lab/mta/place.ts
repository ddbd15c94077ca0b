import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_CERTIFICATE } from '../../../prober/testing/certificate.ts';
import { freePort } from '../../local/port.ts';
import { startWatchdog } from '../../local/watchdog.ts';
import { startDaemon, type Daemon, type DaemonPlan } from './daemon.ts';

/** Where servers run and write. */
export type Place = {
  readonly folder: string;
  /** The SMTP port of all of them: each has an address of its own. */
  readonly smtpPort: number;
  /** Paths of a certificate and its key. */
  readonly tls: { readonly key: string; readonly certificate: string };
  /** Starts a server, which is ended even if this process is killed. */
  readonly start: (plan: DaemonPlan) => Promise<Daemon>;
  /** Ends every server and removes what they wrote. */
  readonly close: () => Promise<void>;
};

export async function openPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-real-'));
  // The servers' own users pass through it, and read the key.
  await chmod(folder, 0o755);
  const tls = { key: join(folder, 'tls.key'), certificate: join(folder, 'tls.pem') };
  await writeFile(tls.key, TEST_CERTIFICATE.key);
  await writeFile(tls.certificate, TEST_CERTIFICATE.cert);
  const watchdog = startWatchdog();
  const groups: number[] = [];
  const guard = (group: number): void => {
    groups.push(-group);
    watchdog.guard('servers', groups);
  };
  const daemons: Daemon[] = [];
  return {
    folder,
    smtpPort: await freePort(),
    tls,
    async start(plan) {
      const daemon = await startDaemon(plan, { folder, guard });
      daemons.push(daemon);
      return daemon;
    },
    async close() {
      const ended = await Promise.allSettled(daemons.map((daemon) => daemon.stop()));
      for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
      watchdog.release();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
