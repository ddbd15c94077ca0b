import type { Quirk } from '../quirk.ts';

const PYTHON = '/usr/bin/python3';

/** Python's aiosmtpd: no PIPELINING, no enhanced codes. */
export const aiosmtpd: Quirk = {
  name: 'aiosmtpd',
  programs: [PYTHON, '/usr/lib/python3/dist-packages/aiosmtpd/smtp.py'],
  files: ({ ip, port, host }) => ({
    'server.py': `
import asyncio, re
from aiosmtpd.smtp import SMTP

class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        print('connected', flush=True)
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options):
        if not re.match(r'u[0-9]+@', address):
            return '550 No such user'
        envelope.rcpt_tos.append(address)
        return '250 OK'

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), hostname='${host}'), '${ip}', ${port})
    await server.serve_forever()

asyncio.run(main())
`,
  }),
  daemons: ({ folder }) => [{ run: [PYTHON, `${folder}/server.py`] }],
  connected: /connected/g,
  batches: [
    [10, 4],
    [50, 10],
    [200, 34],
  ],
};
