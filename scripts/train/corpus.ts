import { gistOf, readText, withoutNames } from '../../prober/engine/meaning/words/gist.ts';
import { CLASSES, type Class } from '../../prober/engine/meaning/model/model.ts';
import { MAILBOX_FULL } from '../../prober/testing/replies/full.ts';
import { NO_SUCH_MAILBOX_LANGUAGES } from '../../prober/testing/replies/mailbox-languages.ts';
import { NO_SUCH_MAILBOX } from '../../prober/testing/replies/mailbox.ts';
import { PARAPHRASES } from '../../prober/testing/replies/paraphrases.ts';
import { UNREAD } from '../../prober/testing/replies/paraphrases/unread.ts';
import { POLICY_REJECTED } from '../../prober/testing/replies/prober.ts';
import { UNEXPLAINED } from '../../prober/testing/replies/unexplained.ts';
import { ASKED_AT, familyOf, readRaw, RECIPIENT, type Labelled } from '../replies/labelled.ts';
import type { Example } from './regression.ts';

/** An example with the reply that it is of, where that came from, and every class that its label allows. */
export type Case = Example & { readonly raw: string; readonly family: string; readonly allowed: readonly Class[] };

/** The refusals that this project wrote down itself: one family, for the same hands wrote them. */
export function ownCases(): Case[] {
  return [
    ...casesOf('no_such_mailbox', [...NO_SUCH_MAILBOX, ...NO_SUCH_MAILBOX_LANGUAGES, ...PARAPHRASES.no_such_mailbox]),
    ...casesOf('mailbox_full', [...MAILBOX_FULL, ...PARAPHRASES.mailbox_full]),
    ...casesOf('policy_rejected', [...POLICY_REJECTED, ...PARAPHRASES.policy_rejected]),
    ...casesOf('unexpected', [...UNEXPLAINED, ...PARAPHRASES.unexpected]),
    ...UNREAD.flatMap(([is, raw]) => casesOf(is, [raw])),
  ];
}

function casesOf(is: Class, replies: readonly string[]): Case[] {
  return replies
    .filter(isRefusal)
    .map((raw) => ({ raw, gist: gistOfRaw(raw), is, family: 'this project', allowed: [is] }));
}

/** Labelled refusals at RCPT as cases; others are none of the model's business. */
export function casesOfLabelled(replies: readonly Labelled[]): Case[] {
  return replies.flatMap((reply) => {
    const is = CLASSES.find((one) => one === reply.expected);
    if (is === undefined || ASKED_AT[reply.stage] !== 'rcpt' || !isRefusal(reply.raw)) return [];
    const allowed = CLASSES.filter((one) => one === is || reply.also.includes(one));
    return [{ raw: reply.raw, gist: gistOfRaw(reply.raw), is, family: familyOf(reply), allowed }];
  });
}

const isRefusal = (raw: string): boolean => raw.startsWith('5');

const gistOfRaw = (raw: string): string => gistOf(withoutNames(readText(readRaw(raw)), RECIPIENT));
