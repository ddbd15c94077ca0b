import type { Recipient } from '../ports/ports.ts';
import { areAlike, maskReply, type MaskedReply } from './masked-reply.ts';
import { MEANINGS } from './rules/meanings.ts';
import type { ReadReply } from './outcome.ts';
import { ABOUT_US } from './rules/client.ts';
import { THING_RULE } from './rules/protocol.ts';
import { compilePatterns } from './rules/rule.ts';
import { refusesRecipient, VAGUE_RULES } from './rules/vague.ts';
import { gistOf, isReadWhole, readText, withoutNames } from './words/gist.ts';

// A refusal that no rule explains is tested by two more RCPTs, in a fresh transaction of the same session and, with
// PIPELINING, in one write (and so in one round trip; without it RSET and MAIL take one each):
//
// 1. the made-up mailbox, the negative control;
// 2. a recipient that was accepted before, the positive control. If the first control is refused like the target, and
//    this one is accepted, the server distinguishes mailboxes, and the target does not exist:
//
//        the server's criterion        what it would do instead
//        recipients so far             refuse the accepted one too
//        recipients per transaction    accept the made-up one, the first of its transaction
//        every nth                     not refuse two in a row
//        the time                      change within one write
//        us                            accept no one, or only those that servers exempt: postmaster
//
//    If the controls would come at an interval that fits a server that refuses every nth ("accepted, refused,
//    accepted"), the target itself is the second control. It must be refused again, right after the made-up mailbox,
//    with an acceptance between its two refusals.
//
// A server that refuses at random, with probability q, passes a test with q(1 - q), a quarter at most. So no result is
// reported before the visit has ended, and one test that fails withdraws all others.

/** `masked` is null unless the reply needs a test. */
export type RcptAnswer = ReadReply & { readonly masked: MaskedReply | null };

export type Tried<R> = RcptAnswer & { readonly recipient: R };

/** The second control: a recipient that was accepted before, or the target again. */
export type Second<R> = { readonly kind: 'accepted' | 'target'; readonly recipient: R };

/** `contradicted`: it does not refuse the made-up mailbox, or not as consistently as it would a missing one. */
export type Finding = 'no_such_mailbox' | 'about_us' | 'contradicted' | 'not_learnt';

type Named = { readonly local: string; readonly utf8: boolean };

/** Reserved mailboxes (RFC 2142): servers accept them from clients that they refuse otherwise. */
const EXEMPT = /^(?:postmaster|abuse|hostmaster|webmaster|mailer-daemon|security|noc|usenet|news|www|uucp|ftp)$/i;
/** Us, rate, greylisting, capacity, a fault of the server, someone else. */
const UNTESTABLE = compilePatterns([
  `${ABOUT_US}|RELAY|TAG[A-Z]+|you|your|from|CHECK|elsewhere|blocklist|limit|exceeded|over|full|overquota|quota|storage|disk|temporarily|timeout|timed`,
]);

/**
 * What is compared if a reply to RCPT needs a test: a 5xx that is explained by neither a rule nor the code, or only by
 * the code, or whose words name no one. 5.7.x is about us, unless the words refuse the recipient.
 */
export function testable({ reply, said }: ReadReply, recipient: Recipient): MaskedReply | null {
  if (reply.code < 500 || said.endsSession || said.demandsTls || !isReadWhole(reply)) return null;
  // `KeyError: 'ann'`: a program's complaint about something else may be its way to say that it does not know her.
  const isUnexplained = said.by === 'nothing' || said.rule === THING_RULE.id;
  // At 5xx an acceptance is none of them.
  const isByCode = said.by === 'code' && MEANINGS[said.meaning].judges;
  const isVague =
    refusesRecipient(said) ||
    (VAGUE_RULES.some(({ id }) => id === said.rule) && reply.enhanced?.startsWith('5.7.') !== true);
  if (!isUnexplained && !isByCode && !isVague) return null;
  const gist = gistOf(withoutNames(readText(reply), recipient));
  return UNTESTABLE.test(gist) ? null : maskReply(reply, recipient);
}

/**
 * The second control of a test; the made-up mailbox is the first. Null: there is nothing to test, or no one to compare
 * with.
 * @param record the answers in this session, in order
 * @param madeUp the made-up mailbox's reply if it came after them, before the test
 * @param earlier recipients that the same server accepted in this batch
 */
export function secondControl<R extends Named>(
  record: readonly Tried<R>[],
  madeUp: RcptAnswer | null,
  earlier: readonly R[],
): Second<R> | null {
  const at = record.findLastIndex(({ masked }) => masked !== null);
  const target = record[at];
  if (target === undefined || (madeUp !== null && !areAlike(madeUp.masked, target.masked))) return null;
  const exemptCounts = target.reply.enhanced?.startsWith('5.1.') === true || target.masked?.namesRecipient === true;
  const canBeNamed = (one: R): boolean => !one.utf8 || target.recipient.utf8;
  const mayShow = (one: R): boolean => canBeNamed(one) && (exemptCounts || !EXEMPT.test(one.local));
  const acceptedIn = (tried: readonly Tried<R>[]): R[] =>
    tried.filter(({ reply }) => isAcceptance(reply)).map(({ recipient }) => recipient);
  const refusals = record.map(({ masked }) => areAlike(masked, target.masked));
  if (isEveryNth([...refusals, ...(madeUp === null ? [] : [true]), true, false]))
    return acceptedIn(record.slice(at)).some(mayShow) ? { kind: 'target', recipient: target.recipient } : null;
  const known = [...acceptedIn(record), ...earlier].filter(mayShow);
  const positive = known.find(({ local }) => !EXEMPT.test(local)) ?? known[0];
  return positive === undefined ? null : { kind: 'accepted', recipient: positive };
}

/** What the controls show about the refusals that are like the made-up mailbox's. */
export function findingOf(
  record: readonly RcptAnswer[],
  madeUp: RcptAnswer | null,
  second: { readonly kind: Second<unknown>['kind']; readonly answer: RcptAnswer | null },
): Finding {
  if (madeUp === null || second.answer === null) return 'not_learnt';
  if (isAcceptance(madeUp.reply)) return 'contradicted';
  if (!record.some(({ masked }) => areAlike(masked, madeUp.masked))) return 'not_learnt';
  const isAsBefore = areAlike(second.answer.masked, madeUp.masked);
  if (second.kind === 'target') return isAsBefore ? 'no_such_mailbox' : 'contradicted';
  if (isAcceptance(second.answer.reply)) return 'no_such_mailbox';
  return isAsBefore ? 'about_us' : 'contradicted';
}

/** A reply as read by the controls; only those like the made-up mailbox's are changed. */
export function readByControls<A extends RcptAnswer>(answer: A, madeUp: RcptAnswer, finding: Finding): A {
  if (!areAlike(answer.masked, madeUp.masked) || finding === 'contradicted' || finding === 'not_learnt') return answer;
  const meaning = finding === 'about_us' ? 'policy_rejected' : finding;
  return { ...answer, said: { ...answer.said, meaning, deferral: null, rule: null, by: 'controls' } };
}

/** Whether exactly each nth was refused, from any start: at least two, and no two in a row. */
export function isEveryNth(refusals: readonly boolean[]): boolean {
  const first = refusals.indexOf(true);
  const interval = refusals.indexOf(true, first + 1) - first;
  return first >= 0 && interval > 1 && refusals.every((is, i) => is === ((i - first) % interval === 0));
}

const isAcceptance = ({ code }: ReadReply['reply']): boolean => code >= 200 && code < 300;
