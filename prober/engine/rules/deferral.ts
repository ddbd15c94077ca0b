import { compilePatterns } from './rule.ts';

/** Words of servers that put off strangers on purpose, in the languages in which they were seen. */
const GREYLISTING =
  /gr[ea]y[ -]?list|postgrey|list[ae] gris|lista grigia|cinzenta|greylijst|триплет|triplet|灰名单|グレーリスト/i;

const GREYLISTING_GIST = compilePatterns([
  'first time|attempt',
  'internal resource|resources temporarily gone',
  'not yet allowed',
]);

export function saysGreylisting(text: string, gist: string): boolean {
  return GREYLISTING.test(text) || GREYLISTING_GIST.test(gist);
}
