import { sendmailWith } from './sendmail-with.ts';

/** Sendmail whose virtusertable leads many addresses to one box: it answers all of them in the name of the first. */
export const sendmail = sendmailWith({
  name: 'sendmail',
  virtusers: (domain) => Array.from({ length: 250 }, (_, i) => `u${i}@${domain} root\n`).join(''),
  batches: [
    [10, 6],
    [50, 14],
    [200, 40],
  ],
});
