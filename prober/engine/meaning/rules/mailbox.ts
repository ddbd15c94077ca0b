import type { Rule } from './rule.ts';

/** Statements about the recipient's mailbox or domain: there is none, or it takes no mail. */
export const MAILBOX_RULES = [
  {
    id: 'mailbox/for-now',
    says: 'unexpected',
    when: [
      'BOX|DOMAIN … temporarily … gone|away|not|blocked',
      'temporarily gone|away|blocked BOX',
      'BOX|DOMAIN … gone|away|blocked *** try|retry|again temporarily',
    ],
    from: '550 5.7.1 <user@example.com>: Recipient address rejected: User user@example.com temporary locked. Please try again later!',
  },
  {
    id: 'mailbox/gone',
    says: 'no_such_mailbox',
    when: ['BOX … gone|away|bad', 'BOX|addr blocked', 'BOX addr blocked', 'gone|away|bad ~ BOX'],
    unless: ['BOX blocked by BOX', 'HOST|INFRA|SERVICE away', 'failed for *** BOX addr blocked'],
    from: '550 5.1.1 <user@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    id: 'mailbox/not-there',
    says: 'no_such_mailbox',
    when: [
      'BOX … not … exist|listed|here|our|addr',
      'BOX … not … accept any? MSG|EMAIL? .',
      'BOX not … my|our|BOX',
      'BOX not on HOST|SERVICE',
      'not record … BOX',
      'BOX … exist … not',
      'not our|my|such|any|exist? exist|our|one? BOX',
      'not exist ~ BOX',
      'EMAIL addr? not exist',
    ],
    from: '550 5.1.1 No such user here',
  },
  {
    id: 'mailbox/address-alone',
    says: 'no_such_mailbox',
    when: ['addr … gone|away', 'addr … not exist', 'gone addr', 'not such? addr'],
    unless: ['SENDER', 'CLIENT', 'IP', 'addr … HOST|DOMAIN … gone|not|bad'],
    from: '550 <user@example.com> not used',
  },
  {
    id: 'mailbox/refused',
    says: 'no_such_mailbox',
    when: ['BOX refused addr? .', 'BOX refused access refused', 'addr BOX refused .'],
    from: '550 5.4.1 [user@example.com]: Recipient address rejected: Access denied [example.com]',
  },
  {
    id: 'mailbox/domain',
    says: 'no_such_mailbox',
    when: [
      'DOMAIN … not … hosted',
      'not hosted|accept MSG|EMAIL for DOMAIN|fqdn|addr',
      'not … DOMAIN … here|location',
      'DOMAIN … gone|bad|not|exist … addr',
      'addr … DOMAIN|HOST … gone|bad',
      'addr … DOMAIN|HOST … not … exist',
      'addr … bad|gone HOST|DOMAIN',
      'BOX DOMAIN … gone|bad|not',
    ],
    unless: ['SENDER', 'CLIENT', 'IP'],
    from: '550 No such domain at this location (user@example.com)',
  },
] as const satisfies readonly Rule[];
