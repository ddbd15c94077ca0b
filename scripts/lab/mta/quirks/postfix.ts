import { postfixWith } from './postfix-with.ts';

// Postfix, each time with a few settings that are not Debian's.

/** postconf(5)'s own example: every refusal ends in a line that asks for help. */
const FOOTER =
  'For assistance, call 800-555-0101. Please provide the following information in your problem report: ' +
  'time ($localtime), client ($client_address) and server ($server_name).';

export const postfixFooter = postfixWith({
  name: 'footer',
  options: () => ({ smtpd_reject_footer: FOOTER }),
  batches: { 10: 4, 50: 8, 200: 28 },
});

/** The other form of the footer: in the line of the refusal itself. */
export const postfixFooterJoined = postfixWith({
  name: 'footer-joined',
  options: () => ({ smtpd_reject_footer: `\\c. ${FOOTER}` }),
  batches: { 10: 4, 50: 8 },
});

/** Wants TLS before MAIL: `530 5.7.0 Must issue a STARTTLS command first`. */
export const postfixTls = postfixWith({
  name: 'postfix-tls',
  options: () => ({ smtpd_tls_security_level: 'encrypt' }),
  batches: { 50: 6, 200: 18 },
});

/** Takes one recipient a message: `452 4.5.3 Error: too many recipients`. */
export const postfixOneRecipient = postfixWith({
  name: 'one-recipient',
  options: () => ({ smtpd_recipient_limit: '1' }),
  batches: { 10: 4, 200: 20 },
});

/** Two of them, and every mailbox exists. */
export const postfixTwoRecipients = postfixWith({
  name: 'two-recipients',
  options: () => ({ smtpd_recipient_limit: '2', virtual_mailbox_maps: 'static:yes' }),
  takesAll: true,
  batches: { 200: 10 },
});

/** Takes six connections a minute, that of the test's own start among them, and says `421 … too many connections`. */
export const postfixByTheMinute = postfixWith({
  name: 'by-the-minute',
  options: (at) => ({
    smtpd_client_connection_rate_limit: '6',
    virtual_mailbox_domains: `regexp:${at.folder}/etc/domains`,
  }),
  apart: true,
  batches: { 30: 14 },
});

/** Postscreen whose tests after the greeting defer every recipient of a client's first session. */
export const postscreen = postfixWith({
  name: 'postscreen-first',
  service: 'postscreen',
  options: ({ folder }) => ({
    postscreen_cache_map: `btree:${folder}/data/cache`,
    postscreen_greet_wait: '1s',
    postscreen_pipelining_enable: 'yes',
    postscreen_non_smtp_command_enable: 'yes',
    postscreen_bare_newline_enable: 'yes',
  }),
  batches: { 40: 6 },
});
