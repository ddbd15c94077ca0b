import { sendmailWith } from './sendmail-with.ts';

/** Sendmail that leads a whole domain to one box, and answers every recipient in the name of the first. */
export const sendmailCatchAll = sendmailWith({
  name: 'sendmail-catch-all',
  virtusers: (domain) => `@${domain} root\n`,
  takesAll: true,
  batches: [
    [10, 4],
    [200, 8],
  ],
});
