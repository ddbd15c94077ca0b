import type { Rule } from './rule.ts';

/** Words about us: a statement about a mailbox next to them, or after them, is about us or no one. */
const ALREADY_ABOUT_US = [
  'SENDER|HELO|RDNS|LIST|SPF|SPAM|AUTH|TLS|RATE|MANY|REPUTE|TAGUS',
  'you not|exceeded|blocked|refused',
  'you … from|using',
  'CLIENT|IP|RELAY … sending|sent|sends|mailing|attempts|attempted|probing|attacking',
  'CLIENT says|said',
  'CHECK addr|fqdn|elsewhere failed',
  'GREY',
  'bounce',
] as const;

/** Statements about an address or a host elsewhere: our sender's, or one that the mailbox forwards to. */
const ELSEWHERE = [
  'elsewhere BOX? … gone|away|bad|not',
  'gone|away|bad|not ~ such? BOX elsewhere',
  'BOX gone|away|bad elsewhere',
] as const;

/** Parts of a mailbox that are not the mailbox. */
const PART = 'map|status|type|agent|list|count|number|limit|quota|filter|rule|scanner|queue|forward';

/**
 * The state of something that belongs to the mailbox, or was on its way there, is not the mailbox's: `queue for user
 * closed`.
 */
const OF_THE_MAILBOX = [
  `HOST|THING|INFRA|SERVICE|MSG|CLIENT|delivery|route|path|${PART} for BOX … gone|away|bad|not`,
  'HOST|THING|INFRA|SERVICE|queue|agent|filter|rule|scanner … not exist for BOX',
  'COMMAND for BOX … gone|away|bad|not',
  'forward BOX for BOX … gone|away|bad|not',
  'gone|bad BOX THING|COMMAND',
  'gone|bad|not BOX maybe? not? send|sends|wants|allowed|post',
  'from BOX',
  'RELAY|submission|outbound|outgoing|trial BOX',
  `BOX ${PART} gone|away|bad|not`,
  `gone|bad|such BOX ${PART}`,
  'BOX for|at? CLIENT|SENDER',
  'gone|bad BOX INFRA .',
  'BOX not verified|checked|confirmed',
  'BOX CHECK gone|away',
  'BOX gone not? members',
  'BOX gone MSG|EMAIL? for|from? external',
  'external BOX',
  'route|path BOX HOST',
  'BOX not? exist? for you',
  'BOX not exist dns',
] as const;

/** What makes any of these a statement about something else, anywhere in the reply. */
const NOT_IT = [
  'failed for *** BOX addr blocked',
  'MSG|EMAIL|delivery addr|BOX blocked',
  'BOX blocked from sending',
  'BOX gone . CHECK failed',
  'not gone',
  'HOST|INFRA|SERVICE away|temporarily|shutting',
  'INFRA|HOST … BOX away',
  'on *** list … BOX',
  'gone|bad BOX … over|exceeded|limit',
  'sending for BOX',
  'for IP',
  'DOMAIN elsewhere',
  'DOMAIN|MSG|EMAIL ** from',
  'from ** DOMAIN',
  'MSG|EMAIL for? BOX addr? refused',
  'CLIENT|IP|RELAY|MSG|SENDER|HELO|RDNS|elsewhere not exist? BOX',
  'outbound|outgoing|submission',
  `MSG|HOST|SERVICE|INFRA|THING|COMMAND|sending|route|${PART} for addr`,
  'timeout|timed',
  'list gone for',
  ...ELSEWHERE,
  ...OF_THE_MAILBOX,
] as const;

/** Statements about the recipient's mailbox or domain: there is none, or it takes no mail. */
export const MAILBOX_RULES = [
  {
    id: 'mailbox/gone',
    says: 'no_such_mailbox',
    when: [
      'TAGBOX',
      // It is gone, disabled or bad.
      'BOX … gone|away|bad',
      'BOX addr? blocked',
      'gone|away|bad ~ BOX',
      'BOX left|disconnected',
      'BOX SERVICE … gone|off',
      // It is not there.
      'BOX … not … exist|listed|here|our|ours|addr',
      'BOX … not … accept all|any|incoming|inbound? MSG|EMAIL? .',
      'BOX not … my|our|members|home|BOX',
      'BOX not on HOST|SERVICE',
      'not record … BOX',
      'BOX … exist … not',
      'not our|my|such|any|exist|one? for? exist|our|one? BOX',
      'not exist ~ BOX',
      'EMAIL addr|name? not exist',
      '^ addr? gone us|here .',
      'addr … not one? for? our|ours|listed|heard',
      'BOX not member for DOMAIN',
      'BOX not MSG|EMAIL? .',
      'BOX … not more .',
      'not such * for|on|at? BOX|addr',
      'BOX … for sending only',
      '^ name not one for? our|ours .',
      'not hosted … BOX',
      'not redirect|forward|forwarding entry|record … BOX|addr',
      'not heard(?!\\sfor\\sCOMMAND)',
      'not exist for BOX|addr',
      'BOX|addr … not live|work|works|reside here|with',
      'BOX permanently blocked|refused',
      'BOX addr? not accept MSG|EMAIL any longer|more',
      'BOX send only .',
      'not exist? route|path exist? … BOX|addr',
      // It takes no mail.
      'MSG|EMAIL|incoming|inbound accept|delivery|reception … gone|off',
      'incoming|inbound|accept MSG|EMAIL? … gone|off|not exist',
      '(?<!your\\s)(?:MSG|EMAIL) … gone|off … for *** BOX|addr|fqdn|DOMAIN',
      'not hosted|accept … MSG|EMAIL? for specified|given|named|requested? BOX|DOMAIN|addr',
      'not accept specified|given|named|requested BOX|addr',
      'gone accept MSG|EMAIL? sent? … BOX|addr|RDOMAIN',
      'BOX not hosted MSG|EMAIL',
      'BOX accept not MSG|EMAIL',
      'BOX … not accept MSG|EMAIL … gone',
      'BOX … refused all MSG .',
      'BOX not allowed accept',
      'MSG|EMAIL accept not possible|exist',
      'accept MSG|EMAIL not allowed for BOX',
      'DOMAIN … not accept all|any|incoming|inbound? MSG|EMAIL .',
      'EMAIL gone',
      'not MSG|EMAIL? SERVICE for BOX|addr',
      '(?<!your\\s)(?:MSG|EMAIL) for? addr|BOX|fqdn|DOMAIN not … accept',
      // The address by itself.
      'addr … gone|away',
      'addr … not exist',
      'not such? addr',
      // Refused without another reason.
      'BOX addr? refused addr? .',
      // Its domain.
      'DOMAIN … not … hosted',
      'BOX DOMAIN … gone|bad|not',
      'gone|bad|away RDOMAIN',
      'DOMAIN fqdn? … gone',
      'DOMAIN … not exist',
      'not such|exist? DOMAIN',
      'not any? mxrecord',
      'mxrecord … gone|not|bad',
      'SERVICE for DOMAIN',
      'DOMAIN … not MSG|EMAIL? SERVICE',
      'fqdn|DOMAIN not HOST MSG|EMAIL',
      'gone DOMAIN fqdn',
      'not exist? exist? HOST for RDOMAIN',
      'DOMAIN fqdn not HOST .',
      'addr . HOST gone name HOST',
      'bad mxrecord for HOST fqdn',
      'HOST not exist for RDOMAIN',
    ],
    unless: NOT_IT,
    unlessAhead: ALREADY_ABOUT_US,
    from: '550 5.1.1 <user@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    id: 'mailbox/any-noun',
    says: 'no_such_mailbox',
    codes: [501, 550, 551, 552, 553, 554, 571],
    when: [
      'not such * here|on',
      'not such * .',
      'BOX not exist? INFRA|book .',
      'not INFRA? entry|entries exist? … BOX',
      '^ member|identity not exist .',
    ],
    unless: NOT_IT,
    unlessAhead: ALREADY_ABOUT_US,
    from: '550 no such barrack here',
  },
] as const satisfies readonly Rule[];
