import type { Reply } from './wire/reply.ts';

/** The extensions that a server offered (RFC 5321 §4.1.1.1), and what it tolerates. */
export type Offers = {
  readonly pipelining: boolean;
  readonly startTls: boolean;
  readonly smtpUtf8: boolean;
  /** Courier is recognized by an extension of its own. By default it makes a client wait for refusals. */
  readonly tarpit: boolean;
  /** PIPECONNECT: in later sessions, commands may be sent before its greeting. */
  readonly early: boolean;
  /** It looks like Postfix or Exim, which tolerate more refusals. */
  readonly patient: boolean;
};

/** Software that tolerates more refusals, as a word of its own after the host's name. */
const PATIENT = /^\S+\s(?:.*[\s(])?(?:postfix|exim)(?![\w.-])/i;

/** Whether a greeting or a reply to EHLO names software that tolerates more refusals. A host's name does not count. */
export function isPatient(reply: Reply): boolean {
  return reply.lines.some((line) => PATIENT.test(line));
}

const KEYWORD = /^\s*(XVERP=COURIER|(?:PIPELINING|STARTTLS|SMTPUTF8|PIPECONNECT)(?![^\s=]))/i;

/** The extensions in a reply to EHLO, whatever their parameters. @param patient its greeting said so */
export function offersOf(reply: Reply, patient: boolean): Offers {
  const offered = reply.lines.slice(1).map((line) => KEYWORD.exec(line)?.[1]?.toUpperCase());
  const pipelining = offered.includes('PIPELINING');
  return {
    pipelining,
    startTls: offered.includes('STARTTLS'),
    smtpUtf8: offered.includes('SMTPUTF8'),
    tarpit: offered.includes('XVERP=COURIER'),
    early: pipelining && offered.includes('PIPECONNECT'),
    patient: patient || isPatient(reply),
  };
}

export const NO_OFFERS = offersOf({ code: 250, enhanced: null, lines: [] }, false);
