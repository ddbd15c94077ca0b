import { fold } from '../words/fold.ts';

const WAIT_MAX_S = 31_536_000;

/** Units of time as servers write them, folded. */
const UNITS: readonly { readonly seconds: number; readonly names: string }[] = [
  {
    seconds: 1,
    names: 's|secs?|seconds?|sek|sekunden?|secondes?|segundos?|second[oi]|seconden|sekund[ya]?|секунд[ыу]?|сек|秒',
  },
  { seconds: 60, names: 'm|mins?|minutes?|minuten?|minutos?|minut[aioy]?|минут[ыу]?|мин|分钟|分鐘|分' },
  {
    seconds: 3600,
    names: 'h|hrs?|hours?|stunden?|std|heures?|horas?|or[ae]|uur|uren|godzin[ya]?|час(?:а|ов)?|小时|小時|時間',
  },
  { seconds: 86_400, names: 'd|days?|tagen?|tage?|jours?|dias?|giorn[io]|dag(?:en)?|dni|dzien|днеи|дня|день|天|日' },
];

const ANY_UNIT = UNITS.map(({ names }) => names).join('|');
const SPAN = new RegExp(
  `(?<![\\da-z:.,])(\\d{1,6}(?:[.,]\\d{1,3})?|(?:an|one)(?=[ -]))[ -]?(?:(${ANY_UNIT})(?![a-z\\u0400-\\u04ff]))`,
  'g',
);
/** `for 00:05:00`; without such a word it is a time of day. */
const CLOCK =
  /(?<=\b(?:for|in|wait|within|another|fur|dans|en|tra|fra|over|za|через) )(\d{1,3}):([0-5]\d):([0-5]\d)(?![\d:])/g;
const AND = /^(?:,? ?(?:and|und|et|e|y|en|и) |,? )$/;
const RETRY_AFTER = /retry[- ]after[: ]{1,3}(\d{1,6})\b/;

/** Words that make the following time a wait: nothing else does, "30 messages per 60 seconds" least of all. */
const WAIT_BEFORE =
  /(?:again|retry|retries|resend|wait|come back|gr[ea]y|delay|defer|blocked|later|back off|erneut|versuch|warte|reessa|patient|attend|intent|esper|tent[ea]|aguard|riprov|atten|opnieuw|wacht|prob|ponow|poczek|повтор|подожд|через|再|重试|稍后|お待ち)[^.!?\n]{0,60}$/;
const WAIT_AFTER =
  /^[^.!?\n]{0,16}(?:later|and try|and retry|before (?:re)?try|spater|spaeter|plus tard|mas tarde|mais tarde|piu tardi|pozniej|后|後)/;
const NOT_A_WAIT = /(?:since|seit|depuis|desde|per|last|past|every|each|previous|letzten|derniere?s|ultim[oi]s?) $/;

/** Words that name no time, but are known to mean one under an enhanced code. Gateways pass them on, so the host does not matter. */
const KNOWN_WAITS = [
  // Google: the mailbox exists, and gets more mail than its rate allows (https://support.google.com/a/answer/3726730).
  { enhanced: '4.2.1', words: /\breceiving mail (?:at a rate|too quickly)\b/i, waitS: 3_600 },
  // Exchange Online: the domain's tenant has no mailboxes until its owner buys some (https://github.com/customeros/mailsherpa/issues/35).
  { enhanced: '4.4.4', words: /\bno mail-enabled subscriptions?\b/i, waitS: 86_400 },
];

/**
 * The wait that is known for a deferral, in whole seconds; null if none is. @param text its words, on one line
 */
export function knownWaitS(enhanced: string | null, text: string): number | null {
  return KNOWN_WAITS.find((known) => known.enhanced === enhanced && known.words.test(text))?.waitS ?? null;
}

/** The wait that a reply's own words ask for, in whole seconds, null if they ask for none. Greylisting, RFC 6647. */
export function askedWaitS(text: string): number | null {
  const folded = fold(text);
  const header = RETRY_AFTER.exec(folded);
  const times = [...folded.matchAll(CLOCK), ...folded.matchAll(SPAN)];
  for (const [i, time] of times.entries()) {
    const end = time.index + time[0].length;
    if (!isWait(folded, time.index, time[0].length)) continue;
    const waitS = secondsOf(time);
    // "4 minutes and 30 seconds"
    const next = times[i + 1];
    const restS = next !== undefined && AND.test(folded.slice(end, next.index)) ? secondsOf(next) : 0;
    return Math.min(restS < waitS ? waitS + restS : waitS, WAIT_MAX_S);
  }
  return header === null ? null : Math.min(Number(header[1]), WAIT_MAX_S);
}

function isWait(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - 80), at);
  if (NOT_A_WAIT.test(before)) return false;
  return WAIT_BEFORE.test(before) || WAIT_AFTER.test(text.slice(at + length, at + length + 32));
}

function secondsOf([, first = '', second = '', third]: RegExpExecArray): number {
  if (third !== undefined) return Number(first) * 3600 + Number(second) * 60 + Number(third);
  const count = first === 'an' || first === 'one' ? 1 : numberOf(first);
  const unit = UNITS.find(({ names }) => new RegExp(`^(?:${names})$`).test(second));
  return Math.ceil(count * (unit?.seconds ?? 1));
}

/** `1,800` and `1.800` are thousands, `1.5` and `1,5` one and a half. */
const numberOf = (text: string): number =>
  Number(/[.,]\d{3}$/.test(text) ? text.replace(/[.,]/, '') : text.replace(',', '.'));
