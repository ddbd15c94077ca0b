// What stands under a refusal of a mailbox and tells whom to ask: a server says it in every reply, so it says nothing of this one.

/** Nouns and words about us in a gist: where one stands ahead of the footer, the reply is about us, and nothing of it is left out. */
export const ABOUT_US =
  'SENDER|CLIENT|IP|HELO|RDNS|LIST|SPF|SPAM|AUTH|TLS|RATE|MANY|REPUTE|RELAY|POLICY|TAG[A-Z]+|you|your|from|CHECK';
/** A plain statement that there is no such mailbox, with nothing about us in or before it, to the end of its sentence. */
const NO_SUCH_FIRST = new RegExp(
  `^ (?:(?!(?:${ABOUT_US}|if|contact|BOX) )[^ ]+ ){0,12}BOX (?:(?!(?:${ABOUT_US}|or|if|contact) )[a-z]+ ){0,3}?(?:gone|not (?:such )?exist) (?:(?!(?:${ABOUT_US}|or|if|contact|\\.) )[^ ]+ ){0,12}\\. `,
);
/** Words that a footer begins with. */
const FOOTER =
  / (?:if|contact|assistance|help|questions?|support|information|details|report|mistake|problems|visit|call) /;
/** Only a statement: `if you think that your host is blocked` is none. */
const CONDITION = / if [^.;]{0,300}? (?=\.)/g;
const BLAME =
  /(?<= )(?:LIST|REPUTE|RATE|MANY|RDNS|SPF|SPAM|AUTH|TAG[A-Z]+|refused|blocked|listed|restricted|bad|exceeded|required|failed)(?= )/g;

/** Lines end no sentence, so a condition may have run on into a statement: two words of blame in it are one too many. */
function blames(footer: string): boolean {
  const stated = footer.replace(CONDITION, (condition) =>
    (condition.match(BLAME) ?? []).length > 1 ? condition : ' ',
  );
  return stated.search(BLAME) >= 0;
}

/**
 * A gist without its footer, where a plain "no such mailbox" stands before it and the footer blames nobody. All others stay as
 * they are: whatever a footer says of us counts, unless it is a condition.
 *
 * @example withoutFooter(' BOX gone . contact postmaster if IP blocked . ') // ' BOX gone . '
 */
export function withoutFooter(gist: string): string {
  const first = NO_SUCH_FIRST.exec(gist)?.[0];
  if (first === undefined || first.length === gist.length) return gist;
  const rest = ` ${gist.slice(first.length)}`;
  const at = FOOTER.exec(rest)?.index;
  if (at === undefined || blames(rest)) return gist;
  return first.trimEnd() + rest.slice(0, at + 1);
}

/** `time (Nov 22), client (192.0.2.1) and server (mx)`: Postfix's own example of a footer, smtpd_reject_footer in postconf(5). */
const ITEM = '\\b(?:time|client|server|host|sender|recipient|ip|helo|queue ?id|id|session|port|protocol) ?';
const LISTING = new RegExp(
  `(?:${ITEM}(?:\\([^()\\n]{0,80}\\)|[=:] ?[^\\s,;]{1,80})(?:\\s*(?:,|;|and|\\.)\\s*){0,3}){2,8}`,
  'gi',
);

/** Most replies have none: looking for two values is much cheaper. */
const TWO_VALUES = /[(=:][^(=:]{1,99}[(=:]/;

/** Takes out lists of who asked when: two or more items, each a word and its value. */
export function withoutListings(text: string): string {
  return TWO_VALUES.test(text) ? text.replace(LISTING, ' ') : text;
}
