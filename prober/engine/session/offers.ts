import type { Reply } from '../wire/reply.ts';

/** What a server said that it can do (RFC 5321 §4.1.1.1). */
export type Offers = {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly smtpUtf8: boolean;
  /** Courier shows itself by an extension of its own. By default it makes a client wait for refusals. */
  readonly tarpit: boolean;
  /** PIPECONNECT: in later sessions, commands may be sent before its greeting. */
  readonly early: boolean;
};

export const NO_OFFERS: Offers = { pipelining: false, startTls: false, smtpUtf8: false, tarpit: false, early: false };

/** What a server showed itself to be when it last answered EHLO. `patient`: as Postfix or Exim, which bear more refusals. */
export type ServerTraits = { readonly offers: Offers; readonly patient: boolean };

/** PIPECONNECT (`pipeconnect.ts`): a session with a server that is talked to before it greets. */
export type Early = {
  readonly known: ServerTraits;
  /** It greeted and answered EHLO as before. */
  isKept: boolean;
  /** It did all as it had offered. */
  readonly keep: (traits: ServerTraits) => void;
  /** It did not. */
  readonly drop: () => void;
};

/** Software that bears more refusals, as a word of its own behind the host's name. */
const PATIENT = /^\S+\s(?:.*[\s(])?(?:postfix|exim)(?![\w.-])/i;

/** Whether a greeting or a reply to EHLO names software that bears more refusals. A host's name is none. */
export function isPatient(reply: Reply): boolean {
  return reply.lines.some((line) => PATIENT.test(line));
}

/** The extensions in a reply to EHLO. */
export function offersOf(reply: Reply): Offers {
  let early = false;
  let pipelining = false;
  let startTls = false;
  let smtpUtf8 = false;
  let tarpit = false;
  for (let i = 1; i < reply.lines.length; i += 1) {
    const keyword = reply.lines[i]?.trim().toUpperCase() ?? '';
    if (keyword === 'PIPELINING') pipelining = true;
    else if (keyword === 'STARTTLS') startTls = true;
    else if (keyword === 'SMTPUTF8') smtpUtf8 = true;
    else if (keyword === 'PIPECONNECT') early = true;
    else if (keyword === 'XVERP=COURIER') tarpit = true;
  }
  return { pipelining, startTls, smtpUtf8, tarpit, early: early && pipelining };
}
