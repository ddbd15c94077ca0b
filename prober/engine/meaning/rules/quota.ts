import type { Rule } from './rule.ts';

/** 552 is about storage (RFC 5321 §4.2.3): a mailbox holds too many messages; with 550 we might be sending too many. */
export const CROWDED_RULES = [
  {
    id: 'quota/messages',
    says: 'mailbox_full',
    codes: [552],
    when: ['MANY MSG|EMAIL … BOX|addr', 'BOX|addr … MANY MSG|EMAIL'],
    unless: ['SENDER|CLIENT|IP|RATE|you|from|sending|send|sent'],
    from: '552 too many messages in this mailbox',
  },
] as const satisfies readonly Rule[];

/** The mailbox exists and is full. A full queue, a server's own disk and a sending quota are not that. */
export const QUOTA_RULES = [
  {
    id: 'quota/full',
    says: 'mailbox_full',
    when: [
      'TAGFULL',
      'BOX … full|quota|insufficient|large',
      'full BOX',
      'BOX … over|exceeded … quota|limit|storage|size|disk',
      'overquota',
      'addr … full .',
      'over … quota',
      'quota|storage … full|exceeded|over|insufficient',
      'exceeded … quota|storage',
      'exceeded size|limit BOX',
      'quota|storage … BOX … exceeded|full',
      'BOX not hold',
      'BOX … limit? size exceeded',
      'over|exceeded limit … BOX size',
      'MANY MSG … BOX',
      'BOX not MSG? storage|disk',
      'BOX … MANY MSG',
      'BOX … limit MSG?',
      'BOX … not … enough … storage|disk',
      'insufficient|not storage|disk *** BOX',
      'disk quota|limit',
      'enough|storage storage|not not|enough',
      'insufficient|not enough? … storage',
      'disk insufficient BOX',
      'more|less storage … BOX',
      'MSG not fit|fits … BOX',
      'exist for? disk',
      'BOX remaining',
    ],
    unless: [
      'SENDER|IP|CLIENT',
      'queue',
      'quota SERVICE|INFRA',
      'MSG large(?!\\s(?:storage|quota))',
      'MSG size',
      'HOST|THING|INFRA|COMMAND|chunk|traffic|line|number|memory|list … insufficient|full|over|overquota|exceeded|quota|storage',
      'BOX count|number|list',
      'your quota|storage',
    ],
    from: '552 5.2.2 The email account that you tried to reach is over quota.',
  },
] as const satisfies readonly Rule[];
