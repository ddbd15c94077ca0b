import type net from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailServer } from './domains.ts';

/** An orderly mail server of the sandbox. Its greeting takes 100 ms: the library listens for clients that talk early. */
export function mailServer(plan: MailServer, name: string): net.Server {
  const server = new SMTPServer({
    name,
    banner: 'sandbox',
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    hideSMTPUTF8: plan.smtpUtf8 !== true,
    authOptional: true,
    closeTimeout: 100,
    onConnect: (_session, answer) => answer(refusal(plan.greeting)),
    onMailFrom: (_address, _session, answer) => answer(refusal(plan.mail)),
    onRcptTo: ({ address }, _session, answer) => {
      const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
      answer(refusal(plan.rcpt[local] ?? plan.rcpt['*'] ?? '550 5.1.1 User unknown'));
    },
  });
  // A client that resets its connection is not news here.
  server.on('error', () => undefined);
  return server.server;
}

/** The library's form of a reply: null accepts. */
function refusal(reply: string | undefined): Error | null {
  if (reply === undefined || reply === '250') return null;
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}
