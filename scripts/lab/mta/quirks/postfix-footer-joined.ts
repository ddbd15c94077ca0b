import { FOOTER } from './postfix-footer.ts';
import { postfixWith } from './postfix-with.ts';

/** The other form of the footer: in the line of the refusal itself. */
export const postfixFooterJoined = postfixWith({
  name: 'footer-joined',
  programs: [],
  options: () => ({ smtpd_reject_footer: `\\c. ${FOOTER}` }),
  batches: [
    [10, 4],
    [50, 8],
  ],
});
