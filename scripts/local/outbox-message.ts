import type { OutboxMail } from '../../edge/local/outbox.ts';

// What `npm start` shows of a mail that production would send: recipient, subject and link. It is
// shown and kept nowhere.

const LINK = /^https?:\/\/\S+$/m;

/** For people. */
export function mailText({ to, subject, text }: OutboxMail): string {
  const link = LINK.exec(text)?.[0];
  return `\nMail to ${to}: ${subject}\n${link === undefined ? '' : `\n  ${link}\n`}`;
}

/** For programs: one line of JSON per mail. */
export function mailJson({ to, subject, text }: OutboxMail): string {
  return `${JSON.stringify({ mail: { to, subject, link: LINK.exec(text)?.[0] ?? null } })}\n`;
}
