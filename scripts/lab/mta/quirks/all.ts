import type { Quirk } from '../quirk.ts';
import { aiosmtpd, aiosmtpdTls } from './aiosmtpd.ts';
import { chasquid } from './chasquid.ts';
import { courier } from './courier.ts';
import { eximTls } from './exim-tls.ts';
import * as postfix from './postfix.ts';
import { postgrey } from './postgrey.ts';
import { sendmail, sendmailCatchAll } from './sendmail.ts';
import { smtpServer, smtpServerOneRecipient } from './smtp-server.ts';
import { twisted } from './twisted.ts';

export const QUIRKS: readonly Quirk[] = [
  sendmail,
  sendmailCatchAll,
  ...Object.values(postfix),
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
