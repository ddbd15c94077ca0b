import type { Outcome } from '../../../schema/evidence.ts';
import { RSET, STARTTLS } from './command.ts';
import { outcomeBeforeRcpt, readReply } from '../meaning/outcome.ts';
import { type Complaint, complaintOf } from '../limits/complaint.ts';
import { NO_OFFERS } from './offers.ts';
import { broken, isGood, sayHello, type Session } from './session.ts';
import { type Failed, failed } from './failure.ts';

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
  const { wire } = session;
  if (!session.offers.startTls || session.secure) return refuse(session, refusal);
  for (const command of inTransaction ? [RSET, STARTTLS] : [STARTTLS]) {
    if (!wire.quiet) return broken(wire, 'garbage');
    wire.send(command);
    const heard = await wire.hear(session.commandMs);
    if (heard.kind !== 'reply') return broken(wire, heard.kind);
    const { reply } = heard;
    if (isGood(reply)) continue;
    const deferred = reply.code >= 400 && reply.code < 500;
    const answer = readReply(session.classify, 'starttls', reply);
    return refuse(session, deferred ? outcomeBeforeRcpt(answer, refusal) : refusal, complaintOf('starttls', answer));
  }
  const shaken = await wire.startTls(session.host, session.commandMs);
  if (shaken === 'failed') {
    wire.destroy();
    return failed('hello', 'refused', refusal);
  }
  if (shaken !== 'secure') return broken(wire, shaken);
  session.secure = true;
  session.inTransaction = false;
  session.asked = { recipients: 0, refusals: 0 };
  session.offers = NO_OFFERS;
  return sayHello(session);
}

function refuse({ wire }: Session, outcome: Outcome, complaint: Complaint | null = null): Failed {
  wire.quit();
  return failed('hello', 'refused', outcome, complaint);
}
