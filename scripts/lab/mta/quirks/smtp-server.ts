import type { Quirk } from '../quirk.ts';

const smtpServerWith = (name: string, recipientsMax: number, batches: Quirk['batches']): Quirk => ({
  name,
  programs: [],
  files: ({ ip, port, host, key, certificate }) => ({
    'server.mjs': `
import { readFileSync } from 'node:fs';
import { SMTPServer } from '${import.meta.resolve('smtp-server')}';

new SMTPServer({
  name: '${host}',
  key: readFileSync('${key}'),
  cert: readFileSync('${certificate}'),
  authOptional: true,
  disableReverseLookup: true,
  onConnect(session, done) {
    console.log('connected');
    done();
  },
  onRcptTo({ address }, session, done) {
    const refuse = (code, words) => done(Object.assign(new Error(words), { responseCode: code }));
    if (session.envelope.rcptTo.length >= ${recipientsMax}) refuse(452, '4.5.3 too many recipients for one message');
    else if (/^u[0-9]+@/.test(address)) done();
    else refuse(550, 'No such user here');
  },
}).on('error', ({ code }) => console.log(code)).listen(${port}, '${ip}');
`,
  }),
  daemons: ({ folder }) => [{ run: [process.execPath, `${folder}/server.mjs`] }],
  connected: /connected/g,
  batches,
});

/** Node's smtp-server (Nodemailer's): waits 100 ms before it greets, and 421 for who talks earlier. */
export const smtpServer = smtpServerWith('smtp-server', Infinity, { 10: 4, 50: 10, 200: 34 });

/** One recipient a message, as mox demands of a sender without SPF. */
export const smtpServerOneRecipient = smtpServerWith('smtp-server-one', 1, { 50: 12, 200: 36 });
