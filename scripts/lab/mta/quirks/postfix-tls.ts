import { postfixWith } from './postfix-with.ts';

/** Wants TLS before MAIL: `530 5.7.0 Must issue a STARTTLS command first`. */
export const postfixTls = postfixWith({
  name: 'postfix-tls',
  programs: [],
  options: () => ({ smtpd_tls_security_level: 'encrypt' }),
  batches: [
    [50, 6],
    [200, 18],
  ],
});
