import { ROLES } from './kept-lists.ts';
import { SEPARATORS } from './role-words.ts';
import { SortedText } from '../engine/meaning/words/sorted-text.ts';

/** `info2`, `sales01`: a second mailbox of the same role. */
const COUNTER = /\d{1,2}$/;
const COUNTRY = /^[a-z]{2}$/;
/** `support-de`, but not `it-jo`: a short word before two letters may be someone's initials. */
const STANDS_BEFORE_COUNTRY = 4;
/** RFC 2142 §6, and its variants in list software and mailers. */
const LIST_MACHINERY = /^owner-.|.-(owner|request|bounces?|subscribe|unsubscribe)$/;
const NOBODY_READS = /^(no|donot|dont)(reply|response|answer|replay)|(noreply|donotreply)$/;

const LISTED = new SortedText(ROLES);

/** Whether the local part names a role or a machine, not a person. @param local as sent: lower-case, perhaps quoted */
export function isRole(local: string): boolean {
  const name = withoutTag(unquoted(local));
  if (LIST_MACHINERY.test(name)) return true;
  const joined = name.replaceAll(SEPARATORS, '');
  if (NOBODY_READS.test(joined) || isRoleWord(joined)) return true;
  const words = name.split(SEPARATORS);
  const [first = '', second = ''] = words;
  if (words.length === 2 && first.length >= STANDS_BEFORE_COUNTRY && COUNTRY.test(second)) return isRoleWord(first);
  return words.length > 1 && words.every((word) => isRoleWord(word));
}

function isRoleWord(word: string): boolean {
  if (LISTED.has(word)) return true;
  const counted = word.replace(COUNTER, '');
  return counted !== word && LISTED.has(counted);
}

function unquoted(local: string): string {
  return local.startsWith('"') ? local.slice(1, -1).replaceAll(/\\(.)/g, '$1') : local;
}

function withoutTag(name: string): string {
  const plus = name.indexOf('+');
  return plus > 0 ? name.slice(0, plus) : name;
}
