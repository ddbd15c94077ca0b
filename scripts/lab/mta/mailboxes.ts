// Who lives on the Postfix servers, as Postfix's own regexp tables.

/** u000 to u499 exist besides the named ones. */
export const NUMBERED = 500;
export const numbered = (i: number): string => `u${String(i).padStart(3, '0')}`;

/** Mailboxes that exist, in every domain that the asked service calls its own. */
export const MAILBOXES = String.raw`/^(anna|info|full|quota|disabled)@/ yes
/^u[0-4][0-9][0-9]@/ yes
/^björk@/ yes
/@catchall\.real\.test$/ yes
`;

/** Refusals as mail hosts word them; Postfix puts the address and "Recipient address rejected" in front. */
export const RECIPIENTS = String.raw`/^full@/ 452 4.2.2 The email account that you tried to reach is over quota
/^quota@/ 552 5.2.2 Mailbox is full
/^disabled@/ 550 5.2.1 This account has been disabled
`;

/** As postgrey words it. */
export const GREYLIST = String.raw`/./ 450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/help/real.test.html
`;

/** Answered with 5.1.6 and the new address. */
export const RELOCATED = String.raw`/^moved@/ anna@elsewhere.test
`;
