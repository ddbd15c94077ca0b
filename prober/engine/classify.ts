import type { Deferral } from '../../schema/evidence.ts';
import type { Reply } from './reply.ts';

/** The command that a reply answers; `greeting` answers the connection itself. */
export type Stage = 'greeting' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';

/** What one reply says, and about whom. */
export type Meaning =
  | 'accepted' // 2xx
  | 'no_such_mailbox' // the mailbox or its domain takes no mail: unknown, disabled, moved, unroutable
  | 'relay_denied' // this host does not serve the domain: counts once every reachable MX says so
  | 'mailbox_full'
  | 'deferred' // 4xx that says nothing final
  | 'policy_rejected' // 5xx about the prober: its address, name, sender, TLS, reputation, rate
  | 'unexpected'; // nothing we know

export type Classified = {
  readonly meaning: Meaning;
  /** Set for a 4xx: why, and the wait that the words ask for. */
  readonly deferral: Deferral | null;
  /** The session is over or useless (421, 4.5.3, too many recipients or errors): evidence only for a fresh session's first recipient. */
  readonly endsSession: boolean;
  /** The server wants STARTTLS first. */
  readonly demandsTls: boolean;
  /** Id of the rule that decided by words, null where code and enhanced code alone did. */
  readonly rule: string | null;
};

/** What a reply means, by stage, code, enhanced code and words. Pure. */
export function classify(stage: Stage, reply: Reply): Classified {
  const base = { deferral: null, endsSession: false, demandsTls: false, rule: null };
  const kind = Math.floor(reply.code / 100);
  if (kind === 2) return { ...base, meaning: 'accepted' };
  if (kind === 4) {
    if (reply.enhanced === '4.2.2')
      return { ...base, meaning: 'mailbox_full', deferral: { cause: 'full', askedS: null } };
    const endsSession = reply.code === 421 || reply.enhanced === '4.5.3';
    return { ...base, meaning: 'deferred', deferral: { cause: 'busy', askedS: null }, endsSession };
  }
  if (kind !== 5 || stage !== 'rcpt') return { ...base, meaning: kind === 5 ? 'policy_rejected' : 'unexpected' };
  if (reply.enhanced === '5.2.2') return { ...base, meaning: 'mailbox_full' };
  if (reply.enhanced?.startsWith('5.7.')) return { ...base, meaning: 'policy_rejected' };
  if (reply.enhanced?.startsWith('5.1.')) return { ...base, meaning: 'no_such_mailbox' };
  return { ...base, meaning: 'unexpected' };
}
