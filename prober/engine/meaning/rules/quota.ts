import { OF_SENDING } from './client.ts';
import type { Rule } from './rule.ts';

/** 552 is about storage (RFC 5321 §4.2.3): a mailbox holds too many messages; with 550 we might be sending too many. */
export const CROWDED_RULES = [
  {
    id: 'quota/messages',
    says: 'mailbox_full',
    codes: [552],
    when: ['MANY MSG|EMAIL on? BOX', '^ quota .'],
    unless: ['you|your|from|CLIENT|IP|SENDER'],
    from: '552 too many messages in this mailbox',
  },
] as const satisfies readonly Rule[];

/** Alternatives, one of them a full mailbox: the server does not commit itself. */
export const EITHER_FULL = [
  'gone|away|bad|exist|blocked … or BOX? … full|overquota|quota',
  'full|overquota … or BOX? … gone|away|bad|exist|blocked',
  'gone|away|bad full or',
  'full gone|away|bad or',
] as const;

/** The mailbox exists and is full. A full queue, a server's own disk and a sending quota are not that. */
export const QUOTA_RULES = [
  {
    id: 'quota/full',
    says: 'mailbox_full',
    when: [
      'BOX … full',
      'full BOX',
      'BOX … over|exceeded … quota|limit|storage|size|disk',
      'overquota',
      'addr … full .',
      'over … quota',
      'over storage',
      'quota|storage … full|exceeded|over',
      'exceeded … quota|storage',
      'exceeded size|limit BOX',
      'exceeded|over EMAIL|MSG quota|limit',
      'not … accept … more MSG|EMAIL',
      'BOX … quota',
      'BOX … storage|disk … full|exceeded|over',
      'quota … BOX … exceeded|full',
      'BOX not hold',
      'storage BOX exceeded|full',
      'BOX size exceeded',
      'not quota|storage left',
      'limit BOX size? exceeded',
      'MANY MSG … BOX',
      'BOX not MSG? storage|disk',
      'BOX … MANY MSG',
      'BOX … limit MSG?',
      'BOX MANY MSG|EMAIL',
      'BOX … not … enough … storage|disk',
      'not enough? exist? storage|disk … BOX',
      'insufficient|not storage|disk *** BOX',
      'disk quota|limit',
      'allocated disk … full|exceeded',
      'not enough? … storage',
      'enough storage not',
      'storage not enough',
      'insufficient … storage',
      'disk insufficient BOX',
      'storage … insufficient|exceeded',
      'BOX … insufficient',
      'BOX … large',
    ],
    unless: [
      'SENDER|IP|CLIENT',
      'HOST storage|resources',
      'queue',
      'MSG large(?!\\s(?:storage|quota))',
      'more MSG|EMAIL *** from|you|your',
      'MSG exceeded(?!\\s(?:exist\\s)?(?:BOX|quota|storage))',
      'bad|gone BOX *** limit',
      'MSG size',
      ...EITHER_FULL,
      'you exceeded',
      'HOST|THING|INFRA|COMMAND|chunk|traffic|line|number|memory|list … insufficient|full|over|overquota|exceeded|quota|storage',
      'BOX count|number|list',
      'your quota|storage',
      ...OF_SENDING,
      'busy|RATE',
      'full|storage on? HOST',
      'insufficient HOST',
    ],
    from: '552 5.2.2 The email account that you tried to reach is over quota.',
  },
] as const satisfies readonly Rule[];
