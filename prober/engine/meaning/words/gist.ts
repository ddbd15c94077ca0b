import { canonical, spaceOutCjk } from './lexicon.ts';
import { maskNames, type Stand } from './masks.ts';
import type { Reply } from '../../wire/reply.ts';

const LINE_CHARS = 600;
const LINES_FIRST = 16;
const LINES_LAST = 4;
const TEXT_CHARS = 2_000;

/** By name, or by a label such as `rbl` with a whole domain behind it: `pbl.nl` is a domain like any other. */
const BLOCK_LIST_NAME =
  /spamhaus|spamcop|sorbs|barracuda(?:central|networks)|abusix|cloudmark|abuseat|uceprotect|invaluement|backscatterer|mailspike|surriel|senderscore|dnsbl|dnswl|bl(?:ac|oc)klist|(?:^|[./])(?:[a-z]?bl|bl-\w+)\.[\w-]+\.[a-z]/i;
const BLOCK_LIST_LINK = /[/=-](?:rbl|bl)\d*\b/i;

const GREYLIST_NAME = /gr[ea]y-?list|postgrey/i;

/** Codes of large receivers for "we refuse you": AOL, Yahoo, Outlook.com, and NetEase, whose `RC:` alone is about the recipient. */
const PROVIDER_TAG =
  /\b(?:(?:HL|MI|DT|WM|RP|IC):[A-Z]{3}|(?:DNY|RLY|HVU|DYN|RTR|CON):[A-Z0-9]{2,4}|TSS?\d\d|IPTS\d\d|S3(?:140|150)|(?:SC|DY|OU|RP|CO)-00\d)\b/g;

const STAND: Stand = {
  link: standForLink,
  host: (text) => (BLOCK_LIST_NAME.test(text) ? ' blocklist ' : ' fqdn '),
  address: ' addr ',
  ip: ' ipnumber ',
};

function standForLink(link: string): string {
  if (GREYLIST_NAME.test(link)) return ' greylist ';
  return BLOCK_LIST_NAME.test(link) || BLOCK_LIST_LINK.test(link) ? ' blocklist ' : ' url ';
}

/** RFC 5321's own text for 550. Where more lines follow, they say why, and the recited one says nothing. */
const RECITED = /^(?:[245]\.\d\.\d{1,3} )?requested (?:mail )?action not taken: mailbox unavailable\.?\s*$/i;

/** The text that is read of a reply: all lines in one; of too many or too long ones the beginning and the end. */
export function readText(reply: Reply): string {
  const told = reply.lines.length > 1 && RECITED.test(reply.lines[0] ?? '') ? reply.lines.slice(1) : reply.lines;
  const read =
    told.length <= LINES_FIRST + LINES_LAST ? told : [...told.slice(0, LINES_FIRST), ...told.slice(-LINES_LAST)];
  const text = read.map((line) => line.slice(0, LINE_CHARS)).join('\n');
  return text.length <= TEXT_CHARS ? text : `${text.slice(0, TEXT_CHARS - LINE_CHARS)}\n${text.slice(-LINE_CHARS)}`;
}

const WORD = /[a-zß-\u{10ffff}]+|\d+|\.(?!\.)|[!?;]/gu;
const NOT_ASCII = /[^\0-\x7f]/;

/** Lower case without accents, so that a server's own transliterations and its proper spelling meet. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘´]/g, "'")
    .replace(/。/g, '. ')
    .replace(/[\u2000-\u206f\u3000-\u303f]/g, ' ')
    .replace(/[ßæøđł]/g, (letter) => ({ ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l' })[letter] ?? letter);
}

/**
 * The gist of a text: its words in order, each replaced by the one English word that stands for it and its kin in all
 * languages, names replaced by stand-ins, fillers left out. Starts and ends with a space; `.` ends a sentence, the last one too.
 *
 * @example gistOf('<a@b.example>: Utilisateur inconnu') // ' addr BOX gone . '
 */
export function gistOf(text: string): string {
  const template = templateOf(text);
  if (template === null) return readGist(text);
  const known = gists.get(template);
  if (known !== undefined) return known;
  if (gists.size >= GISTS_MAX) gists.clear();
  const gist = readGist(text);
  gists.set(template, gist);
  return gist;
}

/** Servers say the same words of every address: those whose only name is one plain address are read once. */
const gists = new Map<string, string>();
const GISTS_MAX = 500;
const PLAIN_ADDRESS = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

/** The text with its address cut out, where nothing else in it depends on that address; null where something may. */
function templateOf(text: string): string | null {
  const from = text.indexOf('<');
  const to = text.indexOf('>', from);
  if (from < 0 || to < 0) return null;
  const address = text.slice(from + 1, to);
  if (!PLAIN_ADDRESS.test(address)) return null;
  const template = `${text.slice(0, from)}<>${text.slice(to + 1)}`;
  const local = localPartOf(text);
  return template.includes('@') || (local !== null && template.toLowerCase().includes(local)) ? null : template;
}

function readGist(text: string): string {
  const masked = maskNames(text.replace(PROVIDER_TAG, ' providertag '), STAND)
    .replace(/([a-z]\.)(?=[A-Z][a-z])/g, '$1 ')
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ');
  const folded = fold(masked)
    .slice(0, 2 * TEXT_CHARS)
    .replace(/n't\b/g, ' not');
  const tokens = spaceOutCjk(folded).match(WORD) ?? [];
  return ` ${canonical(tokens, localPartOf(text)).join(' ')} . `;
}

/** The local part of the first address in the text: servers repeat it as a word, and `abuse` or `spam` would speak of us. */
function localPartOf(text: string): string | null {
  const at = text.indexOf('@');
  return at < 1 ? null : (/[a-z]{2,64}$/i.exec(text.slice(Math.max(0, at - 64), at))?.[0].toLowerCase() ?? null);
}
