import type { Quirk } from '../quirk.ts';
import { aiosmtpd, aiosmtpdTls } from './aiosmtpd.ts';
import { chasquid } from './chasquid.ts';
import { courier } from './courier.ts';
import { eximTls } from './exim-tls.ts';
import { postfixByTheMinute } from './postfix-by-the-minute.ts';
import { postfixFooterJoined } from './postfix-footer-joined.ts';
import { postfixFooter } from './postfix-footer.ts';
import { postfixOneRecipient, postfixTwoRecipients } from './postfix-one-recipient.ts';
import { postfixTls } from './postfix-tls.ts';
import { postgrey } from './postgrey.ts';
import { postscreen } from './postscreen.ts';
import { sendmailCatchAll } from './sendmail-catch-all.ts';
import { sendmail } from './sendmail.ts';
import { smtpServer, smtpServerOneRecipient } from './smtp-server.ts';
import { twisted } from './twisted.ts';

export const QUIRKS: readonly Quirk[] = [
  sendmail,
  sendmailCatchAll,
  postfixFooter,
  postfixFooterJoined,
  postfixTls,
  postfixOneRecipient,
  postfixTwoRecipients,
  postfixByTheMinute,
  postscreen,
  postgrey,
  eximTls,
  chasquid,
  courier,
  smtpServer,
  smtpServerOneRecipient,
  aiosmtpd,
  aiosmtpdTls,
  twisted,
];
