// What codes mean if the words mean nothing. RFC 3463, its registry (RFC 5248, 7372, 7505) and what receivers use.

/** x.1.x about the recipient, disabled mailboxes, domains without a route: the mailbox takes no mail. */
const MAILBOX_STATUS = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.4', '5.1.6', '5.1.10', '5.2.1', '5.4.4', '5.4.310']);
/** x.1.x about the sender. */
const SENDER_STATUS = new Set(['5.1.7', '5.1.8']);
/** An unknown command (RFC 3463 §3.6); a name that is not ASCII, and no way to send it there (RFC 6531, X.6.7). */
const COMMAND_STATUS = new Set(['5.5.1', '5.6.7']);
/** Codes that count even next to a refusal whose words name no one ("5.1.1 rejected"). */
const PLAIN_STATUS = new Set(['5.1.1', '5.1.6', '5.1.10', '5.2.2']);
/** It wants TLS or a login first, whatever its words (RFC 3207, 4954). */
const LOGIN_FIRST = new Set([523, 530, 534, 535, 538]);
/** It takes no mail from us for any mailbox (RFC 7504). */
const NO_MAIL = 521;

/** What code and enhanced code mean by themselves; null if nothing about mailbox or prober. */
export function readCodes(
  code: number,
  status: string | null,
): 'no_such_mailbox' | 'mailbox_full' | 'policy_rejected' | null {
  if ((code === NO_MAIL || LOGIN_FIRST.has(code)) && status !== '5.1.1') return 'policy_rejected';
  if (status === null) return null;
  if (MAILBOX_STATUS.has(status)) return 'no_such_mailbox';
  if (status === '5.2.2') return 'mailbox_full';
  return status.startsWith('5.7.') || isAboutSender(status) ? 'policy_rejected' : null;
}

/** "5.1.7 Invalid address" names no recipient: the code says whose address it is. */
export const isAboutSender = (status: string | null): boolean => status !== null && SENDER_STATUS.has(status);

/**
 * Whether a code is about the command, or demands a login or encryption first, so that no words call the mailbox dead.
 */
export const isAboutDialogue = (code: number, status: string | null): boolean =>
  (status !== null && COMMAND_STATUS.has(status)) || (LOGIN_FIRST.has(code) && status !== '5.1.1');

export const isPlain = (status: string | null): boolean => status !== null && PLAIN_STATUS.has(status);

const STATUS = /(?<![\d.])([245]\.\d\.\d{1,3})(?![\d.]*\d)/;

/** The enhanced status code next to the reply code, or one elsewhere in the text, as qmail writes them. */
export function findStatus(enhanced: string | null, code: number, text: string): string | null {
  const status = enhanced ?? STATUS.exec(text)?.[1] ?? null;
  return status?.startsWith(String(Math.floor(code / 100))) === true ? status : null;
}
