import { keepLatest } from '../../../schema/keep-latest.ts';
import type { Account } from '../ports/ports.ts';
import type { Target } from '../targets/targets.ts';
import { helloCommand } from './wire/command.ts';
import { callServer } from './wire/connection.ts';
import { GREETING } from './desync.ts';
import type { Offers } from './offers.ts';
import { isGood, type Opened, type Opening, readHello, Session, undialled } from './session.ts';

// Exim 4.94 and later offer PIPECONNECT: EHLO, MAIL and RCPT may follow the TCP handshake at once, before the greeting,
// which saves two round trips per session. A server says so in its reply to EHLO, for later sessions from the same
// address. If anything differs from the offer it is no evidence: another session is opened in order.

export const PIPECONNECT_SERVERS_MAX = 10_000;

/**
 * Dials, and leaves EHLO to the write of the session's first commands; greeting and answer are read before their replies.
 * Nothing is certain in such a session, so it counts as one that has served others.
 * @param onHello they are as before
 */
export async function openEarly(opening: Opening, known: Offers, onHello: (session: Session) => void): Promise<Opened> {
  const connection = await callServer(opening.call);
  if (typeof connection === 'string') return undialled(connection);
  const session = new Session(opening, connection, known);
  session.turn = 1;
  connection.begin(helloCommand('EHLO', opening.heloName), async () => {
    const isAsBefore = await hearHello(session);
    if (isAsBefore) onHello(session);
    return isAsBefore;
  });
  return { kind: 'open', session };
}

async function hearHello(session: Session): Promise<boolean> {
  const { connection, opening } = session;
  const greeting = await connection.hear(opening.commandMs);
  if (greeting.kind !== 'reply' || greeting.reply.code !== GREETING) return false;
  const hello = await connection.hear(opening.commandMs);
  if (hello.kind !== 'reply' || !isGood(hello.reply) || hello.reply.code === GREETING) return false;
  readHello(session, hello.reply);
  return session.offers.pipelining;
}

/**
 * Servers that offered PIPECONNECT to one of our egress addresses, by account and dialled address: no account can tell
 * from the time of an answer which servers others have asked.
 */
export class PipeconnectServers {
  readonly #met = new Map<string, Offers>();

  get size(): number {
    return this.#met.size;
  }

  /** Null: the server has not offered it. @param from the egress address, null for the system's choice */
  recall(account: Account, from: string | null, target: Target): Offers | null {
    return this.#met.get(keyOf(account, from, target)) ?? null;
  }

  remember(account: Account, from: string | null, target: Target, { offers }: Pick<Session, 'offers'>): void {
    const key = keyOf(account, from, target);
    if (offers.early) keepLatest(this.#met, key, offers, PIPECONNECT_SERVERS_MAX);
    else this.#met.delete(key);
  }
}

function keyOf(account: Account, from: string | null, { ip, port }: Target): string {
  return `${account} ${from ?? ''} ${ip} ${port}`;
}
