import type { Recipient } from '../../ports/ports.ts';
import { type Reply, REPLY_BOUNDS } from '../../smtp/wire/reply.ts';
import { inItsCharset } from './charset.ts';
import { fold } from './fold.ts';
import { markLines, markRequests, withoutRequests } from './footer.ts';
import { canonical, spaceOutCjk } from './lexicon.ts';
import { maskHosts, maskLinks } from './masks.ts';
import { tagProviderCodes } from './provider-codes.ts';
import { ELSEWHERE, maskRecipient } from './recipient-names.ts';

const LINES_MAX = 20;
const TEXT_CHARS = REPLY_BOUNDS.readChars;

/** RFC 5321's own text for 550: if more lines follow, they give the reason. */
const RECITED = /^(?:[245]\.\d\.\d{1,3} )?requested (?:mail )?action not taken: mailbox unavailable\.?\s*$/i;
/** A line that only says where to read on. */
const ONLY_A_LINK = /^[^.:]{0,80}?(?:https?:\/\/|www\.)\S+\s*$/i;

/** Whether a reply is read completely. The unread part of a longer one may say that it is about us. */
export function isReadWhole({ lines }: Reply): boolean {
  return lines.length <= LINES_MAX && lines.reduce((chars, line) => chars + line.length + 1, 0) <= TEXT_CHARS;
}

/** The text of a reply that is read: all lines joined; the beginning if there are too many or too long ones. */
export function readText({ lines }: Reply): string {
  const told = lines.length > 1 && RECITED.test(lines[0] ?? '') ? explained(lines) : lines;
  return inItsCharset(told.slice(0, LINES_MAX).join('\n').slice(0, TEXT_CHARS));
}

/** What follows a quoted line, if it is more than a link. */
function explained(lines: readonly string[]): readonly string[] {
  const rest = lines.slice(1);
  return rest.some((line) => line.trim() !== '' && !ONLY_A_LINK.test(line)) ? rest : lines;
}

/**
 * The text without links, addresses and the recipient's own name, all of which someone may choose.
 * @param sender our envelope sender: a statement about it is about us
 * @param keepsWords see `maskRecipient`
 */
export function withoutNames(text: string, recipient?: Recipient, sender?: string, keepsWords = false): string {
  const named = maskRecipient(maskLinks(text), { recipient, sender, keepsWords });
  // The recipient's own domain has its placeholder by now.
  return recipient === undefined || !HAS_HOST.test(named) ? named : named.replace(OTHER_HOST, `$1$2${ELSEWHERE}`);
}

/** Few replies name a host, and looking for one costs more than all else if there is none. */
const HAS_HOST = /[\w-]\.[a-z]/i;

/** `example.org is not a local user`: a statement about a host other than the recipient's domain. */
const OTHER_HOST =
  /((?:^|[\n;!]|\.\s|\b(?:host|hostname|server)\s)\s{0,4}["'<]?)(?:[\w-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}(?=>?\s+(?:is|isn't|was|are|does|doesn't|has|not|unknown)\b)|(\bdomain:?\s["'<]?)(?:[\w-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}/gi;

/** `destin. sconosciuto`: the dot of an abbreviation ends no sentence. */
const CUT_SHORT = /\b(destin|dest|recip|rcpt|addr|acct|usr|util|utiliz|empf|mailb|no)\.(?= \p{L})/giu;

const WORD = /[a-zß-\u{10ffff}]+|\d+|\.(?!\.)|[!?;]/gu;
/** `4F2user-unknown7`, `2026-11-24T20:04:23.000Z`: ids and times, which differ in every reply, and whose letters mean nothing. */
const LONG = /(?<![\w-])[a-z\d-]{12,}(?:[:.]\d[\d:.]*Z?)?(?!\w)/gi;
const IS_ID = /\d[a-z]|[a-z]\d/i;

/** Postfix asked the server behind it, whose words decide: `undeliverable address` says no more than they do. */
const ASKED_BEHIND = /\bundeliverable address: host\s[^\n]{1,200}? said:/gi;

/** `unknown RCPT`: the verb, and no recipient, unless an address follows. */
const VERB =
  /(?<!\baddress in )\bRCPT(?: TO)?\b(?! TO\b)(?!:?\s{0,2}[(<"']{0,2}\s{0,2}addr\b|:? (?:address|domain|command))/g;

/** How many recipients a message or a session may have, as opposed to how much one recipient's mailbox holds. */
const RECIPIENTS =
  '(?:rcpts?(?: to\\b:?)?|recipients|destinat(?:[aá]rios|aires|ari)|empf(?:ä|ae?)nger\\p{L}{0,2}|ontvangers|odbiorców|получателей)';
const LIMIT_OF_RECIPIENTS = new RegExp(
  `(?<!\\p{L})(?:max\\p{L}*\\.?|massimo|máximo|limit\\p{L}*|number|nombre|n[uú]mero|anzahl|aantal|liczb\\p{L}|число|count|more than \\d+|only \\d+)(?: (?!size|quota|storage|space)\\p{L}{1,12}){0,3} ${RECIPIENTS}(?!\\p{L})|(?<!\\p{L})(?:${RECIPIENTS}|recipient)[- ]?(?:limit|count|max)\\p{L}*`,
  'giu',
);

/** "Or" that is no word of its own, or a letter that other languages need for an article. */
const OR =
  /(?<=(?:conocid|exist|esist|sconosciut|llen|pien|superad|exced|agotad|trovat|encontrad)\p{L}{1,4}) [oó] (?=\p{L})| ή | \/ |(?<=\bfull)\/(?=\p{L})|\/(?=full\b)|(?<=[いた])か、|或者?|または|또는/giu;

/** RFC 5321's opening of many replies: its `not` belongs to no neighbouring word. */
const NOT_TAKEN = /\brequested (?:mail )?action not taken\b/gi;

/** A question is no statement, nor is a condition that ends in its `if`. A `?` within a word is a letter that was lost on the way. */
const QUESTION = /(?<=^|[.,!?;\n]\s{0,4})[^.,!?;\n]{1,200}(?:\S\?(?=\s|$)|\s\?\s*(?=\n|$)|場合|경우)/g;

/** `mailbox user unknown`, `e-mail recipient`: two nouns for one thing. */
const REPEATED_BOX = /(?: EMAIL)?(?: BOX){1,8} /g;

/** `votre compte`, `ο λογαριασμός σας`, and at the start of a sentence `su cuenta`, which is another's anywhere else. */
const OUR_ADDRESS = /(?: yours|(?<=^|\.|CHECK|^ gone) theirs) BOX(?= )| BOX yours(?= )/g;
const OUR_DOMAIN = /(?: yours|(?<=^|\.) theirs) (?:DOMAIN|HOST)(?= )| (?:DOMAIN|HOST) yours(?= )/g;

/** A text without names, also without ids and times: what is left is the same in all such replies of a server. */
export function withoutIds(named: string): string {
  return named.replace(LONG, (word) => (IS_ID.test(word) ? ' ' : word));
}

/**
 * The gist of a text without names: its words in order, each replaced by the one English word that represents it and
 * its equivalents in all languages, host names by placeholders, fillers left out. Starts and ends with a space; `.`
 * ends a sentence, the last one too.
 *
 * @example gistOf(withoutNames('<a@b.example>: Utilisateur inconnu')) // ' addr BOX gone . '
 */
export function gistOf(named: string): string {
  const text = maskHosts(tagProviderCodes(withoutIds(named).replace(ASKED_BEHIND, ' said ')))
    .replace(LIMIT_OF_RECIPIENTS, ' taglimit ')
    .replace(VERB, ' command ')
    .replace(OR, ' or ');
  const parted = text
    .replace(NOT_TAKEN, ' ; ')
    .replace(QUESTION, ' maybe $&')
    .replace(CUT_SHORT, '$1')
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ');
  const folded = fold(markLines(parted))
    .slice(0, 2 * TEXT_CHARS)
    .replace(/n't\b/g, ' not')
    .replace(/\bnoone\b/g, 'no one');
  const tokens = spaceOutCjk(markRequests(folded)).match(WORD) ?? [];
  const gist = ` ${canonical(tokens).join(' ')} . `.replace(REPEATED_BOX, ' BOX ');
  return withoutRequests(gist)
    .replace(OUR_ADDRESS, ' SENDER')
    .replace(OUR_DOMAIN, ' CLIENT')
    .replaceAll(' theirs ', ' ');
}

/** Nouns and requests to try again, with nothing stated about them. */
const NO_STATEMENT =
  /^(?: (?:BOX refused|BOX|MSG|EMAIL|INFRA|HOST|DOMAIN|addr|fqdn|for|here|exist|virtual|exceeded|please|sorry|try|again|temporarily|retry|\.)(?= ))* $/;

/** Whether nothing is left of a text without names: then a word that was taken for one is the server's own. */
export const saysNothing = (gist: string): boolean => NO_STATEMENT.test(gist);
