import type { Rule } from './rule.ts';

/** The mailbox lives and is full. A full queue, a server's own disk and a sending quota are not. */
export const QUOTA_RULES = [
  {
    id: 'quota/full',
    says: 'mailbox_full',
    when: [
      'BOX … full',
      'full BOX',
      'BOX … over|exceeded … quota|limit|storage|size',
      'BOX size? limit exceeded',
      'BOX … over',
      'overquota',
      'over storage? quota|limit',
      'over storage',
      'quota|storage … full|exceeded|over',
      'exceeded … quota|storage',
      'BOX … quota',
      'BOX MANY MSG',
      'BOX … not … enough … storage',
      'not enough? … storage',
      'insufficient … storage',
      'storage … insufficient|exceeded',
      'BOX … insufficient',
      'BOX … large',
      'not create output',
    ],
    unless: [
      'SENDER|IP|CLIENT',
      'HOST storage|resources',
      'queue',
      'MSG large|exceeded',
      'MSG size',
      'sending quota|limit',
      'HOST insufficient|full|over',
      'insufficient HOST',
      'private BOX storage',
    ],
    from: '552 5.2.2 The email account that you tried to reach is over quota.',
  },
] as const satisfies readonly Rule[];
