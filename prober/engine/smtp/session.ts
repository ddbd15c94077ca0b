import type { Outcome } from '../../../schema/evidence.ts';
import { helloCommand, RSET, STARTTLS } from './wire/command.ts';
import { type Classify, outcomeBeforeRcpt, outcomeOfSilence, type ReadReply, readReply } from '../meaning/outcome.ts';
import { type Complaint, complaintOf } from '../meaning/complaint.ts';
import type { Reply } from './wire/reply.ts';
import { deniesMail } from '../meaning/denies-mail.ts';
import { type Failed, failed } from './failure.ts';
import { isPatient, NO_OFFERS, type Offers, offersOf } from './offers.ts';
import { type Call, callServer, type Silence, type SmtpConnection, type Undialled } from './wire/connection.ts';
import { GREETING, ReplyWatch } from './desync.ts';

/** A conversation that got through EHLO. */
export class Session {
  readonly opening: Opening;
  readonly connection: SmtpConnection;
  offers: Offers;
  secure = false;
  /** The first complaint of the server to the current domain. */
  complaint: Complaint | null = null;
  /** Domains that it served before the current one. */
  turn = 0;
  /** MAIL was sent: the next one needs RSET before it. */
  inTransaction = false;
  /** RCPTs answered, and refusals, for all domains together. */
  readonly asked = { recipients: 0, refusals: 0 };
  readonly replies = new ReplyWatch();

  constructor(opening: Opening, connection: SmtpConnection, offers: Offers) {
    this.opening = opening;
    this.connection = connection;
    this.offers = offers;
  }
}

export type Opened = { readonly kind: 'open'; readonly session: Session } | Failed;

export type Opening = {
  readonly call: Call;
  readonly host: string;
  readonly heloName: string;
  readonly commandMs: number;
  /** Of the greeting and the answer to EHLO: another server is asked then. */
  readonly patienceMs: number;
  readonly implicit: boolean;
  readonly classify: Classify;
};

/** Dials, reads the greeting and sends EHLO. */
export async function openSession(opening: Opening): Promise<Opened> {
  const connection = await callServer(opening.call);
  if (typeof connection === 'string') return undialled(connection);
  const heard = await connection.hear(opening.call.limits.greetingMs);
  if (heard.kind !== 'reply') return unheard(connection, 'greeting', heard.kind);
  const { reply } = heard;
  const session = new Session(opening, connection, { ...NO_OFFERS, patient: isPatient(reply) });
  if (!isGood(reply)) return refused(session, 'greeting', reply, { kind: 'no_banner', refused: true });
  return (await sayHello(session, Math.min(opening.commandMs, opening.patienceMs))) ?? { kind: 'open', session };
}

/** Takes in a good answer to EHLO. */
export function readHello(session: Session, reply: Reply): void {
  session.offers = offersOf(reply, session.offers.patient);
  session.replies.noteHello(reply);
}

/** Sends EHLO, or HELO if EHLO is refused (RFC 5321 §3.2); null if it succeeded. Otherwise the session is over. */
async function sayHello(session: Session, waitMs: number): Promise<Failed | null> {
  const { connection, opening } = session;
  const unwelcome = (reply: Reply): Failed => refused(session, 'ehlo', reply, { kind: 'ehlo_rejected' });
  let refusal: Reply | null = null;
  for (const verb of ['EHLO', 'HELO'] as const) {
    // A server may say goodbye at any time (RFC 5321 §3.8); anything else answers nothing.
    if (connection.unread !== 'nothing') {
      const early = refusal === null ? connection.nextBuffered() : null;
      return early?.code === 421 ? unwelcome(early) : unheard(connection, 'hello', 'garbage');
    }
    connection.send(helloCommand(verb, opening.heloName));
    const heard = await connection.hear(waitMs);
    if (heard.kind === 'lost' && refusal !== null) return unwelcome(refusal);
    if (heard.kind !== 'reply') return unheard(connection, 'hello', heard.kind);
    const { reply } = heard;
    if (reply.code === GREETING) return unheard(connection, 'hello', 'garbage');
    if (isGood(reply)) {
      if (refusal === null) readHello(session, reply);
      return null;
    }
    if (reply.code === 421) return unwelcome(reply);
    refusal = reply;
  }
  return refusal && unwelcome(refusal);
}

export function undialled(why: Undialled): Failed {
  // It was accepted and reset at once. Whether the system had reported it as open by then is a matter of microseconds.
  if (why === 'reset') return failed('greeting', 'lost', outcomeOfUnheard('greeting', 'lost'));
  const cause = why === 'failed' ? 'lost' : why;
  return failed('dial', cause, outcomeOfUnheard('dial', cause));
}

/** Ends a session in which no reply came to the last command, or to the connection itself. */
function unheard(connection: SmtpConnection, stage: 'greeting' | 'hello', silence: Silence): Failed {
  connection.destroy();
  return failed(stage, silence, outcomeOfUnheard(stage, silence));
}

function outcomeOfUnheard(stage: 'dial' | 'greeting' | 'hello', cause: Silence | 'no_route'): Outcome | null {
  if (cause === 'no_route' || cause === 'ended') return null;
  if (stage === 'hello') return outcomeOfSilence(cause);
  if (cause === 'garbage') return { kind: 'protocol_error', reply: null, greeted: false };
  if (stage === 'greeting') return { kind: 'no_banner', refused: false };
  return { kind: cause === 'timeout' ? 'timeout' : 'connection_error', greeted: false };
}

/** Ends a session that a refusal made useless. `refusal` is the evidence of a 5xx. */
function refused(session: Session, stage: 'greeting' | 'ehlo' | 'starttls', reply: Reply, refusal: Outcome): Failed {
  const { connection, opening } = session;
  connection.quit();
  const answer = readReply(opening.classify, stage, reply);
  const takesNoMail = stage === 'greeting' && opening.implicit && deniesMail(reply);
  const outcome = stage === 'starttls' && reply.code < 400 ? refusal : outcomeBeforeRcpt(answer, refusal);
  const complaint = takesNoMail ? null : complaintOf(stage, answer);
  return failed(stage === 'greeting' ? stage : 'hello', 'refused', outcome, complaint, takesNoMail);
}

export function isGood(reply: Reply): boolean {
  return reply.code >= 200 && reply.code < 300;
}

/** Whether a refusal asks for STARTTLS, in a session that has none yet. */
export function demandsTls({ secure }: Session, { said }: ReadReply): boolean {
  return said.demandsTls && !secure;
}

/**
 * Switches to TLS and sends EHLO again, since nothing said before counts (RFC 3207 §4.2). A transaction is reset first,
 * for servers that refuse STARTTLS during one.
 * @param refusal the evidence if TLS cannot be had
 * @returns null once the session is secure; otherwise it is over
 */
export async function secureSession(session: Session, refusal: Outcome): Promise<Failed | null> {
  const { connection, opening } = session;
  const { commandMs } = opening;
  if (!session.offers.startTls || session.secure) {
    connection.quit();
    return failed('hello', 'refused', refusal);
  }
  for (const command of session.inTransaction ? [RSET, STARTTLS] : [STARTTLS]) {
    if (connection.unread !== 'nothing') return unheard(connection, 'hello', 'garbage');
    connection.send(command);
    const heard = await connection.hear(commandMs);
    if (heard.kind === 'reply' && isGood(heard.reply)) continue;
    if (command === RSET && (heard.kind === 'lost' || heard.kind === 'reply')) {
      const { failure } = unheard(connection, 'hello', 'lost');
      return { kind: 'failed', failure: { ...failure, isOurs: true } };
    }
    if (heard.kind !== 'reply') return unheard(connection, 'hello', heard.kind);
    return refused(session, 'starttls', heard.reply, refusal);
  }
  const shaken = await connection.startTls(opening.host, commandMs);
  if (shaken === 'failed') {
    connection.destroy();
    return failed('hello', 'refused', refusal);
  }
  if (shaken !== 'secure') return unheard(connection, 'hello', shaken);
  session.secure = true;
  session.inTransaction = false;
  session.offers = { ...NO_OFFERS, patient: session.offers.patient };
  return sayHello(session, commandMs);
}
