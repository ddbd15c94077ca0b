import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_CERTIFICATE } from '../../../prober/testing/certificate.ts';
import { freePort } from '../../local/port.ts';
import { startWatchdog } from '../../local/watchdog.ts';
import type { Daemon } from './daemon.ts';
import { startExim } from './exim.ts';
import { startNames, ZONE } from './names.ts';
import { startPostfix } from './postfix.ts';
import { RANGE } from './servers.ts';

type ServerProgram = 'postfix' | 'exim';

export type MailWorld = {
  /** The options of `npm start` and `probe` for this world. */
  readonly flags: readonly string[];
  /** What a server has logged so far. */
  readonly logOf: (server: ServerProgram) => string;
  /** Ends every server and removes what they wrote. */
  readonly stop: () => Promise<void>;
};

/** Starts a name server, Postfix and Exim on loopback addresses; what started is stopped again when one does not. */
export async function startMailWorld(): Promise<MailWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-real-'));
  // The servers' own users pass through it.
  await chmod(folder, 0o755);
  const watchdog = startWatchdog();
  const groups: number[] = [];
  const place = {
    folder,
    guard: (group: number): void => {
      groups.push(-group);
      watchdog.guard('servers', groups);
    },
  };
  const names = await startNames();
  const daemons = new Map<ServerProgram, Daemon>();
  const stop = async () => {
    const ended = await Promise.allSettled([...daemons.values()].map((daemon) => daemon.stop()));
    await names.close();
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    watchdog.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const smtpPort = await freePort();
    const tls = { key: join(folder, 'tls.key'), certificate: join(folder, 'tls.pem') };
    await writeFile(tls.key, TEST_CERTIFICATE.key, { mode: 0o600 });
    await writeFile(tls.certificate, TEST_CERTIFICATE.cert);
    daemons.set('postfix', await startPostfix({ smtpPort, ...tls }, place));
    daemons.set('exim', await startExim(smtpPort, place));
    return {
      flags: ['--stub', `${ZONE}=${names.address}`, '--route', `${RANGE}=${smtpPort}`],
      logOf: (server) => daemons.get(server)?.log() ?? '',
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
