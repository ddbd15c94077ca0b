import { RSET, STARTTLS } from '../wire/command.ts';
import type { Answered } from '../meaning/outcome.ts';
import { answered, isGood, sayHello, type Session, type Setback } from './session.ts';
import type { Silence } from '../wire/wire.ts';

export type Upgrade =
  | { readonly kind: 'secure' }
  /** TLS is not to be had: not offered, refused with 5xx, or the handshake failed. The session is over. */
  | { readonly kind: 'refused' }
  /** Refused with 4xx. The session is over. */
  | { readonly kind: 'deferred'; readonly answer: Answered }
  /** No reply. The session is over. */
  | { readonly kind: 'silent'; readonly silence: Silence }
  /** Secure, but the server refused the EHLO that follows. The session is over. */
  | { readonly kind: 'failed'; readonly setback: Setback };

/**
 * Switches a session to TLS and says EHLO again, since nothing that was said before counts (RFC 3207 §4.2).
 * @param inTransaction a MAIL was accepted: it is taken back first, for servers that refuse STARTTLS inside of one
 */
export async function secureSession(session: Session, inTransaction: boolean): Promise<Upgrade> {
  const { wire } = session;
  if (!session.offers.startTls || session.secure) return refuse(session);
  for (const command of inTransaction ? [RSET, STARTTLS] : [STARTTLS]) {
    if (!wire.quiet) return silent(session, 'garbage');
    wire.send(command);
    const heard = await wire.hear(session.commandMs);
    if (heard.kind !== 'reply') return silent(session, heard.kind);
    const answer = answered(session.classify, 'starttls', heard.reply);
    if (!isGood(heard.reply)) {
      if (heard.reply.code >= 500 || heard.reply.code < 400) return refuse(session);
      wire.quit();
      return { kind: 'deferred', answer };
    }
  }
  const shaken = await wire.startTls(session.host, session.commandMs);
  if (shaken === 'failed') {
    wire.destroy();
    return { kind: 'refused' };
  }
  if (shaken !== 'secure') return silent(session, shaken);
  session.secure = true;
  session.offers = { pipelining: false, startTls: false, smtpUtf8: false };
  const failed = await sayHello(session);
  return failed === null ? { kind: 'secure' } : failed;
}

function refuse(session: Session): Upgrade {
  session.wire.quit();
  return { kind: 'refused' };
}

function silent(session: Session, silence: Silence): Upgrade {
  session.wire.destroy();
  return { kind: 'silent', silence };
}
