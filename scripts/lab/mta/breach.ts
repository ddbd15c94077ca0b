/** How Postfix, postscreen and Exim log a client that talks out of turn or otherwise breaks the protocol. */
export const BREACH =
  /PREGREET|COMMAND PIPELINING|NON-SMTP|BARE NEWLINE|improper command pipelining|synchroni[sz]ation|protocol error/i;
