import { postfixWith } from './postfix-with.ts';

/** postconf(5)'s own example: every refusal ends in a line that asks for help. */
export const FOOTER =
  'For assistance, call 800-555-0101. Please provide the following information in your problem report: ' +
  'time ($localtime), client ($client_address) and server ($server_name).';

export const postfixFooter = postfixWith({
  name: 'footer',
  programs: [],
  options: () => ({ smtpd_reject_footer: FOOTER }),
  batches: [
    [10, 4],
    [50, 8],
    [200, 28],
  ],
});
