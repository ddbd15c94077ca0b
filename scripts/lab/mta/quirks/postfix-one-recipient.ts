import { postfixWith } from './postfix-with.ts';

/** Takes one recipient a message: `452 4.5.3 Error: too many recipients`. */
export const postfixOneRecipient = postfixWith({
  name: 'one-recipient',
  programs: [],
  options: () => ({ smtpd_recipient_limit: '1' }),
  batches: [[10, 15]],
});
