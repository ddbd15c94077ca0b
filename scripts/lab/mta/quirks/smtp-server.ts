import type { Quirk } from '../quirk.ts';

/** Node's smtp-server (Nodemailer's): waits 100 ms before it greets, and 421 for who talks earlier. */
export const smtpServer: Quirk = {
  name: 'smtp-server',
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
    const error = new Error('No such user here');
    error.responseCode = 550;
    done(/^u[0-9]+@/.test(address) ? null : error);
  },
}).on('error', ({ code }) => console.log(code)).listen(${port}, '${ip}');
`,
  }),
  daemons: ({ folder }) => [{ run: [process.execPath, `${folder}/server.mjs`] }],
  connected: /connected/g,
  batches: [
    [10, 4],
    [50, 10],
    [200, 34],
  ],
};
