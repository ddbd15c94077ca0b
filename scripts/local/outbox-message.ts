import type { OutboxMail } from '../../edge/local/outbox.ts';

// What `npm start` shows of a mail that live would have gone out: whom it is to, what it is about, and its link. It is
// shown and kept nowhere.

const LINK = /^https?:\/\/\S+$/m;

/** What a newcomer reads. */
export function mailText({ to, subject, text }: OutboxMail): string {
  const link = LINK.exec(text)?.[0];
  return `\nMail to ${to}: ${subject}\n${link === undefined ? '' : `\n  ${link}\n`}`;
}

/** What other programs read: one line of JSON for each mail. */
export function mailJson({ to, subject, text }: OutboxMail): string {
  return `${JSON.stringify({ mail: { to, subject, link: LINK.exec(text)?.[0] ?? null } })}\n`;
}
