import { postfixWith } from './postfix-with.ts';

/** Takes six connections a minute, that of the test's own start among them, and says `421 … too many connections`. */
export const postfixByTheMinute = postfixWith({
  name: 'by-the-minute',
  programs: [],
  options: (at) => ({
    smtpd_client_connection_rate_limit: '6',
    virtual_mailbox_domains: `regexp:${at.folder}/etc/domains`,
  }),
  apart: true,
  batches: [[30, 14]],
});
