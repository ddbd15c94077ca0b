import { MEANINGS } from './rules/meanings.ts';
import { isAboutClient, type ReadReply } from './outcome.ts';
import type { Stage } from '../ports/ports.ts';
import type { Reply } from '../smtp/wire/reply.ts';

/** Why a server should rest: it was asked too much, or it has put us on a block list. */
export type RestCause = 'asked_too_much' | 'blocked';

/**
 * A reply that is about us and how we probe. `opening`: no recipient had been named yet, so the server speaks for
 * itself; `rcpt`: it may be the policy of the domain in question.
 */
export type Complaint = {
  readonly when: 'opening' | 'rcpt';
  readonly why: RestCause;
  /** It is about concurrent connections and nothing else. */
  readonly isAboutConcurrency?: true;
  /** It is a 4xx about how much we ask. */
  readonly isAboutRate?: true;
  /** Its words are about how much we ask. */
  readonly saysTooMuch?: true;
};

/** Names of recipients and senders, which a customer may have chosen, are not the server's words. */
const NAMES = /<[^<>]*>|(?<![^\s<>])[^\s<>@]*@\S*/g;
/** The limit was of this session alone: another session may begin. */
const THIS_SESSION =
  /\btoo (?:many|much) (?:\S+ ){0,3}?(?:error|recipient|rcpt|invalid|unknown|bad|wrong|command|failure|failed|user|mailbox|address|transaction)|\b(?:error|recipient|command)s? limit\b|\bmax(?:imum)? (?:number of |allowed )?(?:error|recipient|command)|\b(?:message|mail|transaction)s? (?:in|per|for|on) (?:this |one |a |each |the same )?(?:session|connection)\b/i;
/** Phrases about block lists, and names of such lists. */
const BLOCKED =
  /\b(?:block(?:ed|ing|ed[- ]?list\w*|[- ]?list\w*)|black[- ]?list\w*|deny[- ]?list\w*|banned|ban list|[rd]nsbl|rbl|spamhaus|spamcop|barracudacentral|sorbs|uceprotect|abusix|abuseat|mailspike|invaluement|senderscore)\b/i;
/** What a client may have only so many of. */
const OPEN =
  '(?:connect(?:ions?|ed clients?)|sessions?|clients|sockets|slots|verbindungen|sitzungen|connexions|conex(?:iones|[oõ]es)|connessioni|verbindingen)';
/** Not `10 messages per session`. */
const BETWEEN = String.raw`(?:(?!per |messages |mails |recipients |errors |commands )\S*[^\s.] ){0,4}?`;
/** Too many connections at once; if the words name a time, the rate was too high instead. */
const AT_ONCE = new RegExp(
  String.raw`\b(?:too (?:many|much)|concurren\w+|simultaneous\w*|parallel|open|max(?:imum)?|number of|(?:no|any) more|exceed\w*|limit(?: of| on| for)?|only \d+|more than \d+|zu viele|trop de|demasiad[ao]s|muitas|troppe|te veel) ${BETWEEN}${OPEN}\b|\b${OPEN} ${BETWEEN}(?:limit\w*|max(?:imum)?|exceed\w*|concurren\w+|simultaneous\w*|at once|at a time|at the same time|already)\b`,
  'i',
);
const IN_A_TIME =
  /\brates?\b|\bminute|\bhour|\bper (?:\S+ )?(?:second|day)|\bshort\b|\b(?:period|interval|amount) of time\b|\btime (?:period|frame|interval)|\bfast\b|\bquick|\bfrequen/i;
/** Recipients counted for a client, over all its sessions. */
const ASKED_TOO_MUCH =
  /\btoo (?:many|much) (?:\S+ ){0,3}?(?:recipients?|rcpts?) (?:from|by|(?:in|per) (?:an? |one |this )?(?:minute|hour|day))\b/i;
const RATE =
  /\brate\b|\bthrottl|\bslow(?:ing)? down\b|\btoo (?:fast|quickly|often|frequent(?:ly)?)\b|\b(?:too (?:many|much)|excessive|exceed\w*) (?:\S+ ){0,4}?(?:requests?|messages?|mails?)\b/i;
/** Phrases about the client, for codes without a meaning of their own. */
const ABOUT_US =
  /\byour (?:ip|host|server|mail server|address|network|reputation)\b|\bclient (?:host|ip|address)\b|\brate limit|\bexcessive (?:\S+ ){0,2}?(?:connections?|sessions?)\b|\breputation\b|\breverse (?:dns|lookup|hostname)\b|\bthrottl/i;

/**
 * The complaint in a reply, after which the server gets a cool-down; null if there is none. A demand for TLS,
 * greylisting, and the end of a session because of its own errors or recipients are no complaints.
 */
export function complaintOf(stage: Stage, answer: ReadReply): Complaint | null {
  const { reply, said } = answer;
  if (reply.code < 400 || said.demandsTls) return null;
  const aboutClient = isAboutClient(answer);
  // Most refusals at RCPT are about the mailbox: their words need not be searched.
  if (stage === 'rcpt' && !aboutClient && MEANINGS[said.meaning].judges) return null;
  const words = reply.lines.join(' ').replace(NAMES, ' ');
  if (endsOnlyThisSession(reply, words)) return null;
  const blocked = isBlocked(answer, words);
  const why = blocked ? 'blocked' : 'asked_too_much';
  const rate = isAboutRate(stage, reply, words) ? ({ isAboutRate: true } as const) : {};
  const saysTooMuch = !blocked && saysRate(answer, words);
  const tooMuch = saysTooMuch ? ({ saysTooMuch } as const) : {};
  if (stage === 'rcpt') {
    if (!aboutClient && !blocked && !saysTooMuch) return null;
    return { when: 'rcpt', why, ...rate, ...tooMuch };
  }
  if (!aboutClient && !blocked && !saysAboutUs(stage, answer, words)) return null;
  const isAboutConcurrency = !blocked && AT_ONCE.test(words) && !IN_A_TIME.test(words);
  return { when: 'opening', why, ...rate, ...tooMuch, ...(isAboutConcurrency && { isAboutConcurrency }) };
}

/** A server that greylists, or says when within the hour to come back, has not put us on a block list. */
function isBlocked({ said: { deferral } }: ReadReply, words: string): boolean {
  if (deferral?.cause === 'greylisting' || (deferral?.askedS ?? Infinity) < 3_600) return false;
  return BLOCKED.test(words);
}

function endsOnlyThisSession({ enhanced }: Reply, words: string): boolean {
  return enhanced === '4.5.3' || (THIS_SESSION.test(words) && !ASKED_TOO_MUCH.test(words));
}

/** A refusal of anyone, however it is coded: greylisting may speak of rates as well. */
function saysRate({ said }: ReadReply, words: string): boolean {
  return said.deferral?.cause !== 'greylisting' && (RATE.test(words) || ASKED_TOO_MUCH.test(words));
}

/** At RCPT a bare 421 may be one domain's answer to everyone; before RCPT it is about us. */
function isAboutRate(stage: Stage, { code }: Reply, words: string): boolean {
  if (code >= 500) return false;
  return RATE.test(words) || AT_ONCE.test(words) || (stage !== 'rcpt' && code === 421);
}

/** Before RCPT, a 554 for a greeting (RFC 5321 §3.1), 5.7.x, 4.7.x and phrases about the client are about us. */
function saysAboutUs(stage: Stage, { reply, said }: ReadReply, words: string): boolean {
  if (said.deferral?.cause === 'greylisting') return false;
  if (stage === 'greeting' && reply.code === 554) return true;
  return (
    reply.enhanced?.startsWith('5.7.') === true ||
    said.rule?.startsWith('client/') === true ||
    ABOUT_US.test(words) ||
    AT_ONCE.test(words)
  );
}
