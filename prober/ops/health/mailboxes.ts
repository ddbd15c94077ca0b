import { madeUpLocal } from '../../engine/attempt/random-recipient.ts';
import { classifyFor } from '../../engine/meaning/classify.ts';
import { MEANINGS } from '../../engine/meaning/rules/meanings.ts';
import type { Egress } from '../../engine/ports/settings.ts';
import { helloCommand, mailCommand, rcptCommand } from '../../engine/smtp/wire/command.ts';
import { countOf, failingOf, repliesOf, targetsOf, type WayOut, type Ways } from './ways-out.ts';

// What mail servers say of mailboxes whose fate is known. Something between a host and port 25 may answer for them.

/** A way out that accepts or defers everyone leads to no real server. @returns the positions of such addresses */
export function whoIsRefused(ways: Ways, domains: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
  return failingOf(ways, domains, signal, async (way, domain, ends) => {
    const { targets, replies } = await askRecipients(way, domain, [madeUpLocal(way.ports.random)], ends);
    // Any refusal of the mailbox: 5xx at RCPT, RFC 5321 §4.2.1.
    return countOf(way, targets, (replies[0]?.code ?? 0) >= 500);
  });
}

/** What a server says of a mailbox that must exist and of one that cannot. */
export type Likeness =
  | 'apart' // it accepts the first and refuses the second: as it should be
  | 'both_refused' // as mailboxes: what a host gets at every server if something on its way refuses for it
  | 'both_accepted'
  | 'unclear'; // deferred, refused for another reason, not reached

/** Asks the server of a mailbox that must exist about it and about a made-up one, in one transaction. */
export async function likenessOf(way: WayOut, mailbox: string, signal: AbortSignal): Promise<Likeness> {
  const at = mailbox.lastIndexOf('@');
  const domain = mailbox.slice(at + 1);
  const locals = [mailbox.slice(0, at), madeUpLocal(way.ports.random)];
  const { replies } = await askRecipients(way, domain, locals, signal);
  const classify = classifyFor(way.mailFrom);
  const [real, madeUp] = locals.map((local, n) => {
    const reply = replies[n];
    return reply === undefined ? null : MEANINGS[classify('rcpt', reply, { local, domain }).meaning];
  });
  if (real === undefined || real === null || madeUp === undefined || madeUp === null) return 'unclear';
  if (real.accepts && madeUp.accepts) return 'both_accepted';
  if (!madeUp.refuses) return 'unclear';
  if (real.accepts) return 'apart';
  return real.refuses ? 'both_refused' : 'unclear';
}

/**
 * Only the refusal of a mailbox that must exist, beside that of one that cannot, says that a way out is sick.
 * @returns the positions of the addresses for which that holds, and of those of which no mailbox says anything
 */
export async function whoIsDenied(
  ways: Ways,
  mailboxes: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly denied: readonly number[]; readonly unclear: readonly number[] }> {
  const proven = new Set<Egress>();
  const denied = await failingOf(ways, mailboxes, signal, async (way, mailbox, ends) => {
    const likeness = await likenessOf(way, mailbox, ends);
    if (likeness === 'apart') proven.add(way.from);
    return likeness === 'apart' || (likeness === 'both_refused' ? false : null);
  });
  const unclear = ways.egress.flatMap((from, n) => (proven.has(from) || denied.includes(n) ? [] : [n]));
  return { denied, unclear: mailboxes.length === 0 ? [] : unclear };
}

/** One session with a domain's best mail server. @returns its replies to the recipients */
async function askRecipients(way: WayOut, domain: string, locals: readonly string[], signal: AbortSignal) {
  const { ports, mailFrom, from } = way;
  const answer = await ports.resolve.mx(domain, signal);
  const records = answer.kind === 'found' ? answer.records.toSorted((a, b) => a.preference - b.preference) : [];
  const host = answer.kind === 'none' ? domain : records[0]?.exchange;
  const targets = host === undefined ? [] : await targetsOf(way, host, signal);
  const commands = [
    helloCommand('EHLO', from.heloName),
    mailCommand(mailFrom, false),
    ...locals.map((local) => rcptCommand(local, domain)),
  ];
  const [target] = targets;
  const replies = target === undefined ? [] : await repliesOf(way, target, commands, signal);
  return { targets, replies: replies.slice(1 + commands.length - locals.length) };
}
