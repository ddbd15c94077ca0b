import { canonical, spaceOutCjk } from './lexicon.ts';
import { maskNames, type Stand } from './masks.ts';
import type { Reply } from '../reply.ts';

const LINE_CHARS = 600;
const LINES_FIRST = 16;
const LINES_LAST = 4;
const TEXT_CHARS = 2_000;

const BLOCK_LIST_NAME =
  /spamhaus|spamcop|sorbs|barracuda(?:central|networks)|abusix|cloudmark|abuseat|uceprotect|invaluement|backscatterer|mailspike|surriel|senderscore|dnsbl|dnswl|(?:^|[./-])(?:rbl|[a-z]bl|bl|blacklist|blocklist|bl-\w+)\b/i;

const GREYLIST_NAME = /gr[ea]y-?list|postgrey/i;

/** Codes of large receivers for "we refuse you": AOL, Yahoo, Outlook.com, and NetEase, whose `RC:` alone is about the recipient. */
const PROVIDER_TAG =
  /\b(?:(?:HL|MI|DT|WM|RP|IC):[A-Z]{3}|(?:DNY|RLY|HVU|DYN|RTR|CON):[A-Z0-9]{2,4}|TSS?\d\d|IPTS\d\d|S3(?:140|150)|(?:SC|DY|OU|RP|CO)-00\d)\b/g;

const STAND: Stand = {
  link: (text) => (GREYLIST_NAME.test(text) ? ' greylist ' : BLOCK_LIST_NAME.test(text) ? ' blocklist ' : ' url '),
  host: (text) => (BLOCK_LIST_NAME.test(text) ? ' blocklist ' : ' fqdn '),
  address: ' addr ',
  ip: ' ipnumber ',
};

/** The text that is read of a reply: all lines in one, the first and the last few where there are too many. */
export function readText(reply: Reply): string {
  const lines =
    reply.lines.length <= LINES_FIRST + LINES_LAST
      ? reply.lines
      : [...reply.lines.slice(0, LINES_FIRST), ...reply.lines.slice(-LINES_LAST)];
  return lines
    .map((line) => line.slice(0, LINE_CHARS))
    .join('\n')
    .slice(0, TEXT_CHARS);
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
  const masked = maskNames(text.replace(PROVIDER_TAG, ' providertag '), STAND)
    .replace(/([a-z]\.)(?=[A-Z][a-z])/g, '$1 ')
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ');
  const folded = fold(masked).replace(/n't\b/g, ' not');
  return ` ${canonical(spaceOutCjk(folded).match(WORD) ?? []).join(' ')} . `;
}
