import type { Rule } from './rule.ts';

/** Nouns of a gist that are about us, or about the server: next to them a statement may not be about the mailbox. */
export const ABOUT_US = 'CLIENT|IP|SENDER|HELO|RDNS|LIST|SPF|SPAM|AUTH|TLS|RATE|MANY|REPUTE|POLICY|INFRA|GREY|TAGUS';

const SENDING = 'sending|send|sent|outgoing|outbound|submission|transmit|transmission';

/** What we may send, as opposed to what the mailbox holds. */
const OF_SENDING = [
  `${SENDING} ~ MSG|EMAIL? ~ quota|limit|exceeded|full|over`,
  `quota|limit|number for? MSG|EMAIL? ${SENDING}`,
  `MANY MSG|EMAIL ${SENDING}`,
  'smtp quota',
  'RELAY quota|limit',
  'your MSG|EMAIL quota|limit',
] as const;

/** Statements about us, the client: the rest of the reply then says nothing about the mailbox. */
export const CLIENT_RULES = [
  {
    id: 'client/subject',
    says: 'policy_rejected',
    when: [
      'LIST|REPUTE|RDNS|SPF|HELO|SPAM|POLICY|TAGUS|TLS',
      'dns *** record|resource',
      'not dns',
      'required exist? record',
      ...OF_SENDING,
    ],
    from: '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.1 is blacklisted using SPAMHAUS-XBL.',
  },
  {
    id: 'client/message',
    says: 'policy_rejected',
    when: ['MSG … large|long', 'MSG size|limit? limit|size? … exceeded'],
    unless: ['BOX … full', 'quota', 'storage', 'remaining'],
    from: '552 5.3.4 Message size exceeds fixed limit',
  },
] as const satisfies readonly Rule[];

/** A limit was reached: we asked too much, and the address may exist. */
export const LIMIT_RULES = [
  {
    id: 'limit/too-many',
    says: 'limit',
    when: [
      'TAGLIMIT|probing|guessing',
      'MANY … BOX|failed|COMMAND|CLIENT|AUTH|HELO',
      'exceeded number? bad|gone BOX',
      'bad|gone BOX limit|quota|exceeded',
      'BOX bad|gone exceeded',
      'more n? gone|bad BOX',
      'only one BOX at',
      'attempts|attempted|several for? gone|away|bad BOX',
      'limit CHECK? for? gone|bad BOX',
      'blocked|refused … sending|mailing for? gone|away|bad BOX',
    ],
    from: '550 Rejected for too many bad recipients',
  },
  {
    id: 'limit/rate',
    says: 'policy_rejected',
    when: ['RATE|MANY|GREY'],
    unless: ['BOX MANY MSG|EMAIL', 'MANY MSG on BOX'],
    from: '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
  },
] as const satisfies readonly Rule[];
