import { isResultColumn } from '../lists/columns/result-columns.ts';

// What a row of a mailing tool's export says: a hard or a soft bounce, a bounce of no said kind, or no bounce at all. The tool's
// own word comes first, then the enhanced status code, then the reply code: the first digit says what is permanent.

export type BounceKind = 'hard' | 'soft' | 'unspecified';
type Said = BounceKind | 'no bounce';

/** Words in the name of a column about a bounce; a name with any other word (`Employment type`, `Postal code`) is another's. */
const TOKENS =
  wordsOf(`bounce bounced bounces type sub subtype status state st code reason category class classification
  event action notification severity diagnostic description detail details error response reply message text smtp failure failed
  result enhanced extended raw full delivery dsn mail email last server remote host hs enum hard soft portal global count total
  typ art grund fehler fehlercode meldung statut raison motif erreur motivo tipo razon causa estado stato codice codigo reden
  de del des di do rebond rebonds rebote rebotes rimbalzo rejeicao devolucion bouncetyp bounceart bouncegrund bouncetype`);
/** Of these the cell says what happened; of others that are about bounces it says whether. */
const WHAT =
  wordsOf(`type subtype status state code reason category class classification event action severity diagnostic
  description detail details error response reply message text result
  typ art grund fehler meldung statut raison motif erreur motivo tipo razon causa estado stato codice codigo reden`);
/** In these an event may be none of ours. */
const EVENT = /\b(?:event|type|action|status|state|st|notification|result|reason|typ|tipo|art|statut|estado|stato)\b/;

const FAILS = 'bounce|bounced|bounces|fail|failed|failure|error';
const FAILS_ELSEWHERE = 'rebote|rebond|rimbalzo|error|erreur|errore|echec';
const HARD = new RegExp(
  `^(?:hard ?bounced?\\b.*|(?:hard|permanent|permanently)(?: (?:${FAILS}))?|bounced hard|hb|(?:${FAILS_ELSEWHERE}) (?:duro?|permanente?|definitif|definitiv[ao])|harter bounce|(?:bad|invalid|non ?existent|unknown)(?: (?:email|address|email address|recipient|mailbox|user|domain))|user unknown|no (?:email|such (?:user|mailbox|recipient))|mailbox (?:not found|does not exist)|syntax(?: error)?|dns error|dauerhaft|hart|duro?|permanente?|definitif|definitivo)$`,
);
const SOFT = new RegExp(
  `^(?:soft ?bounced?\\b.*|(?:soft|transient|temporary|temporarily)(?: (?:${FAILS}))?|bounced soft|sb|(?:${FAILS_ELSEWHERE}) (?:suave|blando|mou|temporaire|temporal|temporane[ao]|temporari[ao])|weicher bounce|(?:isp )?block(?:ed|s)?(?: (?:${FAILS}))?|technical bounce|spam notification|mailbox full|full mailbox|(?:over|exceeded) quota|quota exceeded|weich|zacht|suave|blando|mou|temporar|temporaire|temporal|temporaneo|temporari[ao])$`,
);
const NO_BOUNCE =
  /^(?:delivered|delivery|(?:first |unique |proxy )?(?:open|opened|opens|opening|click|clicked|clicks)|processed|sent|send|requests?|queued|accepted|deferred|deferral|delayed|delivery delay|(?:group )?(?:unsubscribed?|unsubscribes|resubscribe|subscribed?)|subscription|spam|spam ?report|(?:spam )?complain(?:t|ts|ed)|auto ?(?:responder|reply)|vacation(?: auto ?reply)?|out of office|loaded by proxy|address change|challenge verification|manually deactivated|zugestellt|geoffnet|geklickt|abgemeldet|entregad[ao]|entregue|abiert[ao]|delivre|livre|ouvert|clique|desabonne|consegnat[ao]|apert[ao]|bezorgd|afgeleverd|geopend|(?:mta )?dropped|not sent|unbounce)$/;
/** A column with such a cell says what happened; these other words are bounces, too. */
const BOUNCED = /^bounce[ds]?$/;
const FAILED = /bounce|fail|error|reject|block|invalid|suppress|undeliver|unknown/;
/** In a column that says whether: everything else is a yes, a date or a reason too. */
const NO = /^(?:|0|-|no|n|false|none|null|never|n a|nein|non|not bounced)$/;

/** RFC 3463, not in an IP address or a version. */
const ENHANCED = /(?<![\d.])([245])\.\d{1,3}\.\d{1,3}(?!\.?\d)/;
/** RFC 5321: at the beginning, or where a server is quoted. */
const REPLY = /(?:^|[;:"(] ?|\b(?:code|error|said|smtp) )([245])[0-5]\d(?=$|[\s\-,;:.)"])/i;
const DIGITS = { '2': 'no bounce', '4': 'soft', '5': 'hard' } as const;
/** Of a cell; a quoted message may be of any length. */
const CELL_MAX = 2_000;

type Sample = ReadonlyArray<readonly string[]>;
type Column = {
  readonly place: number;
  readonly name: string;
  /** If the column says whether: what a yes means. */
  readonly yes: BounceKind | null;
  /** In some rows it says `bounced`: in others it says what happened instead. */
  readonly isOutcome: boolean;
};

/**
 * Which columns of an export are about bounces. Ours of an earlier run, which the tool may have kept, are not. Pure.
 * @param names null: the list names none, and any column may be
 */
function columnsIn(names: readonly string[], hasHeader: boolean, sample: Sample): readonly Column[] {
  return names.flatMap((given, place) => {
    const name = fold(given);
    const words = name.split(' ');
    if (!hasHeader) return [{ place, name: 'type', yes: null, isOutcome: false }];
    if (isResultColumn(given) || !words.every((word) => TOKENS.has(word))) return [];
    const isOutcome =
      EVENT.test(name) && sample.some((cells) => BOUNCED.test(fold((cells[place] ?? '').slice(0, CELL_MAX))));
    return [{ place, name, yes: /\bbounce[ds]?\b/.test(name) ? yesOf(words) : null, isOutcome }];
  });
}

const ABOUT = /bounc|fail|diagnos|rebond|rebot|rimbalz|rejei|devoluc/;

/** Whether a column is about bounces by its name, or in some rows: else the export may be any list of addresses. */
export function isAboutBounces(names: readonly string[], sample: Sample): boolean {
  return columnsIn(names, true, sample).some(({ name, isOutcome }) => isOutcome || ABOUT.test(name));
}

/** HubSpot's `Portal Bounce` and `Global Bounce` are hard ones. */
function yesOf(words: readonly string[]): BounceKind | null {
  if (words.some((word) => word === 'hard' || word === 'portal' || word === 'global')) return 'hard';
  if (words.includes('soft')) return 'soft';
  return words.some((word) => WHAT.has(word)) ? null : 'unspecified';
}

/** Reads what rows say. `names` may grow while rows of JSON are read. @param sample rows from the top */
export function kindReader(
  names: readonly string[],
  hasHeader: boolean,
  sample: Sample,
): (cells: readonly string[]) => Said {
  let columns = columnsIn(names, hasHeader, sample);
  let known = names.length;
  return (cells) => {
    if (known !== names.length) columns = columnsIn(names, hasHeader, sample);
    known = names.length;
    return kindIn(columns, cells);
  };
}

function kindIn(columns: readonly Column[], cells: readonly string[]): Said {
  const said = columns.map((column) => {
    const cell = (cells[column.place] ?? '').slice(0, CELL_MAX);
    return { ...column, cell, words: fold(cell) };
  });
  const flags = said.filter(({ yes }) => yes !== null);
  const set = flags.filter(({ words }) => !NO.test(words)).map(({ yes }) => yes);
  if (set.includes('hard')) return 'hard';
  if (set.includes('soft')) return 'soft';
  for (const { words } of said) {
    if (HARD.test(words)) return 'hard';
    if (SOFT.test(words)) return 'soft';
  }
  if (said.some(({ name, words }) => EVENT.test(name) && NO_BOUNCE.test(words))) return 'no bounce';
  for (const form of [ENHANCED, REPLY])
    for (const { cell } of said) {
      const digit = form.exec(cell)?.[1];
      if (digit === '2' || digit === '4' || digit === '5') return DIGITS[digit];
    }
  const isElse = said.some(({ isOutcome, words }) => isOutcome && words !== '' && !FAILED.test(words));
  return isElse || (flags.length > 0 && set.length === 0) ? 'no bounce' : 'unspecified';
}

/** `HardBounce`, `hard_bounce` and `Hard bounce` are alike: words in lower case, without accents. */
function fold(text: string): string {
  const parted = text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
  const plain = parted.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
