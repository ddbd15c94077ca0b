import { makeCertificate } from './certificate.ts';
import type { Daemon } from './daemon.ts';
import { startExim } from './exim.ts';
import { findFreePort } from './free-port.ts';
import { startKeeper } from './keeper.ts';
import { BROKEN_ZONE, FOREIGN_ZONE, hostOf, startNames, ZONE } from './names.ts';
import type { Programs } from './packages.ts';
import { startPostfix } from './postfix.ts';
import { RANGE, SERVERS } from './servers.ts';

export type ServerProgram = 'postfix' | 'exim';

export type MailWorld = {
  /** The port of every SMTP server, on `SERVERS`. */
  readonly smtpPort: number;
  /** The name server as `IP:PORT`. */
  readonly nameServer: string;
  /** What `npm start` and `probe` are told of this world. */
  readonly flags: readonly string[];
  /** What a server has logged so far. */
  readonly logOf: (server: ServerProgram) => string;
  /** Ends every server and removes what they wrote. */
  readonly stop: () => Promise<void>;
};

/** Starts a name server, Postfix and Exim on loopback addresses; what started is stopped again when one does not. */
export async function startMailWorld(programs: Programs): Promise<MailWorld> {
  const keeper = await startKeeper();
  const names = await startNames();
  const daemons = new Map<ServerProgram, Daemon>();
  const stop = async () => {
    const ended = await Promise.allSettled([...daemons.values()].map((daemon) => daemon.stop()));
    await names.close();
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    await keeper.release();
  };
  try {
    const smtpPort = await findFreePort(Object.values(SERVERS));
    const tls = await makeCertificate(programs.openssl, keeper.folder, hostOf('tls'));
    daemons.set('postfix', await startPostfix(programs, { smtpPort, ...tls }, keeper));
    daemons.set('exim', await startExim(programs.exim, smtpPort, keeper));
    const nameServer = names.address;
    const stubs = [ZONE, BROKEN_ZONE, FOREIGN_ZONE].flatMap((zone) => ['--stub', `${zone}=${nameServer}`]);
    return {
      smtpPort,
      nameServer,
      flags: [...stubs, '--route', `${RANGE}=${smtpPort}`],
      logOf: (server) => daemons.get(server)?.log() ?? '',
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
