// The behaviour of a scripted mail server, byte for byte: the same script runs in memory and over TCP.

export type Act =
  | { readonly do: 'say'; readonly bytes: Uint8Array }
  | { readonly do: 'wait'; readonly ms: number }
  /** Ends the server's side; what it sent before still arrives. */
  | { readonly do: 'close' }
  | { readonly do: 'reset' }
  /** Answers the TLS handshake that follows. */
  | { readonly do: 'tls'; readonly how: 'ok' | 'fail' | 'hang' };

/** Text is sent as it is; a list is performed in order; null means silence. */
export type ScriptedReply = string | Uint8Array | readonly (string | Act)[] | null;

export type Script = {
  /** Default `220 mx.test ESMTP`. It may differ from session to session. */
  readonly greeting?: ScriptedReply | ((session: SessionRecord) => ScriptedReply);
  /** Extensions offered in reply to EHLO; default PIPELINING. */
  readonly offers?: readonly string[];
  /** Extensions offered after STARTTLS; default the same without STARTTLS. */
  readonly offersSecure?: readonly string[];
  /** The reply to RCPT for a mailbox; default: 250 for those in `mailboxes`, else 550 5.1.1. */
  readonly rcpt?: (mailbox: string, session: SessionRecord) => ScriptedReply;
  readonly mailboxes?: readonly string[];
  /** Overrides any reply; undefined leaves the default. `line` is without its line end. */
  readonly on?: (line: string, session: SessionRecord) => ScriptedReply | undefined;
};

/** What one session of a scripted server saw. */
export type SessionRecord = {
  /** Counts from 0 on this server. */
  readonly number: number;
  /** Local address that dialled. */
  readonly from: string | null;
  /** One entry per write of the client. */
  readonly writes: string[];
  readonly lines: string[];
  secure: boolean;
  /** The client freed its socket. */
  closed: boolean;
};

const encoder = new TextEncoder();

export function say(text: string): Act {
  return { do: 'say', bytes: encoder.encode(text) };
}

export function wait(ms: number): Act {
  return { do: 'wait', ms };
}

export const close: Act = { do: 'close' };
export const reset: Act = { do: 'reset' };
export const silence: ScriptedReply = null;

export function tls(how: 'ok' | 'fail' | 'hang'): Act {
  return { do: 'tls', how };
}

/** Every byte on its own. */
export function byteByByte(text: string, everyMs = 0): Act[] {
  return [...encoder.encode(text)].flatMap((byte) => {
    const one: Act = { do: 'say', bytes: Uint8Array.of(byte) };
    return everyMs > 0 ? [one, wait(everyMs)] : [one];
  });
}

export function acts(answer: ScriptedReply): readonly Act[] {
  if (answer === null) return [];
  if (typeof answer === 'string') return [say(answer)];
  if (answer instanceof Uint8Array) return [{ do: 'say', bytes: answer }];
  return answer.map((one) => (typeof one === 'string' ? say(one) : one));
}

export function greetingOf({ greeting }: Script, session: SessionRecord): readonly Act[] {
  if (greeting === undefined) return acts('220 mx.test ESMTP\r\n');
  return acts(typeof greeting === 'function' ? greeting(session) : greeting);
}

/** What the server does on one line of the client. */
export function reactionTo(script: Script, line: string, session: SessionRecord): readonly Act[] {
  const own = script.on?.(line, session);
  if (own !== undefined) return acts(own);
  const verb = line
    .slice(0, 8)
    .toUpperCase()
    .replace(/[^A-Z].*$/, '');
  switch (verb) {
    case 'EHLO':
      return acts(ehloReply(script, session));
    case 'HELO':
    case 'MAIL':
    case 'RSET':
      return acts('250 2.0.0 ok\r\n');
    case 'RCPT':
      return acts(rcptReply(script, line, session));
    case 'STARTTLS':
      return [say('220 2.0.0 go ahead\r\n'), tls('ok')];
    case 'QUIT':
      return [say('221 2.0.0 bye\r\n'), close];
    default:
      return acts('500 5.5.2 what?\r\n');
  }
}

function ehloReply(script: Script, session: SessionRecord): string {
  const offers = script.offers ?? ['PIPELINING'];
  const offered = session.secure ? (script.offersSecure ?? offers.filter((one) => one !== 'STARTTLS')) : offers;
  const lines = ['mx.test greets you', ...offered];
  return lines.map((line, i) => `250${i === lines.length - 1 ? ' ' : '-'}${line}\r\n`).join('');
}

function rcptReply(script: Script, line: string, session: SessionRecord): ScriptedReply {
  const mailbox = /^RCPT TO:<(.*)>$/i.exec(line)?.[1] ?? '';
  if (script.rcpt !== undefined) return script.rcpt(mailbox, session);
  return script.mailboxes?.includes(mailbox) === true ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user here\r\n';
}
