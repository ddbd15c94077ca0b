import type { At, Quirk } from '../quirk.ts';

const PYTHON = '/usr/bin/python3';

const aiosmtpdWith = (name: string, batches: Quirk['batches'], tls: (at: At) => string): Quirk => ({
  name,
  programs: [PYTHON, '/usr/lib/python3/dist-packages/aiosmtpd/smtp.py'],
  files: (at) => ({
    'server.py': `
import asyncio, re, ssl
from aiosmtpd.smtp import SMTP

class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        # Once a session: over TLS it comes again.
        if session.ssl is None:
            print('connected', flush=True)
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options):
        if not re.match(r'u[0-9]+@', address):
            return '550 No such user'
        envelope.rcpt_tos.append(address)
        return '250 OK'

def certified(certificate, key):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), hostname='${at.host}'${tls(at)}), '${at.ip}', ${at.port})
    await server.serve_forever()

asyncio.run(main())
`,
  }),
  daemons: ({ folder }) => [{ run: [PYTHON, `${folder}/server.py`] }],
  connected: /connected/g,
  batches,
});

/** Python's aiosmtpd: no PIPELINING, no enhanced codes. */
export const aiosmtpd = aiosmtpdWith('aiosmtpd', { 10: 4, 50: 10, 200: 34 }, () => '');

/** Answers all but EHLO, STARTTLS, NOOP and QUIT with `530 Must issue a STARTTLS command first`. */
export const aiosmtpdTls = aiosmtpdWith(
  'aiosmtpd-tls',
  { 10: 5, 200: 36 },
  ({ certificate, key }) => `, tls_context=certified('${certificate}', '${key}'), require_starttls=True`,
);
