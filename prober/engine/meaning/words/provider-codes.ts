/** The subject of a receiver's own code: us, a limit that we reached, or the mailbox. */
type Says = 'tagus' | 'taglimit' | 'tagbox' | 'tagfull';

/**
 * Codes of large receivers, spelled as they send them. The words beside a code say the same if there are any: the table
 * decides if there are none, or if they are ambiguous.
 */
const PROVIDER_CODES: readonly (readonly [Says, RegExp])[] = [
  // NetEase, and Coremail: https://help.163.com/09/1224/17/5RAJ4LMH00753VB8.html
  ['taglimit', /\bRP:(?:DRC|CCL|CEL|QRC|TRC|RCL)\b/g],
  ['tagfull', /\bRP:UQT\b/g],
  ['tagbox', /\bRC:(?:NE|LD)\b/g],
  ['tagus', /\b(?:HL|MI|DT|WM|RP|IC):[A-Z]{3}\b/g],
  // Orange and La Poste: https://postmaster.orange.fr, and the words beside the codes, in two languages
  ['tagbox', /\b(?:OFR|LPN)\w{0,4}_4(?:16|20|26)\b/g],
  ['tagfull', /\b(?:OFR|LPN)\w{0,4}_417\b/g],
  ['tagus', /\b(?:OFR|LPN)\w{0,4}_(?:1|5)\d\d\b/g],
  // Vade, for Open-Xchange: https://postmaster-oxsus.vadesecure.com/
  ['tagus', /\bOXS(?:US|EU)\d{4}_1\d\d\b/g],
  // SimpleLogin: https://github.com/simple-login/app/blob/master/app/email/status.py
  ['tagbox', /\bSL E5(?:02|04|1[045678]|20)\b/g],
  // Daum and Kakao: the words beside the code, and senders' reports such as https://oliveit.tistory.com/39
  ['tagbox', /\bRUSR\b/g],
  // Exchange Online: https://learn.microsoft.com/exchange/mail-flow-best-practices/use-directory-based-edge-blocking
  ['tagbox', /\bAS\(201806281\)|\b5\.4\.1 [^\n]{0,60}recipient address(?:es)? rejected ?: Access denied/gi],
  // Yandex has blocked the account: https://yandex.com/support/mail/bounces/yandex.html
  ['tagbox', /\bPolicy rejection on the target address\b/g],
  // Outlook.com: postmaster.live.com
  ['tagus', /\b(?:S3(?:140|150)|(?:SC|DY|OU|RP|CO)-00\d)\b/g],
  // Yahoo and AOL: https://senders.yahooinc.com/smtp-error-codes/ and the AOL postmaster pages before it
  ['tagus', /\b(?:TSS?\d\d|IPTS\d\d|(?:DNY|RLY|HVU|DYN|RTR|CON):[A-Z0-9]{2,4})\b/g],
  // Cox: https://www.cox.com/residential/support/email-error-codes.html
  ['tagus', /\bAUP#\w{2,8}/g],
  // Comcast: https://postmaster.comcast.net/smtp-error-codes.php
  ['tagus', /\b(?:BL|RL|DM)0000\d{1,2}\b/g],
  // AT&T: `DNSBL:ATTRBL 521 < IP >_is_blocked`
  ['tagus', /\bDNSBL:\w{2,12}/g],
];

/** Replaces each code by the placeholder of its meaning. */
export function tagProviderCodes(text: string): string {
  return PROVIDER_CODES.reduce((tagged, [says, code]) => tagged.replace(code, ` ${says} `), text);
}
