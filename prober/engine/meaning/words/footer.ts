// A footer asks people to call, to write, to give information or to read a page (Postfix: `smtpd_reject_footer`). It names
// client and server for the help desk, and states nothing about them.

const VERB =
  '(?:contact|call|phone|visit|report|see|refer|read|provide|include|give|quote|mention|tell|forward|e-?mail|write|consult|open|follow|go|reach|get in touch|raise|submit|fill in|send)';
/** The noun of the same spelling has none of these after it. */
const OBJECT =
  '(?=\\s{1,3}(?:us|the|our|your|this|that|these|them|a|an|all|to|at|with|help|support|postmaster|admin\\p{L}*|url|addr|[\\d+])(?!\\p{L}))';

/** What opens a request wherever a clause may begin, folded. */
const OPENINGS = [
  `(?:(?:you (?:may|can|could)|to) )?${VERB}${OBJECT}`,
  'for (?:more |further |any |additional |technical )*(?:assistance|help|support|information|info|details|questions|explanation)',
  '(?:bei|fur|fuer) (?:weitere )?(?:r(?:u|ue)ck)?fragen|wenden sie|kontaktieren sie|rufen sie|besuchen sie|siehe|(?:weitere|nahere|naehere|mehr) information(?:en)?',
  "(?:contacte|appele|signale|consulte|visite|indique|fournisse)z|pour (?:toute |plus |obtenir |de |d')*(?:assistance|aide|informations?|questions?)",
  'pongase en contacto|contacte|comuniquese|llame|consulte|visite|indique|entre em contat\\p{L}{1,3}|ligue|(?:para|por) (?:obtener |obter |mas |mais |cualquier )*(?:ayuda|ajuda|asistencia|assistencia|informacion|informacoes|duda)',
  '(?:contatt|chiam|visit|consult|segnal)(?:are|ate|i)|per (?:ulteriori |maggiori )?(?:assistenza|informazioni|aiuto)',
  'neem (?:a\\.?u\\.?b\\.? )?contact|bel|bezoek|raadpleeg|vermeld|voor (?:meer )?(?:hulp|informatie|vragen|ondersteuning)',
  'prosimy o kontakt|skontaktuj|zadzwon|odwiedz|zglos|kontaktujte|obratte se|navstivte|kontakta|kontakt|ring|besok|besog',
  'обратитесь|свяжитесь|сообщите|позвоните|посетите|подробнее|для получения',
];
/** Behind a word of politeness they need no clause of their own. */
const POLITE = `(?:please|kindly|pls|bitte|veuillez|por favor,?|si prega di|gelieve|prosze|пожалуиста,?) (?:also )?(?:${VERB}|kontaktieren|wenden|rufen|geben|nennen|melden|besuchen|contacter|appeler|signaler|consulter|visiter|indiquer|fournir|contact[ea]|contattare|segnalare|contact|vermelden)`;
const ASK = new RegExp(
  `(?:(?<=(?:^|[\\n.,;:!?()-])\\s{0,4})(?:${OPENINGS.join('|')})|(?<![\\p{L}\\p{N}])${POLITE})(?![\\p{L}\\p{N}])|请联系|請聯繫|請聯絡|お問い合わせ|문의`,
  'gu',
);

/** Before folding: a line that does not go on in the middle of a sentence. */
const NEW_LINE = /\n(?=\s{0,4}[^\s\p{Ll}])/gu;
export const markLines = (text: string): string => text.replace(NEW_LINE, '\n|');

/**
 * A folded text in which each request is a sentence that begins with the word `ask`, and ends with its line; `eol` is
 * where it may be another's that goes on.
 */
export const markRequests = (folded: string): string =>
  folded
    .split('\n|')
    .map((line) => {
      const marked = line.replace(ASK, ' . ask ');
      return marked === line ? line : `${marked.replaceAll('\n', ' eol ')} .`;
    })
    .join('\n');

/** With the condition that it begins with: `if you were blocked in error, write to us`. */
const REQUEST = /(?: if (?:(?!eol )[^. ]+ ){1,30}\.)? ask (?:[^. ]+ )*/g;
const CONDITION = / if (?:(?!eol )[^. ]+ )*/g;
/** With one of these it says more than where to turn: `contact your provider, its network is on our block list`. */
const STATES =
  / (?:not|gone|bad|away|refused|blocked|restricted|full|overquota|exceeded|temporarily|LIST|SPAM|POLICY|REPUTE|RDNS|SPF|AUTH|TLS|RATE|MANY|GREY|TAG[A-Z]+) /;
const EMPTY = /^[ .n]*$/;

/** A gist without its requests; unchanged if it has nothing else. */
export function withoutRequests(gist: string): string {
  if (!gist.includes(' ask ')) return gist;
  const rest = gist.replace(REQUEST, (request) => (STATES.test(request.replace(CONDITION, ' ')) ? request : ' '));
  return (EMPTY.test(rest) ? gist : rest).replace(/ (?:ask|eol)(?= )/g, '');
}
