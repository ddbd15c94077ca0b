import type { Outcome } from '../../../schema/evidence.ts';
import type { Stage } from '../meaning/classify.ts';
import { helloCommand } from '../wire/command.ts';
import {
  type Answered,
  type Classify,
  isAboutClient,
  outcomeBeforeRcpt,
  outcomeOfSilence,
  withoutWords,
} from '../meaning/outcome.ts';
import type { Dial, Clock } from '../ports/ports.ts';
import type { Recipient } from '../ports/recipient.ts';
import type { Reply } from '../wire/reply.ts';
import type { Target } from '../targets/targets.ts';
import type { EngineSettings } from '../ports/settings.ts';
import { TimeLimit } from '../wire/time-limit.ts';
import { Wire, type Silence, type Tracer } from '../wire/wire.ts';

/** What a server said that it can do (RFC 5321 §4.1.1.1). */
export type Offers = { readonly pipelining: boolean; readonly startTls: boolean; readonly smtpUtf8: boolean };

/** A conversation that got through EHLO. `cool` is set once the server said that we ask too much. */
export type Session = {
  readonly wire: Wire;
  readonly host: string;
  readonly heloName: string;
  readonly commandMs: number;
  readonly classify: Classify;
  offers: Offers;
  secure: boolean;
  /** Shows itself as Postfix or Exim, which bear more refusals. */
  patient: boolean;
  cool: boolean;
};

/** Where to go when a session came to nothing. */
export type Way =
  | 'again' // lost after the greeting: one second session
  | 'address' // the next address of this host
  | 'host'; // the server spoke its mind: the next host

/** `outcome` null: no evidence, the batch ended or this host has no route. `greeted`: a 220 came. */
export type Setback = {
  readonly outcome: Outcome | null;
  readonly way: Way;
  readonly greeted: boolean;
  /** The server took part: it sent a reply, if only to refuse us. */
  readonly spoke: boolean;
  readonly cool: boolean;
  readonly noRoute: boolean;
};

export type Opened = { readonly kind: 'open'; readonly session: Session } | Failed;
type Failed = { readonly kind: 'failed'; readonly setback: Setback };

export type Opening = {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly timeouts: EngineSettings['timeouts'];
  readonly target: Target;
  readonly from: string | null;
  readonly heloName: string;
  /** An implicit MX has one short time for connection and greeting together. */
  readonly implicit: boolean;
  readonly signal: AbortSignal;
  readonly classify: Classify;
  readonly trace: Tracer | null;
};

const PATIENT = /\b(postfix|exim)\b/i;
/** A server that answers so does not know EHLO: HELO is tried (RFC 5321 §3.2). */
const EHLO_UNKNOWN: readonly number[] = [500, 501, 502, 504];

/** Dials one address, hears the greeting and says EHLO. The socket is freed where that fails. */
export async function openSession(opening: Opening): Promise<Opened> {
  const { timeouts, target } = opening;
  const limit = new TimeLimit(opening.clock, opening.signal);
  const connectMs = opening.implicit ? Math.min(timeouts.connectMs, timeouts.implicitGreetingMs) : timeouts.connectMs;
  const began = opening.clock.now();
  limit.allow(connectMs);
  opening.trace?.('note', `connecting to port ${target.port}`);
  const dialled = await opening.dial({ ip: target.ip, port: target.port, from: opening.from }, limit.signal);
  if (dialled.kind !== 'connected') {
    limit.end();
    opening.trace?.('note', `not connected: ${dialled.kind}`);
    return undialled(dialled.kind, limit.expired);
  }
  const wire = new Wire(dialled.connection, limit, opening.trace);
  const greetingMs = opening.implicit
    ? Math.max(0, timeouts.implicitGreetingMs - (opening.clock.now() - began))
    : timeouts.greetingMs;
  const greeted = await greet(wire, greetingMs, opening);
  if ('kind' in greeted) return greeted;
  const session: Session = {
    wire,
    host: target.host,
    heloName: opening.heloName,
    commandMs: timeouts.commandMs,
    classify: opening.classify,
    offers: { pipelining: false, startTls: false, smtpUtf8: false },
    secure: false,
    patient: isPatient(greeted),
    cool: false,
  };
  const failed = await sayHello(session);
  return failed ?? { kind: 'open', session };
}

/** EHLO, or HELO where EHLO is not known; null where it went well. The session is over where it did not. */
export async function sayHello(session: Session): Promise<Failed | null> {
  const { wire, classify } = session;
  if (!wire.quiet) {
    // A server may say goodbye at any time (RFC 5321 §3.8); anything else answers nothing.
    const early = wire.take();
    if (early?.code !== 421) return broken(wire, 'garbage');
    return refused(wire, answered(classify, 'ehlo', early), { kind: 'ehlo_rejected' }, 'host');
  }
  wire.send(helloCommand('EHLO', session.heloName));
  let heard = await wire.hear(session.commandMs);
  if (heard.kind !== 'reply') return broken(wire, heard.kind);
  if (EHLO_UNKNOWN.includes(heard.reply.code)) {
    if (!wire.quiet) return broken(wire, 'garbage');
    wire.send(helloCommand('HELO', session.heloName));
    heard = await wire.hear(session.commandMs);
    if (heard.kind !== 'reply') return broken(wire, heard.kind);
    if (isGood(heard.reply)) return null;
  } else if (isGood(heard.reply)) {
    session.offers = offersOf(heard.reply);
    session.patient ||= isPatient(heard.reply);
    return null;
  }
  return refused(wire, answered(classify, 'ehlo', heard.reply), { kind: 'ehlo_rejected' }, 'host');
}

/** Ends a session that a refusing reply made useless. */
export function refused(wire: Wire, answer: Answered, refusal: Outcome, way: Way, greeted = true): Failed {
  wire.quit();
  const outcome = outcomeBeforeRcpt(answer, refusal);
  return { kind: 'failed', setback: { ...SETBACK, outcome, way, greeted, spoke: true, cool: isAboutClient(answer) } };
}

/** Ends a session in which no reply came. */
export function broken(wire: Wire, silence: Silence): Failed {
  wire.destroy();
  const way = silence === 'lost' ? 'again' : 'address';
  return {
    kind: 'failed',
    setback: { ...SETBACK, outcome: outcomeOfSilence(silence), way, greeted: true, spoke: true },
  };
}

export function answered(classify: Classify, stage: Stage, reply: Reply, recipient?: Recipient): Answered {
  return { reply, said: classify(stage, reply, recipient) };
}

export function isGood(reply: Reply): boolean {
  return reply.code >= 200 && reply.code < 300;
}

const SETBACK: Setback = {
  outcome: null,
  way: 'address',
  greeted: false,
  spoke: false,
  cool: false,
  noRoute: false,
};

function undialled(kind: 'failed' | 'no_route' | 'aborted', expired: boolean): Failed {
  const setback = ((): Setback => {
    switch (kind) {
      case 'failed':
        return { ...SETBACK, outcome: { kind: 'connection_error', greeted: false } };
      case 'no_route':
        return { ...SETBACK, noRoute: true };
      case 'aborted':
        return { ...SETBACK, outcome: expired ? { kind: 'timeout', greeted: false } : null };
    }
  })();
  return { kind: 'failed', setback };
}

/** The greeting, or why there is no session. An implicit MX counts as a mail host by nothing but 220. */
async function greet(wire: Wire, waitMs: number, { implicit, classify }: Opening): Promise<Reply | Failed> {
  const heard = await wire.hear(waitMs);
  if (heard.kind === 'reply') {
    const { reply } = heard;
    if (reply.code === 220 || (isGood(reply) && !implicit)) return reply;
    const answer = answered(classify, 'greeting', reply);
    return refused(wire, answer, { kind: 'no_banner', refused: true }, 'address', false);
  }
  wire.destroy();
  if (heard.kind === 'ended') return { kind: 'failed', setback: SETBACK };
  const outcome: Outcome =
    heard.kind === 'garbage'
      ? { kind: 'protocol_error', reply: null, greeted: false }
      : { kind: 'no_banner', refused: false };
  return { kind: 'failed', setback: { ...SETBACK, outcome } };
}

function isPatient(reply: Reply): boolean {
  return reply.lines.some((line) => PATIENT.test(line));
}

function offersOf(reply: Reply): Offers {
  let pipelining = false;
  let startTls = false;
  let smtpUtf8 = false;
  for (let i = 1; i < reply.lines.length; i += 1) {
    const keyword = reply.lines[i]?.trim().toUpperCase() ?? '';
    if (keyword === 'PIPELINING') pipelining = true;
    else if (keyword === 'STARTTLS') startTls = true;
    else if (keyword === 'SMTPUTF8') smtpUtf8 = true;
  }
  return { pipelining, startTls, smtpUtf8 };
}

/** The evidence of a TLS demand that could not be met: the refusal that demanded it. */
export function demandOutcome(stage: 'mail' | 'rcpt', { reply }: Answered): Outcome {
  return stage === 'mail' ? { kind: 'mail_from_rejected' } : { kind: 'policy_rejected', reply: withoutWords(reply) };
}
