import type { Rule } from './rule.ts';

/** Statements about the recipient's mailbox or domain: there is none, or it takes no mail. */
export const MAILBOX_RULES = [
  {
    id: 'mailbox/boilerplate',
    says: 'unexpected',
    when: ['requested *** action not taken BOX gone *** url'],
    unless: ['not taken BOX gone .'],
    from: '550-Requested action not taken: mailbox unavailable\n550 For explanation visit http://postmaster.gmx.com/en/error-messages?ip=192.0.2.1',
  },
  {
    id: 'mailbox/gone',
    says: 'no_such_mailbox',
    when: ['BOX … gone', 'BOX … bad', 'BOX|addr blocked', 'BOX addr blocked', 'gone … BOX', 'bad … BOX'],
    unless: ['BOX blocked by BOX', 'failed for *** BOX addr blocked'],
    from: '550 5.1.1 <user@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    id: 'mailbox/not-there',
    says: 'no_such_mailbox',
    when: [
      'BOX … not … exist|accept|listed|here|our|addr',
      'BOX not … my|our|BOX',
      'BOX not on HOST|SERVICE',
      'not record … BOX',
      'BOX … exist … not',
      'not our|my|such|any|exist? exist|our|one? BOX',
      'not exist … BOX',
      'EMAIL addr? not exist',
      'BOX … check … failed',
    ],
    from: '550 5.1.1 No such user here',
  },
  {
    id: 'mailbox/address-alone',
    says: 'no_such_mailbox',
    when: ['addr … gone', 'addr … not exist', 'gone addr', 'not such? addr'],
    unless: ['SENDER', 'CLIENT', 'IP', 'addr … HOST|DOMAIN … gone|not|bad'],
    from: '550 <user@example.com> not used',
  },
  {
    id: 'mailbox/refused',
    says: 'no_such_mailbox',
    when: ['BOX refused addr? .', 'BOX refused access refused', 'addr BOX refused .', 'BOX … MSG *** BOX refused'],
    from: '550 5.4.1 [user@example.com]: Recipient address rejected: Access denied [example.com]',
  },
  {
    id: 'mailbox/domain',
    says: 'no_such_mailbox',
    when: [
      'DOMAIN … gone|bad',
      'DOMAIN … not … exist|accept|here|listed',
      'not exist? DOMAIN',
      'gone|bad DOMAIN',
      'not accept|exist MSG|EMAIL for DOMAIN|fqdn|addr',
      'addr … HOST … gone|bad',
      'addr … bad|gone HOST',
    ],
    unless: ['SENDER', 'CLIENT', 'IP'],
    from: '550 No such domain at this location (user@example.com)',
  },
] as const satisfies readonly Rule[];
