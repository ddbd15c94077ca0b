/** What a receiver's own code says: of us, of a limit that we reached, or of the mailbox. */
type Says = 'tagus' | 'taglimit' | 'tagbox' | 'tagfull';

type ProviderCode = { readonly says: Says; readonly of: string; readonly pattern: RegExp; readonly source: string };

const NETEASE = 'https://help.163.com/09/1224/17/5RAJ4LMH00753VB8.html, Coremail uses the same letters';
const ORANGE = 'https://postmaster.orange.fr and the words beside the codes, which are in two languages';
const MICROSOFT =
  'https://learn.microsoft.com/exchange/mail-flow-best-practices/use-directory-based-edge-blocking and postmaster.live.com';

/**
 * Codes of large receivers, spelt as they send them. The words beside a code say the same where there are any: the table
 * decides where there are none, or where they are ambiguous.
 */
export const PROVIDER_CODES: readonly ProviderCode[] = [
  { says: 'taglimit', of: 'NetEase', pattern: /\bRP:(?:DRC|CCL|CEL|QRC|TRC|RCL)\b/g, source: NETEASE },
  { says: 'tagfull', of: 'NetEase', pattern: /\bRP:UQT\b/g, source: NETEASE },
  { says: 'tagus', of: 'NetEase', pattern: /\b(?:HL|MI|DT|WM|RP|IC):[A-Z]{3}\b/g, source: NETEASE },
  { says: 'tagbox', of: 'Orange, La Poste', pattern: /\b(?:OFR|LPN)\w{0,4}_4(?:16|20|26)\b/g, source: ORANGE },
  { says: 'tagfull', of: 'Orange, La Poste', pattern: /\b(?:OFR|LPN)\w{0,4}_417\b/g, source: ORANGE },
  { says: 'tagus', of: 'Orange, La Poste', pattern: /\b(?:OFR|LPN)\w{0,4}_(?:1|5)\d\d\b/g, source: ORANGE },
  {
    says: 'tagus',
    of: 'Vade, for Open-Xchange',
    pattern: /\bOXS(?:US|EU)\d{4}_1\d\d\b/g,
    source: 'https://postmaster-oxsus.vadesecure.com/',
  },
  {
    says: 'tagbox',
    of: 'Daum, Kakao',
    pattern: /\bRUSR\b/g,
    source: 'the words beside the code; reports of senders such as https://oliveit.tistory.com/39',
  },
  { says: 'tagbox', of: 'Exchange Online', pattern: /\bAS\(201806281\)/g, source: MICROSOFT },
  {
    says: 'tagbox',
    of: 'Yandex',
    pattern: /\bPolicy rejection on the target address\b/g,
    source: 'https://yandex.com/support/mail/bounces/yandex.html: the account was blocked',
  },
  {
    says: 'tagus',
    of: 'Outlook.com',
    pattern: /\b(?:S3(?:140|150)|(?:SC|DY|OU|RP|CO)-00\d)\b/g,
    source: MICROSOFT,
  },
  {
    says: 'tagus',
    of: 'Yahoo, AOL',
    pattern: /\b(?:TSS?\d\d|IPTS\d\d|(?:DNY|RLY|HVU|DYN|RTR|CON):[A-Z0-9]{2,4})\b/g,
    source: 'https://senders.yahooinc.com/smtp-error-codes/ and the AOL postmaster pages before it',
  },
  {
    says: 'tagus',
    of: 'Cox',
    pattern: /\bAUP#\w{2,8}/g,
    source: 'https://www.cox.com/residential/support/email-error-codes.html',
  },
  {
    says: 'tagus',
    of: 'Comcast',
    pattern: /\b(?:BL|RL|DM)0000\d{1,2}\b/g,
    source: 'https://postmaster.comcast.net/smtp-error-codes.php',
  },
  {
    says: 'tagus',
    of: 'AT&T',
    pattern: /\bDNSBL:\w{2,12}/g,
    source: 'the words beside the code: `DNSBL:ATTRBL 521 < IP >_is_blocked`',
  },
];

const ANY_CODE = new RegExp(PROVIDER_CODES.map(({ pattern }) => pattern.source).join('|'));

/** Puts the stand-in of what it says in each code's place. */
export function tagProviderCodes(text: string): string {
  if (!ANY_CODE.test(text)) return text;
  return PROVIDER_CODES.reduce((tagged, { pattern, says }) => tagged.replace(pattern, ` ${says} `), text);
}
