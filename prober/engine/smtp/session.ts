import type { Outcome } from '../../../schema/evidence.ts';
import { helloCommand, RSET, STARTTLS } from './wire/command.ts';
import { type Classify, outcomeBeforeRcpt, outcomeOfSilence, type ReadReply, readReply } from '../meaning/outcome.ts';
import { type Complaint, complaintOf } from '../limits/complaint.ts';
import type { Reply } from './wire/reply.ts';
import { deniesMail } from '../meaning/denies-mail.ts';
import { type Failed, failed } from './failure.ts';
import { type Call, callServer } from './wire/connection.ts';
import { isPatient, NO_OFFERS, type Offers, offersOf, type ServerTraits } from './offers.ts';
import type { WaitEnd } from './wire/time-limit.ts';
import type { SmtpConnection, Silence } from './wire/connection.ts';
import { GREETING, ReplyWatch } from './desync.ts';

/** A conversation that got through EHLO. */
export type Session = {
  readonly opening: Opening;
  readonly connection: SmtpConnection;
  offers: Offers;
  secure: boolean;
  /** It looks like Postfix or Exim, which tolerate more refusals. */
  patient: boolean;
  /** The first complaint of the server to the current domain. */
  complaint: Complaint | null;
  /** Domains that it served before the current one. */
  turn: number;
  /** MAIL was sent: the next one needs RSET before it. */
  inTransaction: boolean;
  /** RCPTs sent, and refusals received, for all domains together. */
  readonly asked: { recipients: number; refusals: number };
  /** How many it had been when the server first took no more in one transaction. */
  limitedAt: { readonly recipients: number; readonly refusals: number } | null;
  readonly replies: ReplyWatch;
};

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
  const called = await callServer(opening.call);
  if (called.kind === 'undialled') return undialled(called.why);
  const { connection } = called;
  const heard = await connection.hear(opening.call.limits.greetingMs);
  if (heard.kind !== 'reply') {
    connection.destroy();
    return ungreeted(heard.kind);
  }
  const { reply } = heard;
  if (!isGood(reply)) {
    const refusal: Outcome = { kind: 'no_banner', refused: true };
    if (opening.implicit && deniesMail(reply)) {
      connection.quit();
      return failed('greeting', 'refused', refusal, null, true);
    }
    return refused(connection, 'greeting', readReply(opening.classify, 'greeting', reply), refusal);
  }
  const session = newSession(opening, connection, { offers: NO_OFFERS, patient: isPatient(reply) });
  return (await sayHello(session, Math.min(opening.commandMs, opening.patienceMs))) ?? { kind: 'open', session };
}

export function newSession(opening: Opening, connection: SmtpConnection, { offers, patient }: ServerTraits): Session {
  return {
    opening,
    connection,
    offers,
    secure: false,
    patient,
    complaint: null,
    turn: 0,
    inTransaction: false,
    asked: { recipients: 0, refusals: 0 },
    limitedAt: null,
    replies: new ReplyWatch(),
  };
}

/** Takes in a good answer to EHLO. */
export function readHello(session: Session, reply: Reply): void {
  session.offers = offersOf(reply);
  session.replies.noteHello(reply);
}

/** Sends EHLO, or HELO if EHLO is refused (RFC 5321 §3.2); null if it succeeded. Otherwise the session is over. */
async function sayHello(session: Session, waitMs = session.opening.commandMs): Promise<Failed | null> {
  const { connection, opening } = session;
  let refusal: Reply | null = null;
  for (const verb of ['EHLO', 'HELO'] as const) {
    // A server may say goodbye at any time (RFC 5321 §3.8); anything else answers nothing.
    if (!connection.quiet) {
      const early = refusal === null ? connection.nextBuffered() : null;
      return early?.code === 421 ? unwelcome(session, early) : broken(connection, 'garbage');
    }
    connection.send(helloCommand(verb, opening.heloName));
    const heard = await connection.hear(waitMs);
    if (heard.kind === 'lost' && refusal !== null) return unwelcome(session, refusal);
    if (heard.kind !== 'reply') return broken(connection, heard.kind);
    const { reply } = heard;
    if (reply.code === GREETING) return broken(connection, 'garbage');
    if (isGood(reply)) {
      if (refusal !== null) return null;
      readHello(session, reply);
      session.patient ||= isPatient(reply);
      return null;
    }
    if (reply.code === 421) return unwelcome(session, reply);
    refusal = reply;
  }
  return refusal && unwelcome(session, refusal);
}

function unwelcome({ connection, opening }: Session, reply: Reply): Failed {
  return refused(connection, 'hello', readReply(opening.classify, 'ehlo', reply), { kind: 'ehlo_rejected' });
}

/** Ends a session in which no reply came after the greeting. */
export function broken(connection: SmtpConnection, silence: Silence): Failed {
  connection.destroy();
  return failed('hello', silence, outcomeOfSilence(silence));
}

/** Ends a session that a refusal made useless. `refusal` is the evidence of a 5xx. */
function refused(connection: SmtpConnection, stage: 'greeting' | 'hello', answer: ReadReply, refusal: Outcome): Failed {
  connection.quit();
  const complaint = complaintOf(stage === 'hello' ? 'ehlo' : stage, answer);
  return failed(stage, 'refused', outcomeBeforeRcpt(answer, refusal), complaint);
}

export function isGood(reply: Reply): boolean {
  return reply.code >= 200 && reply.code < 300;
}

/** Whether a refusal asks for STARTTLS, in a session that has none yet. */
export function demandsTls({ secure }: Session, { said }: ReadReply): boolean {
  return said.demandsTls && !secure;
}

export function undialled(why: 'failed' | 'reset' | 'no_route' | WaitEnd): Failed {
  switch (why) {
    // It was accepted and reset at once. Whether the system had reported it as open by then is a matter of
    // microseconds.
    case 'reset':
      return failed('greeting', 'lost', { kind: 'no_banner', refused: false });
    case 'failed':
      return failed('dial', 'lost', { kind: 'connection_error', greeted: false });
    case 'timeout':
      return failed('dial', 'timeout', { kind: 'timeout', greeted: false });
    case 'no_route':
      return failed('dial', why, null);
    case 'ended':
      return failed('dial', why, outcomeOfSilence(why));
  }
}

function ungreeted(why: Silence): Failed {
  switch (why) {
    case 'ended':
      return failed('greeting', why, outcomeOfSilence(why));
    case 'garbage':
      return failed('greeting', why, { kind: 'protocol_error', reply: null, greeted: false });
    case 'lost':
    case 'timeout':
      return failed('greeting', why, { kind: 'no_banner', refused: false });
  }
}

/**
 * Switches to TLS and sends EHLO again, since nothing said before counts (RFC 3207 §4.2).
 * @param inTransaction it is reset first, for servers that refuse STARTTLS during one
 * @param refusal the evidence if TLS cannot be had
 * @returns null once the session is secure; otherwise it is over
 */
export async function secureSession(
  session: Session,
  inTransaction: boolean,
  refusal: Outcome,
): Promise<Failed | null> {
  const { connection, opening } = session;
  if (!session.offers.startTls || session.secure) return refuse(session, refusal);
  for (const command of inTransaction ? [RSET, STARTTLS] : [STARTTLS]) {
    if (!connection.quiet) return broken(connection, 'garbage');
    connection.send(command);
    const heard = await connection.hear(opening.commandMs);
    if (command === RSET && (heard.kind === 'lost' || (heard.kind === 'reply' && !isGood(heard.reply)))) {
      const { failure } = broken(connection, 'lost');
      return { kind: 'failed', failure: { ...failure, isOurs: true } };
    }
    if (heard.kind !== 'reply') return broken(connection, heard.kind);
    const { reply } = heard;
    if (isGood(reply)) continue;
    const deferred = reply.code >= 400 && reply.code < 500;
    const answer = readReply(opening.classify, 'starttls', reply);
    return refuse(session, deferred ? outcomeBeforeRcpt(answer, refusal) : refusal, complaintOf('starttls', answer));
  }
  const shaken = await connection.startTls(opening.host, opening.commandMs);
  if (shaken === 'failed') {
    connection.destroy();
    return failed('hello', 'refused', refusal);
  }
  if (shaken !== 'secure') return broken(connection, shaken);
  session.secure = true;
  session.inTransaction = false;
  session.offers = NO_OFFERS;
  return sayHello(session);
}

function refuse({ connection }: Session, outcome: Outcome, complaint: Complaint | null = null): Failed {
  connection.quit();
  return failed('hello', 'refused', outcome, complaint);
}
