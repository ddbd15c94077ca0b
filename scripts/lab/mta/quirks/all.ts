import type { Quirk } from '../quirk.ts';
import { aiosmtpd } from './aiosmtpd.ts';
import { chasquid } from './chasquid.ts';
import { eximTls } from './exim-tls.ts';
import { postfixFooterJoined } from './postfix-footer-joined.ts';
import { postfixFooter } from './postfix-footer.ts';
import { postfixOneRecipient } from './postfix-one-recipient.ts';
import { postfixTls } from './postfix-tls.ts';
import { postgrey } from './postgrey.ts';
import { sendmailCatchAll } from './sendmail-catch-all.ts';
import { sendmail } from './sendmail.ts';
import { smtpServer } from './smtp-server.ts';
import { twisted } from './twisted.ts';

export const QUIRKS: readonly Quirk[] = [
  sendmail,
  sendmailCatchAll,
  postfixFooter,
  postfixFooterJoined,
  postfixTls,
  postfixOneRecipient,
  postgrey,
  eximTls,
  chasquid,
  smtpServer,
  aiosmtpd,
  twisted,
];
