import type { Classified } from '../engine/meaning/classify.ts';
import type { Meaning } from '../engine/meaning/rules/meanings.ts';
import type { Stage } from '../engine/ports/ports.ts';
import type { Reply } from '../engine/smtp/wire/reply.ts';

const NEUTRAL = { deferral: null, endsSession: false, demandsTls: false, rule: null, by: 'code' } as const;

/** Classifies replies by a few plain words, so that tests of the dialogue are clear and need no rules. */
export function classifyPlainly(stage: Stage, reply: Reply): Classified {
  const words = reply.lines.join(' ').toLowerCase();
  const kind = Math.floor(reply.code / 100);
  const endsSession = reply.code === 421 || reply.enhanced === '4.5.3' || words.includes('too many');
  if (kind === 2) return { ...NEUTRAL, meaning: 'accepted' };
  if (kind === 4) {
    const full = reply.enhanced === '4.2.2';
    const cause = full ? 'full' : words.includes('greylisted') ? 'greylisting' : 'busy';
    const asked = /(\d+) seconds/.exec(words)?.[1];
    const deferral = { cause, askedS: asked === undefined ? null : Number(asked) } as const;
    return { ...NEUTRAL, meaning: full && stage === 'rcpt' ? 'mailbox_full' : 'deferred', deferral, endsSession };
  }
  if (kind !== 5) return { ...NEUTRAL, meaning: 'unexpected' };
  const meaning = meaningOf(stage, reply, words);
  const by = meaning === 'unexpected' ? 'nothing' : words.includes('no such') ? 'rule' : 'code';
  return { ...NEUTRAL, meaning, by, endsSession, demandsTls: words.includes('starttls') };
}

function meaningOf(stage: Stage, reply: Reply, words: string): Meaning {
  if (stage !== 'rcpt') return 'policy_rejected';
  if (words.includes('relay')) return 'relay_denied';
  if (reply.enhanced === '5.2.2') return 'mailbox_full';
  if (reply.enhanced?.startsWith('5.7.') === true) return 'policy_rejected';
  if (words.includes('no such')) return 'no_such_mailbox';
  return 'unexpected';
}
