import type { Deferral } from '../../../schema/evidence.ts';
import type { Recipient, Stage } from '../ports/ports.ts';
import type { Reply } from '../smtp/wire/reply.ts';
import { type Meaning, MEANINGS } from './rules/meanings.ts';
import { findStatus, isAboutDialogue, isAboutSender, isPlain, readCodes } from './rules/codes.ts';
import { lastRule, specificRule, vagueRule } from './rules/decide.ts';
import { saysGoodBye, saysGreylisting, saysOtherwise, saysTlsFirst } from './rules/deferral.ts';
import { type Rule, SAYS } from './rules/rule.ts';
import { gistOf, isReadWhole, readText, saysNothing, withoutIds, withoutNames } from './words/gist.ts';
import { isWord } from './words/recipient-names.ts';
import { askedWaitS, knownWaitS } from './rules/wait.ts';

export type Classified = {
  readonly meaning: Meaning;
  /** Set for a 4xx: the cause, and the wait that the words ask for. */
  readonly deferral: Deferral | null;
  /**
   * The session is over or useless (421, 4.5.3, too many recipients or errors): evidence only for a fresh session's
   * first recipient.
   */
  readonly endsSession: boolean;
  /** The server wants STARTTLS first. */
  readonly demandsTls: boolean;
  /** Id of the rule that decided by words, null if something else did. */
  readonly rule: string | null;
  readonly by: DecidedBy;
};

/** The code and enhanced code alone; nothing at all; later, perhaps, the controls of a test. */
export type DecidedBy = 'rule' | 'code' | 'nothing' | 'controls';

/** The words of an acceptance are not read: nothing in them withdraws it. */
const ACCEPTED: Classified = {
  meaning: 'accepted',
  deferral: null,
  endsSession: false,
  demandsTls: false,
  rule: null,
  by: 'code',
};

/** `saysNothing`: no statement is left without names. */
type Told = { readonly read: Classified; readonly saysNothing: boolean };

/** What replies mean, by their words without names: at most a thousand of 2 kB. */
const told = new Map<string, Told>();
const TOLD_MAX = 1_000;

/**
 * What a reply means: by stage, then words, then enhanced code and code. Pure; bounded in time and memory.
 * @param recipient the recipient that the command named, if any: its name does not count as the server's words
 * @param sender our envelope sender, as sent on the wire: what a server says about it is about us
 */
export function classify(stage: Stage, reply: Reply, recipient?: Recipient, sender?: string): Classified {
  if (Math.floor(reply.code / 100) === 2) return ACCEPTED;
  const text = readText(reply);
  const heard = readNamed(stage, reply, withoutNames(text, recipient, sender));
  // The name is read as one where the rest says something.
  if (!heard.saysNothing || recipient === undefined || !isWord(recipient.local)) return heard.read;
  return readNamed(stage, reply, withoutNames(text, recipient, sender, true)).read;
}

export const classifyFor =
  (sender: string) =>
  (stage: Stage, reply: Reply, recipient?: Recipient): Classified =>
    classify(stage, reply, recipient, sender);

function readNamed(stage: Stage, reply: Reply, named: string): Told {
  // A longer one may begin like another.
  if (!isReadWhole(reply)) return readWords(stage, reply, withoutIds(named));
  const command = `${stage} ${reply.code} ${reply.enhanced ?? ''} `;
  // Few servers put an id into a refusal, so most replies are found without a look for ids.
  const repeated = told.get(command + named);
  if (repeated !== undefined) return repeated;
  const text = withoutIds(named);
  const key = command + text;
  const known = told.get(key);
  if (known !== undefined) return known;
  const read = readWords(stage, reply, text);
  if (told.size >= TOLD_MAX) told.clear();
  told.set(key, read);
  return read;
}

function readWords(stage: Stage, reply: Reply, text: string): Told {
  const gist = gistOf(text);
  return { read: readGist(stage, reply, text, gist), saysNothing: saysNothing(gist) };
}

function readGist(stage: Stage, reply: Reply, text: string, gist: string): Classified {
  const kind = Math.floor(reply.code / 100);
  const words = specificRule(gist, reply.code);
  const base = {
    deferral: null,
    endsSession: endsSession(reply, gist, words),
    demandsTls: stage !== 'starttls' && saysTlsFirst(gist),
    rule: null,
    by: 'code',
  } as const;
  switch (kind) {
    case 4:
      return { ...base, ...readDeferral(stage, reply, { text, gist, words }) };
    case 5:
      if (stage !== 'rcpt') return { ...base, ...refusedBefore(words) };
      return { ...base, ...orUnread(reply, readRefusal(reply, { text, gist, words })) };
    default:
      return { ...base, ...UNEXPLAINED };
  }
}

type Heard = { readonly text: string; readonly gist: string; readonly words: Rule | undefined };
type Read = Pick<Classified, 'meaning' | 'deferral' | 'rule' | 'by'>;

/** A 4xx proves nothing about a mailbox except that it is full. Greylisting is said of anyone. */
function readDeferral(stage: Stage, reply: Reply, { text, gist, words }: Heard): Read {
  const status = findStatus(reply.enhanced, reply.code, text);
  const askedS = askedWaitS(text) ?? knownWaitS(status, text);
  if (saysGreylisting(gist))
    return { meaning: 'deferred', deferral: { cause: 'greylisting', askedS }, ...decidedBy(undefined) };
  const full = saysOf(words)?.isFull === true ? words : undefined;
  // Words about us or about the moment overrule the code: `4.2.2 sending quota exceeded`.
  const isOtherwise = saysOf(words)?.refusesUs === true || saysOtherwise(gist, status);
  if (stage === 'rcpt' && (full !== undefined || (status === '4.2.2' && !isOtherwise)))
    return { meaning: 'mailbox_full', deferral: { cause: 'full', askedS }, ...decidedBy(full) };
  return { meaning: 'deferred', deferral: { cause: 'busy', askedS }, ...decidedBy(undefined) };
}

/** It says nothing about a mailbox, even if it mentions one: some servers report a bad sender like that. */
const refusedBefore = (words: Rule | undefined): Read =>
  refused('policy_rejected', saysOf(words)?.refusesUs === true ? words : undefined);

const saysOf = (words: Rule | undefined): (typeof MEANINGS)[Meaning] | null =>
  words === undefined ? null : MEANINGS[SAYS[words.says].meaning];

/** The unread part may say that the reply is about us: the rest calls no mailbox dead. */
function orUnread(reply: Reply, read: Read): Read {
  return MEANINGS[read.meaning].refuses && !isReadWhole(reply) ? UNEXPLAINED : read;
}

function readRefusal(reply: Reply, { text, gist, words }: Heard): Read {
  const status = findStatus(reply.enhanced, reply.code, text);
  const isNoneOfTheMailbox =
    isAboutSender(status) ||
    isAboutDialogue(reply.code, status) ||
    (words?.unlessPolicy === true && status?.startsWith('5.7.') === true);
  if (words !== undefined && !(saysOf(words)?.isUnknown === true && isNoneOfTheMailbox))
    return refused(SAYS[words.says].meaning, words);
  const vague = vagueRule(gist, reply.code);
  const byCodes = readCodes(reply.code, status);
  if (byCodes !== null && MEANINGS[byCodes].isUnknown && saysOtherwise(gist, status)) return UNEXPLAINED;
  if (byCodes !== null && (vague === undefined || isPlain(status))) return refused(byCodes, undefined);
  const aboutUs = vague ?? lastRule(gist, reply.code);
  return aboutUs === undefined ? UNEXPLAINED : refused('policy_rejected', aboutUs);
}

const UNEXPLAINED: Read = { meaning: 'unexpected', deferral: null, rule: null, by: 'nothing' };

const refused = (meaning: Meaning, rule: Rule | undefined): Read => ({ meaning, deferral: null, ...decidedBy(rule) });

const decidedBy = (rule: Rule | undefined): Pick<Read, 'rule' | 'by'> =>
  rule === undefined ? { rule: null, by: 'code' } : { rule: rule.id, by: 'rule' };

/** 421 (RFC 5321 §3.8), "too many recipients", or a goodbye. Not a 5.5.3 whose words say something else. */
function endsSession(reply: Reply, gist: string, words: Rule | undefined): boolean {
  if (reply.code === 421 || (words !== undefined && SAYS[words.says].endsSession) || reply.enhanced === '4.5.3')
    return true;
  return (reply.enhanced === '5.5.3' && words === undefined) || saysGoodBye(gist);
}
