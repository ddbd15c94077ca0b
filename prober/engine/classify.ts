import type { Deferral } from '../../schema/evidence.ts';
import type { Reply } from './reply.ts';
import { findStatus, readCodes } from './rules/codes.ts';
import { genericRule, quotaRule, specificRule } from './rules/decide.ts';
import { saysGreylisting } from './rules/deferral.ts';
import { gistOf, readText } from './words/gist.ts';
import { askedWaitS } from './rules/wait.ts';

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

/** What a reply means, by stage, then words, then enhanced code and code. Pure. */
export function classify(stage: Stage, reply: Reply): Classified {
  const text = readText(reply);
  const gist = gistOf(text);
  const kind = Math.floor(reply.code / 100);
  const base = {
    deferral: null,
    endsSession: endsSession(reply, gist),
    demandsTls: demandsTls(stage, gist),
    rule: null,
  };
  if (kind === 2) return { ...base, meaning: 'accepted', endsSession: false, demandsTls: false };
  if (kind === 4) return { ...base, ...readDeferral(stage, reply, text, gist) };
  if (kind !== 5) return { ...base, meaning: 'unexpected' };
  if (stage !== 'rcpt') return { ...base, meaning: 'policy_rejected' };
  return { ...base, ...readRefusal(reply, text, gist) };
}

type Read = Pick<Classified, 'meaning' | 'deferral' | 'rule'>;

function readDeferral(stage: Stage, reply: Reply, text: string, gist: string): Read {
  const askedS = askedWaitS(text);
  const full = stage === 'rcpt' ? quotaRule(gist) : undefined;
  if (stage === 'rcpt' && (full !== undefined || findStatus(reply.enhanced, reply.code, text) === '4.2.2')) {
    return { meaning: 'mailbox_full', deferral: { cause: 'full', askedS }, rule: full?.id ?? null };
  }
  const cause = saysGreylisting(text, gist) ? 'greylisting' : 'busy';
  return { meaning: 'deferred', deferral: { cause, askedS }, rule: null };
}

function readRefusal(reply: Reply, text: string, gist: string): Read {
  const words = specificRule(gist);
  if (words !== undefined) {
    return { meaning: words.says === 'limit' ? 'policy_rejected' : words.says, deferral: null, rule: words.id };
  }
  const codes = readCodes(reply.code, findStatus(reply.enhanced, reply.code, text));
  if (codes !== null) return { meaning: codes, deferral: null, rule: null };
  const vague = genericRule(gist);
  return { meaning: vague === undefined ? 'unexpected' : 'policy_rejected', deferral: null, rule: vague?.id ?? null };
}

function endsSession(reply: Reply, gist: string): boolean {
  return (
    reply.code === 421 ||
    reply.enhanced === '4.5.3' ||
    reply.enhanced === '5.5.3' ||
    specificRule(gist)?.says === 'limit'
  );
}

function demandsTls(stage: Stage, gist: string): boolean {
  return stage !== 'starttls' && / TLS /.test(gist);
}
