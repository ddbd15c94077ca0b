import type { Rule } from './rule.ts';

/** Statements about us, the client: the rest of the reply then says nothing about the mailbox. */
export const CLIENT_RULES = [
  {
    id: 'client/blocklist',
    says: 'policy_rejected',
    when: ['LIST', '^ listed'],
    from: '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using SPAMHAUS-XBL.',
  },
  {
    id: 'client/reputation',
    says: 'policy_rejected',
    when: ['REPUTE'],
    from: '550 Connections from mx.example.jp (192.0.2.1) are being rejected due to a poor email reputation score.',
  },
  {
    id: 'client/reverse-dns',
    says: 'policy_rejected',
    when: [
      'RDNS',
      'dns *** record|resource',
      'bad dns(?!\\sR?DOMAIN)',
      'dns … failed|bad',
      'not dns',
      'required exist? record',
    ],
    from: '550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]',
  },
  {
    id: 'client/spf',
    says: 'policy_rejected',
    when: ['SPF'],
    from: '550 5.7.1 <user@example.com>: Recipient address rejected: Message rejected due to: SPF fail - not authorized.',
  },
  {
    id: 'client/helo',
    says: 'policy_rejected',
    when: ['HELO'],
    unless: ['HELO first'],
    from: '504 5.5.2 <qbic>: Helo command rejected: need fully-qualified hostname',
  },
  {
    id: 'client/spam',
    says: 'policy_rejected',
    when: ['SPAM'],
    unless: ['BOX … gone … SPAM'],
    from: '554 Your IP address is flooding our SMTP server with abusive requests',
  },
  {
    id: 'client/policy',
    says: 'policy_rejected',
    when: ['POLICY'],
    from: '550-Requested action not taken: mailbox unavailable\n550 Reject due to policy restrictions.',
  },
  {
    id: 'client/provider-tag',
    says: 'policy_rejected',
    when: ['TAGUS'],
    from: '521 5.2.1 :  (DNY:T1)  http://postmaster.info.aol.com/errors/554dnyt1.html',
  },
  {
    id: 'client/message',
    says: 'policy_rejected',
    when: ['MSG … large|long', 'large MSG', '^ THING … large .', 'MSG size|limit? limit|size? … exceeded'],
    unless: ['BOX … full', 'quota', 'storage'],
    from: '552 5.3.4 Message size exceeds fixed limit',
  },
  {
    id: 'client/tls',
    says: 'policy_rejected',
    when: ['TLS'],
    from: "550 5.7.29 This message was blocked because it wasn't sent over a TLS connection.",
  },
] as const satisfies readonly Rule[];

const SENDING = 'sending|send|sent|outgoing|outbound|submission|transmit|transmission';

/** What we may send, as opposed to what the mailbox holds. */
export const OF_SENDING = [
  `${SENDING} ~ MSG|EMAIL? ~ quota|limit|exceeded|full|over`,
  `${SENDING} BOX? quota|exceeded`,
  `quota|limit|number for? MSG|EMAIL? ${SENDING}`,
  `exceeded number for? MSG … ${SENDING}`,
  `MANY MSG|EMAIL ${SENDING}`,
  `${SENDING} too much`,
  'smtp quota',
  'RELAY quota|limit',
  'your MSG|EMAIL quota|limit',
] as const;

/** A limit was reached: we asked too much, and the address may exist. */
export const LIMIT_RULES = [
  {
    id: 'limit/provider-code',
    says: 'limit',
    when: ['TAGLIMIT'],
    from: '550 RP:TRC',
  },
  {
    id: 'limit/too-many',
    says: 'limit',
    when: [
      'MANY … BOX|failed|COMMAND|CLIENT|AUTH|HELO',
      'BOX count|number exceeded',
      'count|number|total for BOX … exceeded|over|limit',
      'exceeded number? bad|gone BOX',
      'bad|gone BOX limit|quota|exceeded',
      'only n|one BOX',
      'BOX bad|gone exceeded',
      'probing|guessing',
      'more n? gone|bad BOX',
      'attempts|attempted|several for? gone|away|bad BOX',
      'limit CHECK? for? gone|bad BOX',
      'blocked|refused … sending|mailing for? gone|away|bad BOX',
    ],
    unless: ['BOX MANY MSG|EMAIL'],
    from: '550 Rejected for too many bad recipients',
  },
  {
    id: 'limit/rate',
    says: 'policy_rejected',
    when: ['RATE', 'MANY', 'GREY'],
    unless: ['BOX MANY MSG|EMAIL', 'MANY MSG on BOX'],
    from: '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
  },
  {
    id: 'limit/sending',
    says: 'policy_rejected',
    when: OF_SENDING,
    from: "552 quota d'envoi dépassé",
  },
] as const satisfies readonly Rule[];
