import type { Quirk } from '../quirk.ts';

const PYTHON = '/usr/bin/python3';

/** Python's Twisted: "550 Cannot receive for specified address". */
export const twisted: Quirk = {
  name: 'twisted',
  programs: [PYTHON, '/usr/lib/python3/dist-packages/twisted/mail/smtp.py'],
  files: ({ ip, port }) => ({
    'server.py': `
import re
from twisted.internet import reactor
from twisted.mail import smtp
from zope.interface import implementer

@implementer(smtp.IMessageDelivery)
class Delivery:
    def receivedHeader(self, helo, origin, recipients):
        return b''

    def validateFrom(self, helo, origin):
        return origin

    def validateTo(self, user):
        if re.match(b'u[0-9]+$', user.dest.local):
            return lambda: None
        raise smtp.SMTPBadRcpt(user)

class Factory(smtp.SMTPFactory):
    protocol = smtp.ESMTP

    def buildProtocol(self, peer):
        print('connected', flush=True)
        protocol = smtp.SMTPFactory.buildProtocol(self, peer)
        protocol.delivery = Delivery()
        return protocol

reactor.listenTCP(${port}, Factory(), interface='${ip}')
reactor.run()
`,
  }),
  daemons: ({ folder }) => [{ run: [PYTHON, `${folder}/server.py`] }],
  connected: /connected/g,
  batches: { 10: 5, 50: 16, 200: 40 },
};
