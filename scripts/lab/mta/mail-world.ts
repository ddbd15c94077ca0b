import { makeCertificate } from './certificate.ts';
import { startCourier } from './courier.ts';
import type { Daemon } from './daemon.ts';
import { startExim } from './exim.ts';
import { findFreePort } from './free-port.ts';
import { startKeeper } from './keeper.ts';
import { startNsd } from './nsd.ts';
import type { Programs } from './packages.ts';
import { startPostfix } from './postfix.ts';
import { startPostgrey } from './postgrey.ts';
import { startSendmail } from './sendmail.ts';
import { NAME_SERVER, RANGE, SERVERS } from './servers.ts';
import { BROKEN_ZONE, FOREIGN_ZONE, hostOf, ZONE } from './zones.ts';

export type ServerProgram = 'nsd' | 'postgrey' | 'postfix' | 'exim' | 'courier' | 'sendmail';

export type MailWorld = {
  /** The port of every SMTP server, on `SERVERS`. */
  readonly smtpPort: number;
  /** NSD as `IP:PORT`. */
  readonly nameServer: string;
  /** What `npm start` and `probe` are told of this world. */
  readonly flags: readonly string[];
  /** What a server has logged so far. */
  readonly logOf: (server: ServerProgram) => string;
  /** Ends every server and removes what they wrote. */
  readonly stop: () => Promise<void>;
};

/** Starts NSD, Postfix, postgrey, Exim, Courier and Sendmail on loopback addresses; what started is stopped again when one does not. */
export async function startMailWorld(programs: Programs): Promise<MailWorld> {
  const keeper = await startKeeper();
  const daemons = new Map<ServerProgram, Daemon>();
  const stop = async () => {
    const ended = await Promise.allSettled([...daemons.values()].map((daemon) => daemon.stop()));
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    await keeper.release();
  };
  try {
    const smtpPort = await findFreePort(Object.values(SERVERS));
    const dnsPort = await findFreePort([NAME_SERVER]);
    const postgreyPort = await findFreePort([SERVERS.greylisting]);
    const tls = await makeCertificate(programs.openssl, keeper.folder, hostOf('tls'));
    daemons.set('nsd', await startNsd(programs.nsd, dnsPort, keeper));
    daemons.set('postgrey', await startPostgrey(programs.postgrey, postgreyPort, keeper));
    daemons.set('postfix', await startPostfix(programs, { smtpPort, postgreyPort, ...tls }, keeper));
    daemons.set('exim', await startExim(programs.exim, smtpPort, keeper));
    daemons.set('courier', await startCourier(programs.courier, smtpPort, keeper));
    daemons.set('sendmail', await startSendmail(programs.sendmail, smtpPort, keeper));
    const nameServer = `${NAME_SERVER}:${dnsPort}`;
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
