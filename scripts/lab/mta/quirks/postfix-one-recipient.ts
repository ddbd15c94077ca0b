import { postfixWith } from './postfix-with.ts';

/** Takes one recipient a message: `452 4.5.3 Error: too many recipients`. */
export const postfixOneRecipient = postfixWith({
  name: 'one-recipient',
  programs: [],
  options: () => ({ smtpd_recipient_limit: '1' }),
  batches: [
    [10, 4],
    [200, 20],
  ],
});

/** Two of them, and every mailbox exists. */
export const postfixTwoRecipients = postfixWith({
  name: 'two-recipients',
  programs: [],
  options: () => ({ smtpd_recipient_limit: '2', virtual_mailbox_maps: 'static:yes' }),
  takesAll: true,
  batches: [[200, 10]],
});
