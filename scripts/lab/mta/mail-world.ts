import type { Daemon } from './daemon.ts';
import { startExim } from './exim.ts';
import { startNames, ZONE } from './names.ts';
import { openPlace } from './place.ts';
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
  const place = await openPlace();
  const names = await startNames();
  const stop = async () => {
    await names.close();
    await place.close();
  };
  try {
    const daemons: Record<ServerProgram, Daemon> = {
      postfix: await startPostfix(place),
      exim: await startExim(place),
    };
    return {
      flags: ['--stub', `${ZONE}=${names.address}`, '--route', `${RANGE}=${place.smtpPort}`],
      logOf: (server) => daemons[server].log(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
